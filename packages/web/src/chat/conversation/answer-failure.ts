// How an exchange ends when the client throws instead of finishing the answer: the text that is shown, the remedy that
// is offered, and whether the conversation can be continued. Pure.
import { ChatError } from '@mangaassist/client'
import { originRefused } from './server-access.ts'
import { ended } from './exchange.ts'
import type { End, Exchange, Word } from './exchange.ts'

export interface AnswerFailure {
  readonly end: End
  /** The next question starts a new conversation instead of failing again. */
  readonly endsSession?: true
  /** The turn to replace or to continue is no longer the current one: the question can be asked by itself. */
  readonly losesLink?: true
  /** The server refused the question, for good or for now: it goes back into the field, with this notice beside it. */
  readonly refusal?: Refusal
}

/** Why the question cannot be sent now, and when it can. */
export interface Refusal {
  readonly word?: Word
  readonly n?: number
  readonly text?: string
  /** Absent when waiting does not help. */
  readonly retryAfterMs?: number
  /** The longest message that the server takes, in characters. */
  readonly charactersMax?: number
}

/** Refusals that end by themselves: the same question can be sent later. */
const forNow: readonly ChatError['code'][] = ['RATE_LIMITED', 'QUEUE_FULL', 'QUOTA_EXCEEDED', 'MAINTENANCE']

export function failureOf(error: unknown, { turnId }: Exchange, isStopped: boolean): AnswerFailure {
  if (!(error instanceof ChatError)) {
    return { end: isStopped ? { word: 'endStopped', remedy: 'ask' } : { word: 'unexpected', remedy: 'ask' } }
  }
  if (error.code === 'CONNECTION_LOST')
    return { end: { word: 'unreachable', remedy: turnId === undefined ? 'resend' : 'read' } }
  if (error.code === 'CLIENT_CLOSED') return { end: { word: 'endInterrupted' } }
  if (error.details?.['reason'] === originRefused) return { end: { word: 'notAllowed' } }
  return lostLink(error) ?? tooLong(error) ?? refused(error)
}

/** Removes the wait from the end, which enables the retry button. */
export function mayRetry(exchange: Exchange): Exchange {
  if (exchange.phase.type !== 'ended') return exchange
  const { retryAfterMs: _, ...end } = exchange.phase.end
  return ended(exchange, end)
}

/** Replaced from another device, too old, or too long to be continued: never a reason to leave the conversation. */
function lostLink({ details }: ChatError): AnswerFailure | undefined {
  const { field, reason } = details ?? {}
  if (field !== 'replaces' && field !== 'continues') return undefined
  const word = reason === 'too-long' ? 'endLength' : 'replacedElsewhere'
  return { end: { word, remedy: 'ask' }, losesLink: true }
}

/** Offers no remedy: the same question would be refused again. */
function tooLong({ code, details, message }: ChatError): AnswerFailure | undefined {
  const { reason, limit, unit, charactersMax } = details ?? {}
  if (code === 'PAYLOAD_TOO_LARGE') return { end: { text: message }, refusal: { text: message } }
  if (code !== 'INVALID_REQUEST' || reason !== 'too-long' || typeof limit !== 'number') return undefined
  // Shoppers do not know tokens: without a figure in characters there is none.
  const n = unit === 'tokens' ? charactersMax : limit
  const said = typeof n === 'number' ? ({ word: 'tooLong', n } as const) : ({ word: 'tooLongSomehow' } as const)
  return { end: said, refusal: { ...said, ...(typeof n === 'number' && { charactersMax: n }) } }
}

function refused(error: ChatError): AnswerFailure {
  const { code, message: text, retryAfterMs } = error
  if (isConversationUsedUp(error)) return { end: { text, remedy: 'ask-elsewhere' }, endsSession: true }
  const wait = retryAfterMs !== undefined && retryAfterMs > 0 ? { retryAfterMs } : {}
  const end: End = { text, remedy: 'ask', ...wait }
  if (forNow.includes(code)) return { end, refusal: { text, ...wait } }
  return code === 'SESSION_EXPIRED' || code === 'NOT_FOUND' ? { end, endsSession: true } : { end }
}

/** The budget of the conversation is used up, not the one of the day: a new conversation can answer the question. */
function isConversationUsedUp({ code, details }: ChatError): boolean {
  const scope = details?.['scope']
  return code === 'QUOTA_EXCEEDED' && typeof scope === 'string' && scope.startsWith('session-')
}
