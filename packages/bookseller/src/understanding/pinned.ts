// Pinned facts: what a shopper avoids, their limits, and the series they like, own and named. Each time they are
// derived from the questions again, so only the conversation is stored; they are in our words, never in the shopper's.
import type { Language } from '@mangaassist/protocol'
import type { Product } from '../catalogue/catalogue.ts'
import type { Ask, AskKind, Filters } from './ask.ts'
import { joinFilters } from './in-context.ts'
import type { Owned } from './statements.ts'
import { GENRES, MOODS } from './vocabulary.ts'

interface Pinned {
  /** Keys of genres and moods. In all lists here the newest is last. */
  readonly avoided: readonly string[]
  readonly avoidedAuthors: readonly string[]
  readonly limits: Pick<Filters, 'status' | 'priceYenMax' | 'priceYenMin' | 'forChildren'>
  /** Ids of series. */
  readonly disliked: readonly string[]
  readonly liked: readonly string[]
  readonly owned: readonly Owned[]
  readonly named: readonly string[]
}

const NOTHING_PINNED: Pinned = {
  avoided: [],
  avoidedAuthors: [],
  limits: {},
  disliked: [],
  liked: [],
  owned: [],
  named: [],
}

/** The newest of each list are kept. */
const EACH_MAX = 5
/** Only limits in these kinds are the shopper's own: "finished?" about a series is a question. */
const WISHES: ReadonlySet<AskKind> = new Set(['recommend', 'refine', 'like'])

/** The facts after these questions, oldest first; a later statement replaces an opposite one. */
export function pinnedIn(asks: readonly Ask[]): Pinned {
  return asks.reduce(pin, NOTHING_PINNED)
}

function pin(before: Pinned, ask: Ask): Pinned {
  const { wish, kind } = ask
  const wanted = [...wish.genres, ...wish.moods]
  const dislikes = ask.disliked ?? []
  const likes = kind === 'like' ? ask.mentioned : (ask.statements?.liked ?? [])
  const owns = ask.statements?.owned ?? []
  return {
    avoided: newest(without(before.avoided, wanted), wish.avoid),
    avoidedAuthors: newest(without(before.avoidedAuthors, [wish.filters.author ?? '']), wish.avoidAuthors ?? []),
    limits: joinFilters(before.limits, WISHES.has(kind) ? limitsOf(wish.filters) : budgetOf(ask)),
    disliked: newest(without(before.disliked, likes), dislikes),
    liked: newest(without(before.liked, dislikes), likes),
    owned: [...before.owned.filter(({ id }) => !owns.some((own) => own.id === id)), ...owns].slice(-EACH_MAX),
    named: newest(
      without(before.named, [...likes, ...dislikes]),
      without(ask.mentioned, [...likes, ...before.liked, ...owns.map(({ id }) => id)]),
    ),
  }
}

/** A budget is a statement about the shopper, whatever else is asked with it. */
const budgetOf = ({ statements }: Ask): Pinned['limits'] =>
  statements?.budgetYen === undefined ? {} : { priceYenMax: statements.budgetYen }

function limitsOf({ status, priceYenMax, priceYenMin, forChildren }: Filters): Pinned['limits'] {
  return {
    ...(status === undefined ? {} : { status }),
    ...(priceYenMax === undefined ? {} : { priceYenMax }),
    ...(priceYenMin === undefined ? {} : { priceYenMin }),
    ...(forChildren === undefined ? {} : { forChildren }),
  }
}

const without = (list: readonly string[], some: readonly string[]): readonly string[] =>
  list.filter((one) => !some.includes(one))

const newest = (before: readonly string[], now: readonly string[]): readonly string[] =>
  [...without(before, now), ...now].slice(-EACH_MAX)

/** The facts as lines of JSON, the most important first. */
export function pinnedLines(pinned: Pinned, shelf: readonly Product[], language: Language): readonly string[] {
  const titles = (ids: readonly string[]) =>
    ids.flatMap((id) => shelf.find((product) => product.id === id)?.title[language] ?? [])
  const owns = pinned.owned.flatMap(({ id, volumes }) =>
    titles([id]).map((title) => ({ title, ...(volumes === undefined ? {} : { volumes: written(volumes) }) })),
  )
  const labels = pinned.avoided.map((key) => (GENRES[key] ?? MOODS[key])?.label[language] ?? key)
  const avoids = [...labels, ...pinned.avoidedAuthors]
  const { status, priceYenMax, priceYenMin, forChildren } = pinned.limits
  const { disliked, liked, named } = pinned
  const lists = { dislikes: titles(disliked), likes: titles(liked), owns, askedAbout: titles(named) }
  return [
    ...(avoids.length === 0 ? [] : [{ avoids }]),
    ...(priceYenMax === undefined ? [] : [{ yenPerVolumeMax: priceYenMax }]),
    ...(priceYenMin === undefined ? [] : [{ yenPerVolumeMin: priceYenMin }]),
    ...(status === undefined ? [] : [{ wantsOnly: status }]),
    ...(forChildren === undefined ? [] : [{ forChildren }]),
    ...Object.entries(lists).flatMap(([name, list]) => (list.length === 0 ? [] : [{ [name]: list }])),
  ].map((fact) => JSON.stringify(fact))
}

const written = (volumes: NonNullable<Owned['volumes']>): string =>
  volumes === 'all' ? volumes : volumes.from === volumes.to ? `${volumes.from}` : `${volumes.from}-${volumes.to}`
