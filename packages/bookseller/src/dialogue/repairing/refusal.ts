// Series that a message refuses: 「少女ファイトは要りません」, "not Kimba", "skip the first one". They are not what it asks about, and are
// not suggested again.
import type { Act, NamedSeries, Reading, Referent } from '../../understanding/reading.ts'
import { hasWish } from '../act.ts'
import { isQuestion } from '../asking/fit-question.ts'
import { referred } from '../referring/referred.ts'
import type { DialogueState } from '../state.ts'
import type { Sentence } from '../understood.ts'

const REFUSED_AFTER =
  /^[」』"'”’]?\s*(?:(?:は|も|って|とか|なんか|なんて)\s*(?:もう|ちょっと|ぜんぜん|全然)?\s*(?:要ら|いら|要り|いりま|結構|けっこう|興味(?:は|が|も)?(?:な|あり)|パス|却下|さっき|外し|除い|抜い|やめ(?:と|て|ま|る))|やめ(?:て|と|$|[、。,])|以外|抜きで|,? again\s*[?!.]|(?:'s|’s)? (?:is not|isn['’]t|not|was not|wasn['’]t) (?:for (?:me|us|him|her|them)|my (?:thing|taste|cup))\b|,? (?:no thanks|no thank you))/iu
const REFUSED_BEFORE =
  /(?:^|[\s,.!?])(?:not|no more|skip|forget(?: about)?|drop|without|except(?: for)?|anything but|other than|besides|(?:do not|don['’]t|didn['’]t) (?:want|need|fancy|like)|never mind|no thanks to)\s+(?:the\s+)?["'“‘「『]?$/iu

/** Whether the words around it refuse what stands from `from` to `to`. */
const isRefused = (text: string, from: number, to: number): boolean =>
  from >= 0 && (REFUSED_AFTER.test(text.slice(to)) || REFUSED_BEFORE.test(text.slice(0, from)))

export function withRefusals(
  reading: Reading,
  {
    message,
    sentences,
    state,
  }: { readonly message: string; readonly sentences: readonly Sentence[]; readonly state: DialogueState },
): Reading {
  const text = message.normalize('NFKC')
  const isHated = ({ role, text: name, id }: NamedSeries): boolean => {
    if (id === undefined || role === 'hate') return false
    const from = text.indexOf(name)
    if (isRefused(text, from, from + name.length)) return true
    return role === 'title' && sentences.some(({ reading: own }) => hates(own, id))
  }
  const refused = reading.series.filter(isHated)
  const places = reading.spans.filter(
    ({ role, from, to }) => role.startsWith('ref:') && isRefused(text, from, to) && role !== 'ref:it',
  )
  if (refused.length + places.length === 0) return reading
  const pointed = places.flatMap((span) => {
    const referents = [span.role.slice('ref:'.length) as Referent]
    return referred({ series: [], referents }, state).map((id): NamedSeries => ({ role: 'hate', text: span.text, id }))
  })
  const gone = new Set(places.map(({ role }) => role.slice('ref:'.length)))
  const series = [
    ...reading.series.map((one): NamedSeries => (refused.includes(one) ? { ...one, role: 'hate' } : one)),
    ...pointed,
  ]
  const left = {
    ...reading,
    series,
    spans: reading.spans.filter((span) => !places.includes(span)),
    referents: reading.referents.filter((referent) => !gone.has(referent)),
  }
  const act = actLeft(left)
  // A refused series is not asked about: a question for its stock becomes a condition for the others.
  if (act !== 'recommend' || reading.act === 'recommend') return { ...left, act }
  const { faq: _, ...rest } = left
  return { ...rest, act, facts: [] }
}

const IN_STOCK =
  /\b(?:in stock|available (?:now|right now|today))\b|在庫(?:が|の|も|に)?\s*(?:ある|あり|有)|今(?:すぐ)?(?:あ|買え|手に入)る/iu
const NOT_IN_STOCK = /\b(?:not|n['’]t|why|when|back|if) (?:\w+ ){0,3}in stock|在庫(?:が|の|も|に)?あり(?:ま|ません)/iu

/** A wish for what is in stock says so in exact words. */
export function withStock(reading: Reading, message: string): Reading {
  const isStated = reading.act === 'recommend' && IN_STOCK.test(message) && !NOT_IN_STOCK.test(message)
  return isStated ? { ...reading, limits: { ...reading.limits, inStock: true } } : reading
}

/** The series that are surely refused: by exact words, or in a sentence of their own. */
export function refusedIn(
  { series }: Reading,
  message: string,
  sentences: readonly Sentence[],
): readonly NamedSeries[] {
  const text = message.normalize('NFKC')
  return series.filter(({ role, text: name, id }) => {
    if (role !== 'hate' || id === undefined) return false
    const from = text.indexOf(name)
    return (
      isRefused(text, from, from + name.length) ||
      sentences.some(({ reading, words }) => hates(reading, id) && !isQuestion(words))
    )
  })
}

/** The reading, and what was shown, without the series that are refused: nothing is asked about them. */
export function withoutRefused(reading: Reading, refused: readonly NamedSeries[]): Reading {
  return refused.length === 0 ? reading : { ...reading, series: reading.series.filter((one) => !refused.includes(one)) }
}

export function withoutShown(state: DialogueState, refused: readonly NamedSeries[]): DialogueState {
  if (refused.length === 0) return state
  const left = (ids: readonly string[]) => ids.filter((own) => !refused.some(({ id }) => id === own))
  return { ...state, list: left(state.list), focus: left(state.focus), talked: left(state.talked) }
}

const hates = ({ series }: Reading, id: string): boolean =>
  series.some((named) => named.id === id && named.role === 'hate')

/** Acts about series; without one they are a refusal, or the wish beside it. */
const OF_SERIES: ReadonlySet<Act> = new Set(['title', 'fact', 'compare', 'choose', 'buy', 'why', 'complaint', 'author'])

function actLeft(reading: Reading): Act {
  const { act, series, referents, facts, measures, changes, by } = reading
  const isLeft = referents.length > 0 || series.some(({ role }) => role === 'title')
  if (!OF_SERIES.has(act) || isLeft || by.length > 0) return act
  if (act === 'author') return 'recommend'
  if (hasWish(reading) || changes.length + measures.length > 0) return 'recommend'
  return facts.length > 0 || reading.faq?.isAsked === true ? act : 'no'
}
