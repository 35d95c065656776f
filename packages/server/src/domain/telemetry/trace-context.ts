// W3C trace context: which trace a request belongs to, and under which span. A header that is not well formed is ignored,
// as the recommendation asks: the request then begins a trace of its own.

export interface TraceContext {
  /** 16 bytes as 32 lower-case hexadecimal digits. */
  readonly traceId: string
  /** 8 bytes as 16 digits: the span that others are children of, or link to. */
  readonly spanId: string
  /** Whether the caller records the trace; an exporter may follow that. */
  readonly sampled: boolean
  /** The `tracestate` of vendors, which is passed along unchanged. */
  readonly state?: string
}

/** The headers of a request, as Node gives them. */
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const NO_TRACE = '0'.repeat(32)
const NO_SPAN = '0'.repeat(16)
const SAMPLED = 1

const STATE_LENGTH_MAX = 512
const STATE_MEMBERS_MAX = 32
const STATE_MEMBER = /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{1,256}$/

/** The context that a request came with; undefined without a valid `traceparent`. */
export function readTraceContext(headers: Headers): TraceContext | undefined {
  const { traceparent, tracestate } = headers
  if (typeof traceparent !== 'string') return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] = PARENT.exec(traceparent) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (traceId === NO_TRACE || spanId === NO_SPAN) return undefined
  const state = readState(tracestate)
  const sampled = (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED
  return { traceId, spanId, sampled, ...(state === undefined ? {} : { state }) }
}

function readState(tracestate: Headers[string]): string | undefined {
  if (typeof tracestate !== 'string' || tracestate.length > STATE_LENGTH_MAX) return undefined
  const members = tracestate
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '')
  const isValid = members.length <= STATE_MEMBERS_MAX && members.every((member) => STATE_MEMBER.test(member))
  return isValid && members.length > 0 ? members.join(',') : undefined
}
