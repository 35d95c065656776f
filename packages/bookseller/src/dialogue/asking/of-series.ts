// Questions about series that were taken for wishes: "is X finished?", "isn't that one violent?". They state no wish, and are
// answered for the series that they name or point at.
import type { Act, AskedFact, Reading, Role } from '../../understanding/reading.ts'
import { factsIn } from '../asked-facts.ts'
import { affordingIn } from '../money/affording.ts'
import { amountsIn } from '../money/amounts.ts'
import { isTogether } from '../money/summing.ts'
import { withinIn } from '../money/within.ts'
import { measureNamed } from '../referring/choice.ts'
import { takes } from '../referring/descriptions.ts'
import type { DialogueState } from '../state.ts'
import { namesOnly } from './ellipsis.ts'
import { aspectsAsked, isFitQuestion, isQuestion } from './fit-question.ts'
import { supposedIn } from './supposed.ts'

const GUESSED: ReadonlySet<Act> = new Set([
  'recommend',
  'tell',
  'find',
  'title',
  'unclear',
  'choose',
  'yes',
  'no',
  'thanks',
])
/** Facts whose words never express a wish. */
const EXACT: ReadonlySet<AskedFact> = new Set([
  'total',
  'price',
  'status',
  'volumes',
  'stock',
  'author',
  'year',
  'release',
])
/** Words after which a named series is an example of what is wanted. */
const LIKENESS =
  /みたい|ような|似た|似て|っぽい|系の|ふう|好き|次(?:に|は|なに|何)|ほか|他に|\blike\b|similar|\bfans?\b|\bafter\b|\bloved\b|\benjoyed\b|\belse\b|\bother\b|\bnext\b|\binstead\b/iu

/** Below this a wish is a guess. */
const GUESS_MAX = 0.6
/** Words of a wish that wish nothing. */
const GENERIC = /^(?:お?(?:話|はなし)|漫画|マンガ|本|作品|もの|やつ|stor(?:y|ies)|books?|manga|series|comics?)$/iu
const STORY =
  /どん(?:な|なふうな)\s*お?(?:話|はなし|物語)|どのような\s*お?(?:話|物語|作品)|どう(?:い|ゆ)う\s*お?(?:話|はなし|物語|作品|漫画)|what(?:'s|s| is| was)? (?:it|that|this|they|the \w+(?: one)?) about|what (?:actually )?happens/iu
/** Facts that are not asked of a series that was read: it was taken for one. */
const UNREAD: ReadonlySet<AskedFact> = new Set(['total', 'price', 'stock', 'synopsis', 'age', 'content'])

export function asSeriesQuestion(reading: Reading, message: string, state: DialogueState): Reading {
  const { act, series, changes, want, limits } = reading
  if (isOfMoney(reading, message, state)) return withoutBudget(asked(reading, true))
  if (isOfReader(reading, message, state)) return asked(reading, true)
  if (isOfMeasured(reading, message, state)) return { ...asked(reading, false), want: [], avoid: [], measures: [] }
  if (isTaken(reading, message)) return { ...reading, act: 'choose', sureness: 1 }
  // "The other one?" asks about it, and chooses nothing yet.
  if (act === 'choose' && /[?？]\s*$/u.test(message) && namesOnly(reading, message)) return { ...reading, act: 'title' }
  if (act === 'faq' && isOfThis(message, state)) return asked(reading, false)
  if (!GUESSED.has(act) || changes.length > 0 || !isQuestion(message)) return reading
  const isNamed = series.some(({ id }) => id !== undefined)
  const isKnown = isNamed || state.focus.length + state.list.length > 0
  const facts = factsIn(message)
  const isFit =
    isKnown &&
    isFitQuestion(reading, message) &&
    (facts.length > 0 || aspectsAsked(reading, message).length > 0 || (isNamed && limits.age !== undefined))
  const asksExactly = facts.some((fact) => EXACT.has(fact)) || STORY.test(message)
  const isFact = isNamed && asksExactly && want.every(({ text }) => GENERIC.test(text)) && !LIKENESS.test(message)
  const isDescribed = series.some(({ id, role }) => id !== undefined && role === 'title')
  if (
    !isFit &&
    !isFact &&
    act === 'recommend' &&
    isDescribed &&
    reading.sureness < GUESS_MAX &&
    !LIKENESS.test(message)
  )
    return facts.length > 0 ? asked(reading, false) : { ...reading, act: 'title' }
  if (!isFit && !isFact && !(act === 'title' && isNamed && facts.length > 0)) return reading
  return asked(
    reading,
    facts.some((fact) => UNREAD.has(fact)),
  )
}

/** "Would 5000 cover it?": an amount that the price of series is compared with. */
function isOfMoney(reading: Reading, message: string, { focus, list, page, conditions }: DialogueState): boolean {
  if (OF_SERVICE.has(reading.act) || reading.changes.length > 0 || reading.plot !== '') return false
  const budget = conditions.limits.totalYenMax
  const isAmount = withinIn(message, budget) !== undefined || affordingIn(message, budget) !== undefined
  if (!isAmount || LIKENESS.test(message)) return false
  const isNamed = reading.series.some(({ id }) => id !== undefined) || reading.referents.length > 0
  const isTalked = focus.length > 0 || (page !== undefined && list.length === 0)
  if (isNamed) return true
  const isWish = WISHING.has(reading.act) || reading.want.length > 0
  return !isWish && (isTogether(message) ? list.length + focus.length > 1 : isTalked)
}

/** 「短い方、対象年齢は？」: a fact of one of those that were shown. */
function isOfMeasured({ act, series, changes }: Reading, message: string, { list }: DialogueState): boolean {
  if (act !== 'recommend' || changes.length > 0 || list.length < 2 || series.length > 0 || ELSE.test(message))
    return false
  return isQuestion(message) && measureNamed(message) !== undefined && factsIn(message).length > 0
}

/** "I'll get the space one, thank you!": a choice beside thanks, of what was shown or is named. */
function isTaken({ act, series, referents }: Reading, message: string): boolean {
  const isOne = series.some(({ role, id }) => role === 'title' && id !== undefined) || referents.length > 0
  return POLITE.has(act) && isOne && takes(message) && !isQuestion(message)
}
const POLITE: ReadonlySet<Act> = new Set(['thanks', 'bye'])

/** 「6歳の息子と読めますか」 after a series: whether that reader may read it. */
function isOfReader(reading: Reading, message: string, { focus, list, page }: DialogueState): boolean {
  const { act, changes, want, avoid, plot, limits, audience, series } = reading
  if (!GUESSED.has(act) || changes.length + want.length + avoid.length > 0 || plot !== '') return false
  if ((limits.age ?? audience) === undefined && !CHILD.test(message)) return false
  if (!isQuestion(message) || ELSE.test(message)) return false
  const isTalked = focus.length > 0 || (page !== undefined && list.length === 0)
  return (isTalked || series.some(({ id }) => id !== undefined)) && supposedIn(message).includes('suitable')
}

const CHILD = /子|息子|娘|孫|\b(?:kids?|child(?:ren)?|sons?|daughters?|toddlers?|teens?)\b/iu
/** Words of a wish for a series that is not named. */
const ELSE =
  /もの|やつ|のは|何か|なにか|あり(?:ます|ませ)|ある(?:か|[?？])|ない(?:か|[?？]|です)|おすすめ|\b(?:something|anything|any|what|which|ones?|recommend|suggest|some)\b/iu

const WISHING: ReadonlySet<Act> = new Set(['recommend', 'find', 'tell'])
const OF_SERVICE: ReadonlySet<Act> = new Set(['order', 'complaint', 'person', 'identity', 'abuse', 'greet', 'bye'])

function withoutBudget(reading: Reading): Reading {
  const { totalYenMax: _, volumeYenMax: __, volumeYenMin: ___, ...limits } = reading.limits
  return { ...reading, limits }
}

/** "Do you have this one in stock?" is no question to the shop. */
const isOfThis = (message: string, { focus, page }: DialogueState): boolean =>
  (focus.length > 0 || page !== undefined) &&
  factsIn(message).some((fact) => fact === 'stock' || fact === 'total' || fact === 'volumes' || fact === 'status') &&
  /これ|それ|この(?:作品|漫画|本)|\b(?:this one|that one|it|this)\b/iu.test(message)

/** The series that the message names are what it asks about. */
function asked(reading: Reading, isUnread: boolean): Reading {
  const isAsked = (role: Role) => role === 'like' || role === 'hate' || (role === 'read' && isUnread)
  return {
    ...reading,
    act: 'fact',
    sureness: 1,
    series: reading.series.map((one) => (isAsked(one.role) ? { ...one, role: 'title' as const } : one)),
    spans: reading.spans.map((span) => (isAsked(span.role) ? { ...span, role: 'title' as const } : span)),
  }
}

/** "Volumes 1 to 5, how much?" is an amount, and no limit of length. */
export function withoutAmounts(reading: Reading, message: string): Reading {
  const { volumesMax, volumesMin, ...limits } = reading.limits
  if ((volumesMax ?? volumesMin) === undefined) return reading
  const isAmount = MONEY.test(message) && amountsIn(message).some(({ from }) => from !== undefined)
  return isAmount ? { ...reading, limits } : reading
}

const MONEY = /いくら|なんぼ|何円|how much|\bcosts?\b|\bprice|come to/iu
