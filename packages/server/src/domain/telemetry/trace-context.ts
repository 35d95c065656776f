// Which trace a request belongs to, and under which span: by W3C trace context, else by the header of AWS X-Ray. A header that
// is not well formed is ignored, as the recommendation asks: the request then begins a trace of its own.

export interface TraceContext {
  /** 16 bytes as 32 lower-case hexadecimal digits. */
  readonly traceId: string
  /** 8 bytes as 16 digits: the span that others are children of, or link to; all 0 when the caller named only the trace. */
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
export const NO_SPAN_ID = '0'.repeat(16)
const SAMPLED = 1

const STATE_LENGTH_MAX = 512
const STATE_MEMBERS_MAX = 32
const STATE_MEMBER = /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{1,256}$/

const XRAY_ROOT = /^1-([0-9a-f]{8})-([0-9a-f]{24})$/
const XRAY_PARENT = /^[0-9a-f]{16}$/
const XRAY_LENGTH_MAX = 512

/** The context that a request came with; W3C wins when both headers are valid, undefined when neither is. */
export function readTraceContext(headers: Headers): TraceContext | undefined {
  return readW3c(headers) ?? readXRay(headers['x-amzn-trace-id'])
}

/** The header `traceparent` of a call to another system. The caller's `tracestate` is not passed to other companies. */
export function traceparentOf({ sampled, spanId, traceId }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
}

/** The header `X-Amzn-Trace-Id` of a call to AWS. */
export function xRayHeaderOf({ sampled, spanId, traceId }: TraceContext): string {
  return `Root=1-${traceId.slice(0, 8)}-${traceId.slice(8)};Parent=${spanId};Sampled=${sampled ? 1 : 0}`
}

/**
 * Reads `Root`, `Parent` and `Sampled`; a load balancer of AWS sends only the root. Other fields, such as `Self`, are
 * ignored.
 */
function readXRay(header: Headers[string]): TraceContext | undefined {
  if (typeof header !== 'string' || header.length > XRAY_LENGTH_MAX) return undefined
  const fields = new Map(
    header.split(';').map((field): [string, string] => {
      const [name = '', value = ''] = field.split('=')
      return [name.trim(), value.trim()]
    }),
  )
  const [, epoch, rest] = XRAY_ROOT.exec(fields.get('Root') ?? '') ?? []
  if (epoch === undefined || rest === undefined || epoch + rest === NO_TRACE) return undefined
  const parent = fields.get('Parent') ?? ''
  const spanId = XRAY_PARENT.test(parent) ? parent : NO_SPAN_ID
  return { traceId: epoch + rest, spanId, sampled: fields.get('Sampled') !== '0' }
}

function readW3c(headers: Headers): TraceContext | undefined {
  const { traceparent, tracestate } = headers
  if (typeof traceparent !== 'string') return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] = PARENT.exec(traceparent) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (traceId === NO_TRACE || spanId === NO_SPAN_ID) return undefined
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
