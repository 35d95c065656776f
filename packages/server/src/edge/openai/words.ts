// The error messages of `/v1`, for developers: never the sentences for shoppers. Every code of the catalogue has one,
// whether or not `/v1` is known to send it.
import type { ErrorBody, ErrorCode } from '@mangaassist/protocol'

type Details = NonNullable<ErrorBody['details']>
type Say = (details: Details) => string

const textIn = (details: Details, name: string): string | undefined => {
  const value = details[name]
  return typeof value === 'string' ? value : undefined
}
const inBrackets = (text: string | undefined): string => (text === undefined ? '' : ` (${text})`)
const RETRY = 'Retry after the number of seconds in the Retry-After header.'

const MESSAGES: Readonly<Record<ErrorCode, Say>> = {
  QUOTA_EXCEEDED: (details) => {
    const resetsAt = textIn(details, 'resetsAt')
    const until = resetsAt === undefined ? '' : ` It resets at ${resetsAt}.`
    return `Quota exceeded${inBrackets(textIn(details, 'scope'))}.${until}`
  },
  RATE_LIMITED: (details) => `Rate limit exceeded${inBrackets(textIn(details, 'scope'))}. ${RETRY}`,
  QUEUE_FULL: () => `Too many requests are waiting for a model. ${RETRY}`,
  MODEL_TIMEOUT: () => 'The model did not complete its answer in time. The request can be retried.',
  INVALID_REQUEST: () => 'Invalid request.',
  UNAUTHENTICATED: (details) =>
    `Incorrect API key provided${inBrackets(textIn(details, 'reason'))}. Send a configured key or a valid token as "Authorization: Bearer KEY".`,
  FORBIDDEN: (details) =>
    textIn(details, 'reason') === 'blocked'
      ? 'This caller or its network address is blocked. Contact the operator of the server.'
      : `Not allowed from this origin or host${inBrackets(textIn(details, 'reason'))}.`,
  NOT_FOUND: () => 'No such resource.',
  SESSION_EXPIRED: () => 'The session has expired.',
  SESSION_BUSY: () => 'Another request of the same session is in progress.',
  VERSION_CONFLICT: () => 'The session has a newer version than the request names.',
  OUT_OF_STOCK: () => 'There are not enough copies in stock.',
  CART_CHANGED: () => 'The cart or a price in it has changed.',
  PAYLOAD_TOO_LARGE: () => 'The request body is too large: the limit is 1 MiB.',
  CONTENT_BLOCKED: () => 'A content filter blocked the prompt or the answer.',
  INTERNAL_ERROR: () => 'The server had an error while processing the request. It can be retried.',
  MAINTENANCE: (details) => `Service unavailable${inBrackets(textIn(details, 'reason'))}. ${RETRY}`,
}

/** Sentences for the reasons that admission gives as identifiers; other reasons are sentences already. */
const REASONS: Readonly<Record<string, string>> = {
  'lone-surrogate': 'has half a surrogate pair',
  empty: 'must not be empty',
  'role-out-of-turn': 'has a role out of turn: user and assistant alternate, beginning with user',
  'must-end-with-user': 'must end with a message of the user',
}

export function messageOf(code: ErrorCode, details: Details = {}): string {
  return MESSAGES[code](details)
}

/** The message for an invalid parameter. */
export function parameterMessage(param: string, reason: string): string {
  return `Invalid request: ${param} ${REASONS[reason] ?? reason}.`
}
