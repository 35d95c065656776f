// The act of a message: the judged one, or what its exact words ask where the judgement is a guess.
import { detectLanguage } from '../text/language.ts'
import type { Act, AskedFact, Reading } from '../understanding/reading.ts'
import { saysNothing } from './advance.ts'
import { factsIn } from './asked-facts.ts'
import type { DialogueState } from './state.ts'

/** Below this the act is a guess. */
const SURE_MIN = 0.45

/** Above this the shop is asked, even for what its FAQ does not say. */
const ASKED_MIN = 0.6
/** Below this nothing was chosen. */
const CHOSEN_MIN = 0.35
const CHOOSING: ReadonlySet<Act> = new Set(['choose', 'buy'])

/** The act of the message; where that is a guess, the act that the words contain. */
export function actOf(reading: Reading, state: DialogueState, words: string): Act {
  const { act, otherwise, series, faq } = reading
  // The stock of a series is a fact of it, and no question to the shop.
  if (act === 'faq' && series.some(({ id }) => id !== undefined) && factsIn(words).includes('stock')) return 'fact'
  if (act === 'faq' && faq === undefined && (reading.sureness < ASKED_MIN || hasWish(reading)))
    return otherwise === 'faq' ? 'unclear' : otherwise
  if (reading.sureness < ASKED_MIN && buys(reading, state, words)) return 'buy'
  if (CHOOSING.has(act) && reading.sureness < CHOSEN_MIN && saysNothing(reading)) return 'unclear'
  if ((faq?.isSure === true || faq?.isAsked === true) && asksShop(reading, state, words)) return 'faq'
  if (OPENING.has(act) && state.turns === 0 && isGuess(reading)) return 'unclear'
  if (act === 'greet' && reading.want.length > 0) return 'recommend'
  if (act === 'recommend' && isDescribed(reading)) return 'title'
  // Nothing is refused in 「今日はいい天気ですね」.
  if (act === 'no' && otherwise === 'smalltalk' && saysNothing(reading) && !REFUSES.test(words)) return 'smalltalk'
  if (MISTAKEN.has(act) && saysNothing(reading)) return actOfWords(reading, state, words)
  return act
}

const REFUSES =
  /いや|いえ|ううん|ちが|違|ない|無い|ません|いら|結構|けっこう|やめ|だめ|ダメ|駄目|嫌|微妙|パス|また|\b(?:no|nope|nah|not|never|none|pass|skip|don['’]?t|didn['’]?t|isn['’]?t|later|enough)\b/iu

/** Says that something known is bought, where the act is a guess. */
function buys(reading: Reading, { focus, list }: DialogueState, words: string): boolean {
  return BUYS.test(words) && !/[?？]/u.test(words) && (hasNamed(reading) || focus.length + list.length > 0)
}
const BUYS =
  /買(?:う|います|いたい)(?:ね|わ|よ|です|ことに)?[。!！]*$|購入(?:し|いたし)ます|\b(?:i['’]?ll|i will|i shall|let me|gonna|going to)\s+(?:just |only |then )?(?:take|grab|buy|purchase|order)\b/iu

/** Acts that are wrongly read from a message of a few words, such as the words typed into a search box. */
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

/** 「桜木花道が出てくるやつ」 is the series itself, and no wish for something like it. */
function isDescribed(reading: Reading): boolean {
  const { otherwise, series, changes, measures } = reading
  const isNamed = series.length > 0 && series.every(({ role, id }) => role === 'title' && id !== undefined)
  return isNamed && !hasWish(reading) && changes.length + measures.length === 0 && NAMING.has(otherwise)
}
const NAMING: ReadonlySet<Act> = new Set(['find', 'title'])

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
  // 「ワンピースの配達はいつ？」 is about delivery, 「ワンピースは何巻でいくら？」 about the series.
  if (series.length > 0)
    return (
      otherwise === 'faq' &&
      (act === 'title' || (act === 'fact' && facts.length === 0)) &&
      !factsIn(words).includes('stock')
    )
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

export const hasWish = ({ want, avoid, by, publishedIn, limits, plot }: Reading): boolean =>
  want.length + avoid.length + by.length + publishedIn.length + Object.keys(limits).length > 0 || plot !== ''

export const hasNamed = ({ series, referents }: Reading): boolean => series.length + referents.length > 0
