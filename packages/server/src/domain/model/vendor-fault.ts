// What a vendor or the network said when a call failed, for operators only: log lines, turn records and the console show it, and no
// decision depends on it. Its words are bounded and redacted here, at the one place where a fault is made.

export interface VendorFault {
  /** The HTTP status; absent when no response came, or when the error came inside a stream. */
  readonly status?: number
  /** The vendor's own code, type or exception name, or the code of a network error, such as `ECONNREFUSED`. */
  readonly code?: string
  /** The vendor's words without keys, addresses of people and quoted text; at most `MESSAGE_LENGTH_MAX`. */
  readonly message?: string
  /** The address that was called, with its port: no path and no query. */
  readonly host?: string
  /** The vendor's id of the request, which its support asks for. */
  readonly requestId?: string
}

/** What is known of a failed call, as it came: nothing of it is trusted. */
export interface FaultSeen {
  readonly status?: unknown
  /** The most precise first. */
  readonly codes?: readonly unknown[]
  readonly message?: unknown
  readonly host?: unknown
  readonly requestId?: unknown
}

const MESSAGE_LENGTH_MAX = 300
/** Longer words of a vendor are cut before they are read: the patterns below take time by length. */
const READ_LENGTH_MAX = 2000
const CODE = /^[\w$.:/ -]{1,80}$/
const REQUEST_ID = /^[\w.:=/+-]{1,128}$/
const HOST = /^[\w.:[\]-]{1,255}$/
/** What may stay inside quotes: the name of a field, a parameter, a model. */
const NAME = /^[\w.:/@[\]-]{0,80}$/

/** Names of the header in which vendors send the id of a request. */
const REQUEST_ID_HEADERS = [
  'x-request-id',
  'request-id',
  'x-amzn-requestid',
  'x-amz-request-id',
  'apim-request-id',
  'x-ms-request-id',
  'x-goog-request-id',
  'cf-ray',
]

/** In this order: what an earlier rule replaced is not read again. */
const RULES: readonly (readonly [RegExp, string | ((match: string) => string)])[] = [
  // Control characters would break a line, or hide a part of it.
  [/[\p{Cc}\p{Cf}\s]+/gu, ' '],
  [/\bhttps?:\/\/[^\s"'<>]+/gi, (url) => hostOf(url) ?? '[address]'],
  [/[\w.+-]+@[\w-]+(\.[\w-]+)+/g, '[email]'],
  [/\b(bearer|basic)\s+\S+/gi, '[secret]'],
  [/\b(sk|pk|rk|gsk|xai|key|AKIA|ASIA|AIza|ABSK)[-_]?[\w*-]*[\d*][\w*-]*/g, '[secret]'],
  // Quoted text is often a piece of the request.
  [/(?<!\w)(["'`“‘「『])(.*?)(["'`”’」』](?!\w)|$)/gu, quoted],
  // Vendors complain in English: anything else is text of a person.
  [/[^\x20-\x7e]+/g, '[text]'],
  [/\d{9,}/g, '[number]'],
  // A long word with digits is a token or a key, unless dots or dashes part it as they do in names of models.
  [/\b(?=[\w+/=]*\d)[\w+/=]{24,}/g, '[secret]'],
]

export function vendorFault({ status, codes = [], message, host, requestId }: FaultSeen): VendorFault {
  const code = codes.map(asText).find((text) => CODE.test(text))
  const words = typeof message === 'string' ? redactedMessage(message) : ''
  return {
    ...(typeof status === 'number' && Number.isInteger(status) && status >= 400 ? { status } : {}),
    ...(code === undefined ? {} : { code }),
    ...(words === '' ? {} : { message: words }),
    ...(typeof host === 'string' && HOST.test(host) ? { host } : {}),
    ...(typeof requestId === 'string' && REQUEST_ID.test(requestId) ? { requestId } : {}),
  }
}

/** Without what could be of a person or secret, and short. */
export function redactedMessage(message: string): string {
  let words = message.slice(0, READ_LENGTH_MAX)
  for (const [pattern, by] of RULES) words = words.replace(pattern, by as string)
  words = words.trim()
  return words.length <= MESSAGE_LENGTH_MAX ? words : `${words.slice(0, MESSAGE_LENGTH_MAX - 1).toWellFormed()}…`
}

/** The id of a request in the headers of its response, by any vendor's name for it. */
export function requestIdIn(headers: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const ids = REQUEST_ID_HEADERS.map((name) => headers?.[name])
  return ids.find((id): id is string => typeof id === 'string' && REQUEST_ID.test(id))
}

/** Host and port of an address; undefined for what is no address. */
export function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined
}

/** Characters of the prompt that a message must repeat in a row to be taken for a piece of it. */
const ECHO_LENGTH = 16

/** Removes pieces of the prompt that a vendor repeated outside of quotes. */
export function withoutEcho(fault: VendorFault, prompt: string): VendorFault {
  const { message } = fault
  if (message === undefined) return fault
  let words = ''
  let echoEnd = 0
  for (let at = 0; at < message.length; at += 1) {
    if (at + ECHO_LENGTH <= message.length && prompt.includes(message.slice(at, at + ECHO_LENGTH))) {
      if (at >= echoEnd) words += '[text]'
      echoEnd = at + ECHO_LENGTH
    }
    if (at >= echoEnd) words += message.charAt(at)
  }
  return { ...fault, message: words }
}

function quoted(match: string): string {
  const inside = match.slice(1, -1)
  return NAME.test(inside) && isWhole(match) ? match : '[text]'
}

/** A quotation that the end of the message cut off is not a name. */
function isWhole(match: string): boolean {
  return match.length > 1 && /["'`”’」』]$/u.test(match)
}

function asText(code: unknown): string {
  return typeof code === 'string' || typeof code === 'number' ? String(code) : ''
}
