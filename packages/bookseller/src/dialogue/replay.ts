// Replays the stored turns of a conversation into its state. Cheap: readings are cached by the caller, and every part of the
// state is bounded.
import type { Language } from '@mangaassist/protocol'
import type { Previous, Reading } from '../understanding/reading.ts'
import { advance, uniqueOf } from './advance.ts'
import { withDenials } from './denials.ts'
import { withKnownAspects } from './known-aspects.ts'
import { withSaid } from './said.ts'
import { LIST_MAX, NO_STATE, SEEN_MAX } from './state.ts'
import type { DialogueState, Suggestion } from './state.ts'

export type Read = (message: string, context: { readonly previous: Previous; readonly language: Language }) => Reading

/** What a stored turn says. */
export interface PastTurn {
  readonly question: string
  readonly answer: string
  readonly language: Language
  readonly productIds: readonly string[]
  readonly suggestions?: readonly Suggestion[]
  /** The series whose page the shopper was on. */
  readonly page?: { readonly productId?: string }
}

/** What is asked now. */
export interface Asked {
  readonly message: string
  readonly language: Language
  readonly page?: { readonly productId?: string }
}

export interface Understood {
  /** What the message says; after a yes, what the offer says. */
  readonly reading: Reading
  /** The words that were read: the message, or the accepted offer. */
  readonly words: string
  /** The state with this message. */
  readonly state: DialogueState
  /** The state before this message. */
  readonly before: DialogueState
}

export function replay(turns: readonly PastTurn[], read: Read): DialogueState {
  let state = NO_STATE
  for (const turn of turns) {
    const understood = hear(state, { ...turn, message: turn.question }, read)
    state = answered(understood, turn)
  }
  return state
}

/** Reads a message after the turns that `before` was replayed from. */
export function hear(before: DialogueState, asked: Asked, read: Read): Understood {
  const { message, language } = asked
  const here = withPage(before, asked)
  const received = withDenials(read(message, { previous: here.previous, language }), message)
  const own = withKnownAspects(received, message)
  const { offer } = here
  // "Yes" is the offer's own message; a yes that says more is read for what it says.
  if (own.act === 'yes' && offer !== undefined && !saysMore(own)) {
    const reading = { ...read(offer.message, { previous: here.previous, language }), language: own.language }
    return { reading, words: offer.message, state: advance(here, reading, offer.message), before: here }
  }
  return { reading: own, words: message, state: advance(here, own, message), before: here }
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

function answered({ state, reading }: Understood, turn: PastTurn): DialogueState {
  const { productIds, suggestions, answer, language } = turn
  const shown = productIds.slice(0, LIST_MAX)
  const { offer: _, ...rest } = state
  const first = suggestions?.[0]
  return {
    ...rest,
    list: listAfter(state, shown),
    focus: focusAfter(state, shown, reading),
    seen: uniqueOf([...shown, ...state.seen]).slice(0, SEEN_MAX),
    said: withSaid(state.said, answer),
    spoken: language,
    previous: previousOf(reading, turn),
    turns: state.turns + 1,
    ...(first === undefined ? {} : { offer: first }),
  }
}

/** One series out of the list leaves the list as it is. */
function listAfter({ list }: DialogueState, shown: readonly string[]): readonly string[] {
  if (shown.length === 0) return list
  const [only] = shown
  return shown.length === 1 && only !== undefined && list.includes(only) ? list : shown
}

/** A single card is what is talked about; a new list is not talked about yet. */
function focusAfter({ focus }: DialogueState, shown: readonly string[], { act }: Reading): readonly string[] {
  if (shown.length === 0) return focus
  // The first is the likeliest of the series that a described story may be.
  if (shown.length === 1 || act === 'find') return shown.slice(0, 1)
  return focus.length > 0 && focus.every((id) => shown.includes(id)) ? focus : []
}

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
