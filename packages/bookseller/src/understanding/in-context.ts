// Joins an Ask with the earlier turns: "the second one" becomes a series, 「もっと短いのは？」 becomes the last wish with
// a limit. Stateless: the past is the stored questions and the products that were shown with their answers.
import type { Product } from '../catalogue/catalogue.ts'
import { isEmptyWish } from './ask.ts'
import type { Ask, Filters, Wish } from './ask.ts'

/** An earlier turn; in lists the newest is last. */
export interface PastTurn {
  readonly ask: Ask
  readonly shown: readonly Product[]
}

export interface AskInContext extends Ask {
  /** Ids of series that must not be shown. */
  readonly exclude: readonly string[]
  /** The question is only understood with an earlier one. */
  readonly followsUp: boolean
}

export function inContext(ask: Ask, past: readonly PastTurn[]): AskInContext {
  const shown = lastShown(past)
  const exclude = ask.disliked ?? []
  if (ask.reference !== undefined && ask.mentioned.length === 0 && ask.kind !== 'refine') {
    const referred = referredTo(ask.reference, past)
    if (referred.length > 0)
      return { ...ask, mentioned: referred.map((product) => product.id), exclude, followsUp: true }
    // When nothing was shown, "the longest" is the longest of the catalogue.
    if (ask.most !== undefined && ask.reference.kind === 'all' && shown.length === 0)
      return { ...ask, kind: 'recommend', exclude, followsUp: false }
    // The reference has no target: asking what is meant is better than saying that we do not have it.
    if (isAboutShown(ask)) return { ...ask, kind: 'unknown', exclude: [], followsUp: false }
  }
  const base = past.findLast(
    (turn) => turn.ask.kind === 'like' || turn.ask.kind === 'recommend' || turn.ask.kind === 'refine',
  )
  if (base !== undefined && refinesEarlier(ask)) return refined(ask, base.ask, past)
  if (ask.kind === 'refine') return { ...ask, kind: 'recommend', exclude, followsUp: false }
  return { ...ask, exclude, followsUp: false }
}

const isAboutShown = ({ kind }: Ask): boolean =>
  kind === 'price' || kind === 'about' || kind === 'compare' || kind === 'like'

/** The kind is `refine`, or the message is only a wish: "something lighter" after a list means lighter than those. */
function refinesEarlier(ask: Ask): boolean {
  if (ask.kind === 'refine') return true
  return (
    ask.kind === 'recommend' &&
    ask.mentioned.length === 0 &&
    ask.wish.genres.length === 0 &&
    !isEmptyWish(ask.wish) &&
    ask.bare === true
  )
}

function referredTo(reference: NonNullable<Ask['reference']>, past: readonly PastTurn[]): readonly Product[] {
  const shown = lastShown(past)
  if (reference.kind === 'all') return shown
  if (reference.kind === 'it') return shown.slice(0, 1)
  // An ordinal counts in the last list: turns about a single series since then do not matter.
  const listed = past.findLast((turn) => turn.shown.length > 1)?.shown ?? shown
  const product = listed.at(reference.index)
  return product === undefined ? [] : [product]
}

function lastShown(past: readonly PastTurn[]): readonly Product[] {
  return past.findLast((turn) => turn.shown.length > 0)?.shown ?? []
}

function refined(ask: Ask, base: Ask, past: readonly PastTurn[]): AskInContext {
  const wish: Wish = {
    genres: union(base.wish.genres, ask.wish.genres),
    moods: union(withoutOpposites(base.wish.moods, ask.wish.moods), ask.wish.moods),
    avoid: union(base.wish.avoid, ask.wish.avoid),
    avoidAuthors: union(base.wish.avoidAuthors ?? [], ask.wish.avoidAuthors ?? []),
    filters: joinFilters(base.wish.filters, { ...ask.wish.filters, ...limitFrom(ask.than, lastShown(past)) }),
  }
  const seen = past.flatMap((turn) => turn.shown.map((product) => product.id))
  return {
    ...ask,
    kind: base.mentioned.length > 0 ? 'like' : 'recommend',
    mentioned: base.mentioned,
    wish,
    ...(base.disliked === undefined ? {} : { disliked: base.disliked }),
    // "Others" excludes the series that were shown; "in stock" may mean one of them.
    exclude: [...(base.disliked ?? []), ...(ask.others === true ? seen : [])],
    followsUp: true,
  }
}

/** A new limit for length or price replaces both earlier limits of it: first "short", now "long" does not mean both. */
export function joinFilters(before: Filters, now: Filters): Filters {
  const { volumesMin, volumesMax, priceYenMin, priceYenMax, ...others } = before
  const newLength = now.volumesMin !== undefined || now.volumesMax !== undefined
  const newPrice = now.priceYenMin !== undefined || now.priceYenMax !== undefined
  return {
    ...others,
    ...(newLength || volumesMin === undefined ? {} : { volumesMin }),
    ...(newLength || volumesMax === undefined ? {} : { volumesMax }),
    ...(newPrice || priceYenMin === undefined ? {} : { priceYenMin }),
    ...(newPrice || priceYenMax === undefined ? {} : { priceYenMax }),
    ...now,
  }
}

const OPPOSITES: Readonly<Record<string, readonly string[]>> = {
  light: ['dark', 'gritty', 'sad', 'tense'],
  cosy: ['dark', 'gritty', 'tense', 'thrilling'],
  dark: ['light', 'cosy', 'heartwarming'],
  funny: ['sad', 'dark'],
  sad: ['funny', 'light'],
}

function withoutOpposites(before: readonly string[], now: readonly string[]): readonly string[] {
  const opposed = new Set(now.flatMap((mood) => OPPOSITES[mood] ?? []))
  return before.filter((mood) => !opposed.has(mood))
}

function limitFrom(than: Ask['than'], shown: readonly Product[]): Filters {
  if (than === undefined || shown.length === 0) return {}
  if (than === 'shorter') return { volumesMax: Math.max(1, Math.min(...shown.map((product) => product.volumes)) - 1) }
  if (than === 'longer') return { volumesMin: Math.max(...shown.map((product) => product.volumes)) + 1 }
  if (than === 'dearer') return { priceYenMin: Math.max(...shown.map((product) => product.pricePerVolumeYen)) + 1 }
  return { priceYenMax: Math.max(1, Math.min(...shown.map((product) => product.pricePerVolumeYen)) - 1) }
}

const union = (a: readonly string[], b: readonly string[]): readonly string[] => [...new Set([...a, ...b])]
