// The act of a message: the judged one, or what its exact words ask where the judgement is a guess.
import { detectLanguage } from '../text/language.ts'
import type { Act, AskedFact, Reading } from '../understanding/reading.ts'
import { saysNothing } from './advance.ts'
import { askedFacts, factsIn } from './asked-facts.ts'
import type { DialogueState } from './state.ts'

/** Below this the act is a guess, and what the words contain decides. */
const SURE_MIN = 0.45

const WEAK: ReadonlySet<Act> = new Set(['unclear', 'smalltalk', 'faq', 'greet', 'abuse', 'help', 'thanks', 'bye'])

/** The act, or what the words contain where the act is a guess. */
export function actOf(reading: Reading, state: DialogueState, words: string): Act {
  const { act, otherwise, series, facts, faq } = reading
  // The stock of a series is a fact of it, and no question to the shop.
  if (act === 'faq' && series.some(({ id }) => id !== undefined) && factsIn(words).includes('stock')) return 'fact'
  if (act === 'faq' && faq === undefined) return otherwise === 'faq' ? 'unclear' : otherwise
  if ((faq?.isSure === true || faq?.isAsked === true) && asksShop(reading, state, words)) return 'faq'
  if (reading.sureness < SURE_MIN && isAimless(reading, words)) return 'unclear'
  if (OPENING.has(act) && state.turns === 0 && isGuess(reading)) return 'unclear'
  if (act === 'author' && isWithoutPerson(reading, words)) return 'recommend'
  if (act === 'recommend' && !hasWish(reading)) {
    const asked = askedOfSeries(reading, state, words)
    if (asked !== undefined) return asked
  }
  if (MISTAKEN.has(act) && saysNothing(reading)) return actOfWords(reading, state, words)
  if (act === 'smalltalk' && reading.want.length > 0) return 'recommend'
  if (!WEAK.has(act) || (reading.sureness >= SURE_MIN && act !== 'unclear')) return act
  if (facts.length > 0 && (series.length > 0 || state.list.length > 0)) return 'fact'
  if (series.some(({ role, id }) => role === 'title' && id !== undefined)) return 'title'
  if (hasWish(reading) && act !== 'abuse') return act === 'faq' && faq?.isSure === true ? 'faq' : 'recommend'
  return act
}

/** A guess that other works of someone are asked for, without a word of anyone. */
const isWithoutPerson = (reading: Reading, words: string): boolean =>
  reading.sureness < ASKED_SURE_MIN && !hasNamed(reading) && reading.by.length === 0 && !OF_PEOPLE.test(words)

/** Acts that a message of a few words, such as those of a search box, is mistaken for. */
const OPENING: ReadonlySet<Act> = new Set([
  'greet',
  'smalltalk',
  'abuse',
  'thanks',
  'bye',
  'help',
  'person',
  'tell',
  'yes',
  'no',
] as const)

/** The first words of a conversation that were read as nothing in particular are searched. */
const isGuess = (reading: Reading): boolean =>
  reading.sureness < SURE_MIN && reading.faq?.isSure !== true && !hasWish(reading) && !hasNamed(reading)

/** Whether a message that surely matches the FAQ asks the shop, and not for a series or a fact of one. */
function asksShop(reading: Reading, state: DialogueState, words: string): boolean {
  const { act, otherwise, series, facts, measures, changes, faq } = reading
  if (faq?.isSure === true && OF_SHOP.test(words) && !hasWish(reading)) return true
  const mayAsk = OF_SERIES_TALK.has(act) || (POLITE.has(act) && reading.sureness < SURE_MIN)
  if (faq?.isAsked === true && mayAsk && measures.length + changes.length === 0)
    return !hasWish(reading) && (act !== 'fact' || facts.length === 0) && !factsIn(words).includes('stock')
  if (faq?.isSure !== true) return false
  // "Is this one in stock?" is about what is pointed at.
  if (reading.referents.length > 0) return false
  // 「ワンピースの送料は？」 is about shipping.
  if (series.length > 0)
    return otherwise === 'faq' && (act === 'title' || act === 'fact') && !factsIn(words).includes('stock')
  // "Cheaper?" compares with what was shown, and 「いくら？」 asks about it.
  if (measures.length + changes.length > 0) return false
  const asksFact = facts.length > 0 || factsIn(words).some((fact) => OF_BOOKS.has(fact))
  if (act === 'fact' && asksFact && state.list.length + state.focus.length > 0) return false
  return ASKS_ELSE.has(act) && !hasWish(reading)
}

/** Facts that a shop has none of. */
const OF_BOOKS: ReadonlySet<AskedFact> = new Set(['total', 'status', 'volumes', 'author', 'year', 'synopsis'])
/** Acts that a question to the shop is mistaken for where a series is named or pointed at. */
const OF_SERIES_TALK: ReadonlySet<Act> = new Set(['recommend', 'tell', 'find', 'title', 'fact', 'unclear', 'smalltalk'])
/** These are hardly mistaken; a question beside them is a sentence of its own. */
const POLITE: ReadonlySet<Act> = new Set(['thanks', 'bye', 'greet', 'help', 'yes', 'no'])

/** Words of the shop's service, whatever is talked about. */
const OF_SHOP =
  /送料|配送|配達|返品|返金|支払|領収|包装|ラッピング|ポイント|\b(?:shipping|postage|delivery|refunds?|returns?|gift ?wrap\w*|receipts?|invoices?|payments?)\b/iu

/** Acts that are guessed for anything that is said; without a recognised wish the words decide. */
const MISTAKEN: ReadonlySet<Act> = new Set(['recommend', 'tell', 'find', 'title'])

/** Acts in which a sure match of the FAQ counts more. */
const ASKS_ELSE: ReadonlySet<Act> = new Set([
  'recommend',
  'tell',
  'find',
  'title',
  'fact',
  'choose',
  'unclear',
  'smalltalk',
  'no',
])
/** Words without which other works are simply others. */
const OF_PEOPLE =
  /作者|作家|作画|原作|先生|人|同じ|描|author|artist|writer|creator|mangaka|\bsame\b|guy|person|\bby\b|\bwho\b/iu
const WHICH = /どっち|どちらが|どれが(?:一番|いちばん)|\bwhich (?:one|of|is)\b/iu
const MONEY = /いくら|合計|how much|\bcosts?\b|in total/iu
const POINTED: ReadonlySet<Reading['referents'][number]> = new Set(['1', '2', '3', '4', 'last', 'it', 'other', 'page'])

/** What is asked of series that are named or pointed at, in a message that was taken for a wish without having one. */
function askedOfSeries(reading: Reading, { focus }: DialogueState, words: string): Act | undefined {
  const { series, referents, changes, otherwise, sureness } = reading
  const named = series.filter(({ id }) => id !== undefined).length
  if (named > 1 && WHICH.test(words)) return 'compare'
  if ((named > 0 || referents.length > 0 || focus.length > 0) && MONEY.test(words)) return 'fact'
  if (sureness >= ASKED_SURE_MIN || changes.length > 0 || !referents.some((one) => POINTED.has(one))) return undefined
  return OF_SERIES.has(otherwise) ? otherwise : 'fact'
}

const ASKED_SURE_MIN = 0.6
const OF_SERIES: ReadonlySet<Act> = new Set(['fact', 'title', 'why', 'compare', 'choose', 'buy'])

/** What a message asks in which no wish, name or reference was recognised. */
function actOfWords({ act, faq, sureness, otherwise }: Reading, state: DialogueState, words: string): Act {
  if (faq?.isSure !== true && isStory(words) && (act === 'find' || otherwise === 'find')) return 'find'
  if (faq?.isSure === true || (faq !== undefined && sureness < SURE_MIN)) return 'faq'
  const isKnown = state.focus.length > 0 || state.list.length > 0
  if (isKnown && factsIn(words).length > 0) return 'fact'
  if (act === 'find') return act
  return isStory(words) && act === 'recommend' ? 'find' : act
}

/** Long enough to tell something. */
export function isStory(words: string): boolean {
  if (detectLanguage(words) === 'ja') return words.length >= STORY_LENGTH_MIN
  return words.trim().split(/\s+/u).length >= STORY_WORDS_MIN
}

const STORY_LENGTH_MIN = 11
const STORY_WORDS_MIN = 5

/** A guess that something shown is meant, without a word that points at it. */
function isAimless(reading: Reading, words: string): boolean {
  const { act, series, referents } = reading
  if (series.length > 0 || referents.length > 0) return false
  return act === 'choose' || act === 'title' || (act === 'fact' && askedFacts(reading, words).length === 0)
}

export const hasWish = ({ want, avoid, by, publishedIn, limits, plot }: Reading): boolean =>
  want.length + avoid.length + by.length + publishedIn.length + Object.keys(limits).length > 0 || plot !== ''

export const hasNamed = ({ series, referents }: Reading): boolean => series.length + referents.length > 0
