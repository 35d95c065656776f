// What the references of a message mean, after what was shown: places are exact numbers, a description is matched with what
// is known of the series of the conversation, and a word that refers to nothing is no reference.
import type { Act, NamedSeries, Reading, Referent, Role, Span } from '../../understanding/reading.ts'
import { factsIn } from '../asked-facts.ts'
import { amountsIn } from '../money/amounts.ts'
import type { DialogueState } from '../state.ts'
import { descriptionsIn } from './descriptions.ts'
import { olderListIn } from './older-lists.ts'
import { atPlace, placesIn } from './positions.ts'
import type { Place } from './positions.ts'
import type { Recall } from './recall.ts'

/** Acts that may be about series that were shown. */
const ABOUT_SHOWN: ReadonlySet<Act> = new Set([
  'fact',
  'compare',
  'why',
  'choose',
  'buy',
  'title',
  'author',
  'yes',
  'no',
  'recommend',
  'tell',
  'faq',
  'unclear',
  'thanks',
])

const PRONOUN =
  /これ|それ|あれ|こちら|そちら|あちら|この|その|あの|こいつ|そいつ|どれ|やつ|同じ|\b(?:its?|it's|this|that|these|those|they|them|their|one|ones|same)\b/iu
const PLURAL =
  /全|すべ|みんな|どれ|ぞれ|各|中(?:で|の|から)|うち|いずれ|\b(?:all|any|them|they|these|those|which|three|four|every|everything|each|list)\b|\d/iu
const PLACED: ReadonlySet<Referent> = new Set(['1', '2', '3', '4', 'last'])

export function resolved(
  reading: Reading,
  message: string,
  { state, recall }: { readonly state: DialogueState; readonly recall: Recall },
): Reading {
  if (state.seen.length === 0 && state.page === undefined) return reading
  if (!ABOUT_SHOWN.has(reading.act)) return reading
  const text = message.normalize('NFKC')
  const described = withDescribed(withBoth(reading, text, state), text, { state, recall })
  return withPronoun(withEarlier(withPlaces(described, text, state), text, state), text, state)
}

/** "Both" is said in exact words, whatever it was taken for. */
function withBoth(reading: Reading, text: string, { talked, list, focus }: DialogueState): Reading {
  const found = BOTH.exec(text)
  const isNamed = reading.series.some(({ id }) => id !== undefined)
  const areTwo = talked.length > 1 || focus.length > 1 || list.length === 2
  if (found === null || isNamed || !areTwo || !TAKES.has(reading.act) || reading.referents.length > 0) return reading
  const [words] = found
  const span: Span = { role: 'ref:both', text: words, from: found.index, to: found.index + words.length }
  const isFree = ({ from, to }: Span) => to <= span.from || span.to <= from
  const names = reading.spans.filter((one) => !isFree(one)).map((one) => one.text)
  return {
    ...reading,
    referents: ['both'],
    spans: [...reading.spans.filter(isFree), span],
    series: reading.series.filter(({ text: name }) => !names.includes(name)),
  }
}
const BOTH = /両方(?:とも)?|どちらも|二作とも|2作とも|\bboth\b/iu
const TAKES: ReadonlySet<Act> = new Set(['buy', 'choose'])

/** "The earlier one": the one that was talked about before. */
const EARLIER = /\bthe (?:earlier|previous|one before)(?: one)?\b|(?:その|ひとつ|一つ|1つ)前の(?:ほう|方|やつ|作品)?/iu

function withEarlier(reading: Reading, text: string, { talked }: DialogueState): Reading {
  const found = EARLIER.exec(text)
  const isNamed = reading.series.some(({ role, id }) => role === 'title' && id !== undefined)
  if (found === null || talked.length < 2 || isNamed || reading.referents.includes('other')) return reading
  const [words] = found
  const span: Span = { role: 'ref:other', text: words, from: found.index, to: found.index + words.length }
  return { ...reading, referents: [...reading.referents, 'other'], spans: [...reading.spans, span] }
}

/** Numbers that are stated replace those that were judged. */
function withPlaces(reading: Reading, text: string, state: DialogueState): Reading {
  const places = placesIn(text).filter((place) => !isOfVolumes(place, text, state))
  const isDescribed = reading.series.some(({ role, id }) => role === 'title' && id !== undefined)
  const older = isDescribed && places.length === 0 ? undefined : olderListIn(text, places, state)
  const lists = older === undefined ? state.shown.map(({ ids }) => ids) : [older.ids]
  const meant = (older !== undefined && places.length === 0 ? [older.place] : places).flatMap((place) => {
    const id = atPlace(place.at, lists)
    return id === undefined ? [] : [{ place, id }]
  })
  const isListed = (place: Place, id: string) => older === undefined && place.at > 0 && state.list[place.at - 1] === id
  const referents: readonly Referent[] = [
    ...reading.referents.filter((referent) => !PLACED.has(referent)),
    ...meant.flatMap(({ place, id }) => {
      if (isListed(place, id) && place.at <= 4) return [`${place.at}` as Referent]
      return older === undefined && place.at === -1 && state.list.at(-1) === id ? (['last'] as const) : []
    }),
  ]
  const kept: readonly string[] = referents
  const named = meant.filter(
    ({ place }) => !kept.includes(String(place.at)) && !(place.at === -1 && kept.includes('last')),
  )
  const spans = reading.spans.filter(({ role }) => !role.startsWith('ref:') || !PLACED.has(role.slice(4) as Referent))
  return withNamed(
    {
      ...reading,
      referents: [...new Set(referents)],
      spans: [...spans, ...meant.map(({ place }) => spanOf(place, text))],
    },
    named.map(({ place, id }) => ({ id, span: spanOf(place, text, 'title') })),
  )
}

/** "Can I just buy the first 3?" of the one series that was just talked about: volumes of it. */
const isOfVolumes = ({ from, to }: Place, text: string, { previous, focus }: DialogueState): boolean =>
  previous === 'one' &&
  focus.length === 1 &&
  amountsIn(text).some(({ start, end, isBare }) => isBare === true && start < to && from < end)

const spanOf = ({ at, from, to }: Place, text: string, role?: Role): Span => ({
  role: role ?? (at === -1 ? 'ref:last' : (`ref:${Math.min(4, Math.max(1, at))}` as Role)),
  text: text.slice(from, to),
  from,
  to,
})

/** Descriptions of series of the conversation become names of them. */
function withDescribed(
  reading: Reading,
  text: string,
  { state, recall }: { readonly state: DialogueState; readonly recall: Recall },
): Reading {
  const pool = [...new Set([...state.focus, ...state.list, ...state.seen])]
  const places = placesIn(text)
  const isPlace = (span: Span) => places.some(({ from, to }) => from < span.to && span.from < to)
  const described = descriptionsIn(reading, text).filter((span) => !isPlace(span))
  const found = described.flatMap(({ isBare, ...span }) => {
    const id = recall(span.text, pool, isBare === true ? 'exactly' : 'well')
    return id === undefined ? [] : [{ id, span: { ...span, role: 'title' as const } }]
  })
  return withNamed(reading, found)
}

interface Found {
  readonly id: string
  readonly span: Span
}

/** Removes other roles from the words of a resolved name: they are no wish, no dislike and no plot. */
function withNamed(reading: Reading, found: readonly Found[]): Reading {
  if (found.length === 0) return reading
  const covers = (span: Span) => found.some((one) => one.span.from < span.to && span.from < one.span.to)
  const gone = reading.spans.filter(covers)
  const isGone = ({ text }: { readonly text: string }) => gone.some((span) => span.text === text)
  const spans = [...reading.spans.filter((span) => !covers(span)), ...found.map(({ span }) => span)]
  const left = new Set(spans.map(({ role }) => role))
  const named = found.map(({ id, span }): NamedSeries => ({ role: 'title', text: span.text, id }))
  const known = reading.series.filter((one) => one.id !== undefined || !isGone(one))
  return {
    ...reading,
    spans: spans.toSorted((a, b) => a.from - b.from),
    series: [...known, ...named.filter(({ id }) => !known.some((one) => one.id === id && one.role === 'title'))],
    referents: reading.referents.filter((referent) => left.has(`ref:${referent}`)),
    want: reading.want.filter((aspect) => !isGone(aspect)),
    avoid: reading.avoid.filter((aspect) => !isGone(aspect)),
    plot: spans
      .filter(({ role }) => role === 'plot')
      .map((span) => span.text)
      .join(' '),
  }
}

/** Keeps a reference only if its word is really a pronoun for one series. After a name a pronoun means that name. */
function withPronoun(reading: Reading, text: string, state: DialogueState): Reading {
  const titles = reading.spans.filter(({ role }) => role === 'title')
  const referents = reading.referents.flatMap((referent): readonly Referent[] => {
    const spans = reading.spans.filter(({ role }) => role === `ref:${referent}`)
    if (spans.length === 0) return [referent]
    if (referent === 'all') return spans.some((span) => PLURAL.test(span.text)) ? ['all'] : ['it']
    if (referent !== 'it') return [referent]
    if (spans.some(({ from }) => text.startsWith('それぞれ', from))) return ['all']
    const pronouns = spans.filter((span) => PRONOUN.test(span.text))
    const isName = (span: Span) => titles.some(({ to }) => to <= span.from) && !isAdded(text, span)
    return pronouns.some((span) => !isName(span)) ? ['it'] : []
  })
  const isOpen =
    referents.length === 0 && reading.series.length === 0 && state.focus.length === 0 && state.list.length > 1
  const isNone = referents.length === 0 && reading.series.length === 0
  if (isNone && THEY.test(text) && ABOUT_THEM.has(reading.act)) return { ...reading, referents: ['both'] }
  return {
    ...reading,
    referents: isOpen && ONE.test(text) && asksOfOne(reading, text) ? ['it'] : [...new Set(referents)],
  }
}

const THEY =
  /その(?:二|2|ふた)つ|(?:二|2|ふた)つとも|両方|どちらも|\bthey(?:'re|'ve| both)?\b|\bthe two\b|\bthose two\b|\bboth\b(?! (?:volumes|books))/iu
const ABOUT_THEM: ReadonlySet<Act> = new Set(['fact', 'compare', 'buy', 'choose', 'why'])

/** Whether a pronoun, without a series that is talked about, means the first of the list. */
const asksOfOne = ({ act }: Reading, text: string): boolean =>
  act === 'buy' || act === 'choose' || ((act === 'fact' || act === 'title') && factsIn(text).length > 0)
const ONE =
  /(?:これ|それ|あれ)(?!で|から|と[、も]|ぞれ|なら|じゃ|では|まで|ら)|\b(?:it|this one|that one|this|that)\b(?! (?:many|much))/iu

/** "X and that one": the pronoun is another series. */
const isAdded = (text: string, { from }: Span): boolean =>
  /(?:と|や|\band|\bplus|\bwith|\bor|&|\+)\s*$/iu.test(text.slice(0, from))
