// Replays the stored turns of a conversation into its state. Cheap: readings are cached by the caller, and every part of the
// state is bounded.
import { fold } from '../text/words.ts'
import type { AskedFact, Previous, Reading } from '../understanding/reading.ts'
import { advance, uniqueOf } from './advance.ts'
import { asNewRequest } from './asking/new-request.ts'
import { asCorrection, withoutDenied, withoutDeniedFacts } from './asking/corrections.ts'
import { asSeriesQuestion, withoutAmounts } from './asking/of-series.ts'
import { sentencesIn, withLastQuestion } from './asking/sentences.ts'
import { intend } from './intend.ts'
import type { Intent } from './intent.ts'
import { policyOf } from './policies.ts'
import { NO_RECALL } from './referring/recall.ts'
import type { Recall } from './referring/recall.ts'
import { resolved } from './referring/resolve.ts'
import { askedLast } from './repairing/aside.ts'
import { asProtest, isProtest } from './repairing/protest.ts'
import { refusedIn, withoutRefused, withoutShown, withRefusals, withStock } from './repairing/refusal.ts'
import { withSaid } from './said.ts'
import { LIST_MAX, LISTS_MAX, NO_STATE, SEEN_MAX, TALKED_MAX } from './state.ts'
import type { DialogueState } from './state.ts'
import type { Asked, PastTurn, Read, Understood } from './understood.ts'

export function replay(turns: readonly PastTurn[], read: Read, recall: Recall = NO_RECALL): DialogueState {
  let state = NO_STATE
  for (const turn of turns) {
    const understood = hear(state, { ...turn, message: turn.question, recall }, read)
    state = answered(understood, turn)
  }
  return state
}

/** Reads a message after the turns that `before` was replayed from. */
export function hear(before: DialogueState, asked: Asked, read: Read): Understood {
  const { message, language, recall = NO_RECALL } = asked
  const here = withPage(before, asked)
  const readHere = (words: string) => read(words, { previous: here.previous, language })
  const sentences = sentencesIn(message, readHere)
  const received = asNewRequest(withLastQuestion(withoutAmounts(readHere(message), message), sentences), message)
  const resolvedHere = resolved(received, message, { state: here, recall })
  const undenied = withoutDenied(resolvedHere, message)
  const about = { message, sentences, state: here }
  const isProtesting = isProtest(undenied, about)
  const left = askedLast(withRefusals(undenied, about), sentences)
  const meant = withStock(isProtesting ? asProtest(left, sentences, here) : left, message)
  const corrected = asCorrection(meant, {
    message,
    original: undenied === resolvedHere ? meant : resolvedHere,
    state: here,
  })
  const refused = refusedIn(meant, message, sentences)
  const own = corrected ?? (refused.length > 0 ? meant : asSeriesQuestion(meant, message, here))
  const { offer } = here
  // A plain "yes" is replaced by the message of the offer that it accepts; a longer one is read as it is.
  if (own.act === 'yes' && offer !== undefined && !saysMore(own)) {
    const reading = { ...readHere(offer.message), language: own.language }
    return { reading, words: offer.message, state: advance(here, reading, offer.message), before: here }
  }
  return {
    reading: withoutRefused(own, refused),
    words: corrected === undefined ? message : withoutDeniedFacts(message),
    state: withoutShown(advance(here, own, message), refused),
    before: withoutShown(here, refused),
    ...(sentences.length === 0 ? {} : { sentences }),
    ...(corrected === undefined && !isProtesting ? {} : { isCorrected: true }),
    ...(isProtesting ? { isProtest: true } : {}),
  }
}

const saysMore = ({ want, avoid, series, by, plot, limits, referents, measures }: Reading): boolean =>
  [want, avoid, series, by, Object.keys(limits), referents, measures].some((list) => list.length > 0) || plot !== ''

function withPage(state: DialogueState, { page }: Pick<Asked, 'page'>): DialogueState {
  const { page: _, ...rest } = state
  const id = page?.productId
  if (id === undefined) return rest
  // A page that was just opened is what is talked about.
  return id === state.page ? { ...rest, page: id } : { ...rest, page: id, focus: [id] }
}

function answered(understood: Understood, turn: PastTurn): DialogueState {
  const { state, reading } = understood
  const intent = intend(understood)
  const shown = turn.productIds.slice(0, LIST_MAX)
  const focus = focusAfter(state, shown, intent)
  const { suggestions, answer, language, question } = turn
  const { offer: _, asked: __, policy: ___, ...rest } = state
  const first = suggestions?.[0]
  const asked = askedIn(intent)
  const policy = policyOf(intent) ?? intent.also
  return {
    ...rest,
    ...listsAfter(state, shown, question),
    focus,
    talked: focus.length === 1 ? uniqueOf([...focus, ...state.talked]).slice(0, TALKED_MAX) : state.talked,
    seen: uniqueOf([...shown, ...state.seen]).slice(0, SEEN_MAX),
    said: withSaid(state.said, answer),
    spoken: language,
    previous: SERVED.has(intent.kind) ? 'service' : previousOf(reading, turn),
    turns: state.turns + 1,
    ...sumAfter(state, shown, intent),
    ...(first === undefined ? {} : { offer: first }),
    ...(asked.length === 0 ? {} : { asked }),
    ...(policy === undefined ? {} : { policy }),
  }
}

function askedIn(intent: Intent): readonly AskedFact[] {
  if (intent.kind === 'sum' && intent.affording === undefined) return ['total']
  return intent.kind === 'inform' ? intent.facts.filter((fact) => fact !== 'other') : []
}

/** The price of one series is a sum too, which "and that one as well" adds to. */
function sumAfter(
  { sum }: DialogueState,
  shown: readonly string[],
  intent: Intent,
): Pick<DialogueState, 'sum'> | undefined {
  if (intent.kind === 'sum') return { sum: { ids: intent.ids, ...(intent.amounts && { amounts: intent.amounts }) } }
  const isPrice = intent.kind === 'inform' && intent.facts.some((fact) => fact === 'total' || fact === 'price')
  if (isPrice && shown.length === 1) return { sum: { ids: shown } }
  return sum === undefined ? undefined : { sum }
}

const WORDS_LENGTH_MAX = 200

/** A single shown series does not replace the list, unless there was no list. */
function listsAfter(
  { list, shown: before }: DialogueState,
  shown: readonly string[],
  question: string,
): Pick<DialogueState, 'list' | 'shown'> {
  if (shown.length === 0 || (shown.length === 1 && list.length > 1)) return { list, shown: before }
  const words = fold(question).slice(0, WORDS_LENGTH_MAX)
  const lists = shown.length === 1 ? before : [{ ids: shown, words }, ...before].slice(0, LISTS_MAX)
  return { list: shown, shown: lists }
}

/** A single card is what is talked about, and so is the likeliest or the best of several; a new list is not yet. */
function focusAfter({ focus }: DialogueState, shown: readonly string[], intent: Intent): readonly string[] {
  if (shown.length === 0) return focus
  const isFirst = intent.kind === 'identify' || (intent.kind === 'compare' && intent.measures.length > 0)
  if (shown.length === 1 || isFirst) return shown.slice(0, 1)
  if (intent.kind === 'suggest' || intent.kind === 'unstocked') return []
  return focus.length > 0 && focus.every((id) => shown.includes(id)) ? focus : shown
}

/** Answers about an order or to a complaint, whatever the message was taken for. */
const SERVED: ReadonlySet<Intent['kind']> = new Set(['order', 'complaint', 'person'])
const SERVICE: ReadonlySet<Reading['act']> = new Set(['order', 'complaint', 'person'])
const TALK: ReadonlySet<Reading['act']> = new Set([
  'greet',
  'thanks',
  'bye',
  'smalltalk',
  'abuse',
  'identity',
  'help',
  'language',
])
const OFFERING = /(?:ましょうか|しますか|いかがですか)？\s*$|(?:shall i|would you like|should i)[^?]*\?\s*$/iu

function previousOf({ act }: Reading, { productIds, answer }: PastTurn): Previous {
  if (productIds.length > 1) return 'list'
  if (OFFERING.test(answer)) return 'offer'
  if (productIds.length === 1) return 'one'
  if (/[?？]\s*$/u.test(answer)) return 'asked'
  if (act === 'faq') return 'faq'
  if (SERVICE.has(act)) return 'service'
  return TALK.has(act) ? 'talk' : 'one'
}
