// How an exchange ends when the client throws instead of finishing the answer: the text that is shown, the remedy that
// is offered, and whether the conversation can be continued. Pure.
import { ChatError } from '@mangaassist/client'
import { originRefused } from './server-access.ts'
import { ended } from './exchange.ts'
import type { End, Exchange } from './exchange.ts'

export interface AnswerFailure {
  readonly end: End
  /** The next question starts a new conversation instead of failing again. */
  readonly endsSession?: true
  /** The question must be made shorter before it can be asked. */
  readonly isTooLong?: true
}

export function failureOf(error: unknown, { turnId }: Exchange, isStopped: boolean): AnswerFailure {
  if (!(error instanceof ChatError)) {
    return { end: isStopped ? { word: 'endStopped' } : { word: 'unexpected', remedy: 'ask' } }
  }
  if (error.code === 'CONNECTION_LOST')
    return { end: { word: 'unreachable', remedy: turnId === undefined ? 'resend' : 'read' } }
  if (error.code === 'CLIENT_CLOSED') return { end: { word: 'endInterrupted' } }
  if (error.details?.['reason'] === originRefused) return { end: { word: 'notAllowed' } }
  return tooLong(error) ?? refused(error)
}

/** Removes the wait from the end, which enables the retry button. */
export function mayRetry(exchange: Exchange): Exchange {
  if (exchange.phase.type !== 'ended') return exchange
  const { retryAfterMs: _, ...end } = exchange.phase.end
  return ended(exchange, end)
}

/** Offers no remedy: the same question would be refused again. */
function tooLong({ code, details }: ChatError): AnswerFailure | undefined {
  const { reason, limit, unit } = details ?? {}
  if (code !== 'INVALID_REQUEST' || reason !== 'too-long' || typeof limit !== 'number') return undefined
  return { end: { word: unit === 'tokens' ? 'tooLongTokens' : 'tooLong', n: limit }, isTooLong: true }
}

function refused(error: ChatError): AnswerFailure {
  const { code, message: text, retryAfterMs } = error
  if (isConversationUsedUp(error)) return { end: { text, remedy: 'ask-elsewhere' }, endsSession: true }
  const end: End = { text, remedy: 'ask', ...(retryAfterMs !== undefined && retryAfterMs > 0 && { retryAfterMs }) }
  return code === 'SESSION_EXPIRED' || code === 'NOT_FOUND' ? { end, endsSession: true } : { end }
}

/** The budget of the conversation is used up, not the one of the day: a new conversation can answer the question. */
function isConversationUsedUp({ code, details }: ChatError): boolean {
  const scope = details?.['scope']
  return code === 'QUOTA_EXCEEDED' && typeof scope === 'string' && scope.startsWith('session-')
}
