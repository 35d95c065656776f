// Messages that put right what was taken to be meant: 「それじゃなくて、1番目のほう」, "I asked about the price, not the story". What they
// name instead is asked about, and what they deny is not.
import type { Act, NamedSeries, Reading, Span } from '../../understanding/reading.ts'
import { hasWish } from '../act.ts'
import { factsIn } from '../asked-facts.ts'
import type { DialogueState } from '../state.ts'
import { isQuestion } from './fit-question.ts'

const DENIED_AFTER = /^\s*(?:の(?:ほう|方|こと|話|やつ))?(?:じゃな|ではな|でなく|とちが|と違)/u
const DENIED_BEFORE = /\b(?:not|instead of|rather than|other than)\s+(?:about\s+)?(?:the\s+)?$/iu
/** Says what was meant. */
const MEANT =
  /聞い|訊い|きいた|言って|言った|つもり|のこと|ほう|方|\b(?:meant?|mean|asked|asking|talking about|wanted|said|question was)\b/iu
/** A choice that repeats a question: "no, I meant the other one". */
const ASKED = /聞い|訊い|きいた|のこと|\b(?:meant|asked|asking|talking about|question was)\b/iu
const INSTEAD = /じゃなく|ではなく|違|ちが|ちゃう(?!か)|\bnot (?:that|this|it)\b|^no\b/iu
const TAKES = /にし|にする|買|ください|もら|\b(?:take|get|buy|have|go with|order)\b/iu
/** Acts that a correction is taken for. */
const TAKEN_FOR: ReadonlySet<Act> = new Set(['complaint', 'no', 'abuse', 'unclear', 'choose'])

/** Below this an act is a guess. */
const GUESS_MAX = 0.6

const refers = ({ role }: Span): boolean => role === 'title' || role.startsWith('ref:')

function isDenied({ from, to }: Span, text: string): boolean {
  return DENIED_AFTER.test(text.slice(to)) || DENIED_BEFORE.test(text.slice(0, from))
}

/** Without the series that the words deny, where they mean another one. */
export function withoutDenied(reading: Reading, message: string): Reading {
  const text = message.normalize('NFKC')
  const pointing = reading.spans.filter(refers)
  const denied = pointing.filter((span) => isDenied(span, text))
  const left = pointing.filter((span) => !denied.includes(span))
  if (denied.length === 0 || left.length === 0) return reading
  const isLeft = ({ role, text: words }: NamedSeries) => role !== 'title' || !denied.some((span) => span.text === words)
  return {
    ...reading,
    spans: reading.spans.filter((span) => !denied.includes(span)),
    series: reading.series.filter(isLeft),
    referents: reading.referents.filter((referent) => left.some(({ role }) => role === `ref:${referent}`)),
  }
}

const DENIED_WORDS =
  /[^、。!?！？]{1,14}(?:じゃな(?:くて|く|い)|ではな(?:くて|く|い))[、。]?|,?\s*\b(?:not|instead of|rather than)\s+[^,.!?]{1,30}/giu

/** The words without what they deny, where both are facts of a series: "the price, not the story". */
export function withoutDeniedFacts(message: string): string {
  const rest = message.replaceAll(DENIED_WORDS, ' ').trim()
  if (rest === message.trim() || factsIn(rest).length === 0) return message
  const denied = (message.match(DENIED_WORDS) ?? []).join(' ')
  return factsIn(denied).length > 0 ? rest : message
}

/** Whether the message repeats the last question for another fact or another series ("the price, not the story"). */
function isRepeat({ referents, series }: Reading, message: string, { asked }: DialogueState): boolean {
  if (withoutDeniedFacts(message) !== message) return true
  const isOther = referents.length > 0 || series.some(({ id }) => id !== undefined)
  return asked !== undefined && isOther && INSTEAD.test(message) && factsIn(message).length === 0
}

/** The question that a correction asks, if the message is one. */
export function asCorrection(
  reading: Reading,
  { message, original, state }: { readonly message: string; readonly original: Reading; readonly state: DialogueState },
): Reading | undefined {
  const { act, grievances, faq, orderId, changes } = reading
  const isOfAnswer = grievances.every((grievance) => grievance === 'answer') && faq?.isAsked !== true
  // The reading is uncertain where a message denies the shown series and names another one without stating a wish.
  const isGuess = act === 'recommend' && reading !== original && reading.sureness < GUESS_MAX && !hasWish(reading)
  if (act === 'fact' || act === 'title')
    return isRepeat(reading, message, state) ? { ...reading, act: 'fact' } : undefined
  if (!(TAKEN_FOR.has(act) || isGuess) || !isOfAnswer || orderId !== undefined || changes.length > 0) return undefined
  if (state.seen.length === 0 && state.page === undefined) return undefined
  const isRepeated = ASKED.test(message) || (state.asked !== undefined && INSTEAD.test(message) && !TAKES.test(message))
  const isPut = act === 'choose' ? isRepeated : reading !== original || MEANT.test(message) || INSTEAD.test(message)
  const named = reading.series.some(({ role, id }) => role === 'title' && id !== undefined)
  const pointed = reading.referents.some((referent) => referent !== 'it' && referent !== 'all')
  const facts = factsIn(withoutDeniedFacts(message))
  const isFact = facts.length > 0 && act !== 'choose' && (isPut || isQuestion(message))
  if (!(isPut && (named || pointed)) && !isFact) return undefined
  return { ...reading, act: 'fact', sureness: 1, grievances: [] }
}
