// The words of a message that may describe a series instead of naming it: "the bookshop one", 「静かなほう」, and what was
// judged to be a plot, a wish or an unknown title in a message about what was shown.
import type { Act, Reading, Role, Span } from '../../understanding/reading.ts'
import { detectLanguage } from '../../text/language.ts'
import { factsIn } from '../asked-facts.ts'

const NOUN = '(?:ones?|books?|series|manga|story|comics?|title)'
const ENGLISH: readonly RegExp[] = [
  // "the one with the white lion", "that one about wine"
  new RegExp(
    `\\b(?:the|that)\\s+${NOUN}\\s+(?:with|about|where|on|in|featuring|who|whose|set|that(?:'s| is| has)?(?: about)?)\\s+([^,.?!;:]{3,60})`,
    'giu',
  ),
  // "the space junk one"
  new RegExp(`(?:\\b(?:the|that|your)\\s+|^|[+&,]\\s*|\\band\\s+)((?:[\\p{L}\\d'’-]+\\s+){1,4}?)${NOUN}\\b`, 'giu'),
]
/** "leave the judo out", "the princess as well": weaker, because any noun may stand so. */
const ENGLISH_BARE = /\b(?:the|that)\s+([a-z'’-]{3,}(?:\s+[a-z'’-]{3,})?)/giu
const JAPANESE =
  /([^、。！？!?\s「」『』]{2,30}?)(?:の|な|い|った|てる|ている)?(?:ほう|方|やつ|ヤツ|話|はなし|漫画|マンガ|作品)(?=[はがをもにでのと、。！？!?\s]|って|から|だけ|$)/gu

/** Roles that a description may have been taken for. */
const MISTAKEN: ReadonlySet<Role> = new Set(['plot', 'title', 'ref:1', 'ref:2', 'ref:3', 'ref:4', 'ref:it', 'ref:last'])
/** Acts in which a wish or a plot is a description of something shown. */
const ABOUT: ReadonlySet<Act> = new Set(['fact', 'compare', 'why', 'choose', 'buy', 'title', 'yes', 'no'])
const MONEY = /いくら|合計|円|how much|\bcosts?\b|in total|altogether|\bprice/iu
const POINTS = /ほう|方|やつ|\bone\b|\bones\b/iu
const PRONOUN =
  /^(?:これ|それ|あれ|この|その|あの|ここ|そこ|どれ|どの|どっち|どちら|it|this|that|the|one|which)[はがをもの]?$/iu

export interface Description extends Span {
  /** The description has no marker such as "the … one", so all of its words must belong to the series. */
  readonly isBare?: true
}

const TAKES =
  /(?:に(?:し(?:ます|よう|とく|てく)|する|決め)|買(?:います|う(?![とかの])|おう)|もらいます|いただきます|お願いします)|\b(?:i['’]?ll|i will|i['’]?d|let me|gonna|i) (?:just )?(?:take|get|buy|have|go (?:with|for)|order|grab|pick)\b/iu

/** Whether the words choose something to buy: "I'll get the space one, thanks". */
export const takes = (text: string): boolean => TAKES.test(text)

/** Below this the act is a guess, and the message may be about something shown. */
const SURE_MIN = 0.6

export function descriptionsIn(reading: Reading, text: string): readonly Description[] {
  const isAbout = ABOUT.has(reading.act) || takes(text)
  if (!isAbout && reading.sureness >= SURE_MIN && !MONEY.test(text)) return []
  const named = reading.spans.filter(({ role }) => role === 'title' && isNamed(reading, role))
  const found: readonly Description[] = [
    ...(detectLanguage(text) === 'ja' ? matches(text, JAPANESE) : ENGLISH.flatMap((pattern) => matches(text, pattern))),
    ...(isAbout ? reading.spans.filter((span) => isMistaken(reading, span)) : []),
    ...(detectLanguage(text) === 'en'
      ? matches(text, ENGLISH_BARE).map((span) => ({ ...span, isBare: true as const }))
      : []),
  ]
  return found
    .filter((span) => !PRONOUN.test(span.text.trim()) && factsIn(span.text).length === 0)
    .filter((span) => !isOfList(text, span))
    .filter((span) => !named.some((name) => name.from < span.to && span.from < name.to))
    .filter((span, index, all) => !all.slice(0, index).some((other) => other.from < span.to && span.from < other.to))
}

/** 「静かなほうの2つ目」, "the second of the quiet ones": it describes the list, not a series. */
const isOfList = (text: string, { from, to }: Span): boolean =>
  /^[^、。]{0,3}(?:ほう|方|やつ)の\s*(?:\d|[一二三四]|最)/u.test(text.slice(to)) ||
  /\b(?:first|second|third|last|\d\w\w)(?: one)? (?:of|from|in)(?: the| those)?\s*$/iu.test(text.slice(0, from))

const isNamed = ({ series }: Reading, role: Role): boolean =>
  role === 'title' && series.some(({ id }) => id !== undefined)

function isMistaken({ series }: Reading, span: Span): boolean {
  if (!MISTAKEN.has(span.role)) return (span.role === 'want' || span.role === 'avoid') && POINTS.test(span.text)
  return span.role !== 'title' || series.some(({ id, text }) => id === undefined && text === span.text)
}

/** A description begins after the last word that describes nothing: "what was the hand one" is "hand". */
const PREFIX =
  /^.*\b(?:the|that|a|an|is|was|are|were|what|which|do|did|does|done|of|for|and|with|same|other|guy|just|only|this|your|then|how|who|or|if|take|get|not)\s+/iu

function matches(text: string, pattern: RegExp): readonly Span[] {
  return [...text.matchAll(pattern)].flatMap((match): readonly Span[] => {
    const whole = match[1] ?? ''
    const words = pattern === ENGLISH[0] ? whole : whole.replace(PREFIX, '')
    const from = (match.index ?? 0) + match[0].indexOf(whole) + whole.length - words.length
    return words.trim() === '' ? [] : [{ role: 'title', text: words.trim(), from, to: from + words.length }]
  })
}
