// Removes the texts from a provider's raw event and leaves its structure: field names, event types, numbers, lengths. Everything
// that is not known to be structure is masked, so that a field that a provider adds later cannot leak. Depth and size are bounded.
import { createHash } from 'node:crypto'

export interface Redaction {
  /** Keeps texts; ids are still hashed and possible secrets are still masked. */
  readonly withText: boolean
}

const DEPTH_MAX = 8
const ITEMS_MAX = 64
const TEXT_LENGTH_MAX = 2000

/** Fields whose values are terms of a protocol, if they match `WORD`. */
const WORDS: ReadonlySet<string> = new Set([
  'type',
  'role',
  'object',
  'model',
  'modelId',
  'errorName',
  'code',
  'status',
  'class',
  'reason',
  'stop_reason',
  'stopReason',
  'finish_reason',
  'finishReason',
  'unified',
  'raw',
  'service_tier',
  '$fault',
  'amazon-bedrock-guardrailAction',
])
const WORD = /^[A-Za-z0-9$][\w$.:/-]{0,79}$/
const FIELD_NAME = /^[\w$.:-]{1,64}$/
const IDENTITY = /(^|_|-)(id|ids|fingerprint)$|[a-z](Id|ID)$/
const SECRET = /header|cookie|authorization|api.?key|token$|secret|url/i
const FIGURE = /^\s*-?\d{1,12}(\.\d+)?\s*$/

/** Returns the redacted event as a JSON value. A text that contains JSON is parsed first, as in server-sent events. */
export function redactEvent(event: unknown, redaction: Redaction): unknown {
  return redact(typeof event === 'string' ? parsed(event) : event, '', { ...redaction, depth: 0 })
}

interface Place extends Redaction {
  readonly depth: number
}

function redact(value: unknown, field: string, place: Place): unknown {
  if (typeof value === 'string') return redactText(value, field, place.withText)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  if (typeof value !== 'object') return `(${typeof value})`
  if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes)`
  if (place.depth === DEPTH_MAX) return '(deeper)'
  const inside = { ...place, depth: place.depth + 1 }
  if (Array.isArray(value)) return redactItems(value, field, inside)
  return Object.fromEntries(
    fieldsOf(value)
      .slice(0, ITEMS_MAX)
      // Everything inside a secret field is secret.
      .map(([name, item]) => [nameOf(name), redact(item, SECRET.test(field) ? field : name, inside)]),
  )
}

function redactItems(items: readonly unknown[], field: string, place: Place): unknown {
  // Bytes and token ids are encoded text.
  if (items.length > 0 && items.every((item) => typeof item === 'number')) return `(${items.length} numbers)`
  const kept = items.slice(0, ITEMS_MAX).map((item) => redact(item, field, place))
  return items.length > ITEMS_MAX ? [...kept, `(${items.length - ITEMS_MAX} more)`] : kept
}

/** The fields of an object; for an error also its name, message and cause, which are not enumerable. */
function fieldsOf(value: object): readonly (readonly [string, unknown])[] {
  if (!(value instanceof Error)) return Object.entries(value)
  const { name, message, cause } = value
  const own = Object.entries(value).filter(([field]) => field !== 'name')
  return [
    ['errorName', name],
    ['message', message],
    ...(cause === undefined ? [] : [['cause', cause] as const]),
    ...own,
  ]
}

function redactText(text: string, field: string, withText: boolean): string {
  if (text === '' || text === '[DONE]') return text
  if (IDENTITY.test(field)) return `#${createHash('sha256').update(text).digest('hex').slice(0, 12)}`
  if (/tokens?$/i.test(field) && FIGURE.test(text)) return text
  if (SECRET.test(field)) return mask(text)
  if (withText || (WORDS.has(field) && WORD.test(text))) return shortened(text)
  return mask(text)
}

function nameOf(field: string): string {
  return FIELD_NAME.test(field) ? field : mask(field)
}

/** Replaces every letter by x and every digit by 0, per UTF-16 unit, so that the length stays. */
function mask(text: string): string {
  return shortened(text).replace(/[^\s!-/:-@[-`{-~…]/g, (unit) => (unit >= '0' && unit <= '9' ? '0' : 'x'))
}

function shortened(text: string): string {
  return text.length <= TEXT_LENGTH_MAX ? text : `${text.slice(0, TEXT_LENGTH_MAX)}…`
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : text
  } catch {
    return text === '[DONE]' ? text : { undecodable: text }
  }
}
