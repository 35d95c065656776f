// AWS event-stream framing: a JSON payload with its headers and both checksums, encoded by the SDK's own codec, so that
// the frames equal the vendor's to the byte.
import { EventStreamCodec } from '@smithy/core/event-streams'

export const EVENT_STREAM = 'application/vnd.amazon.eventstream'

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')),
  (text) => Buffer.from(text, 'utf8'),
)

export function eventFrame(type: string, payload: unknown): Buffer {
  return frame({ ':event-type': type, ':message-type': 'event' }, JSON.stringify(payload))
}

/** `type` is in lower camel case, such as `throttlingException`. */
export function exceptionFrame({ type, message }: { readonly type: string; readonly message: string }): Buffer {
  return frame({ ':exception-type': type, ':message-type': 'exception' }, JSON.stringify({ message }))
}

/** A valid frame around a payload that is not JSON. */
export function garbledFrame(type: string): Buffer {
  return frame({ ':event-type': type, ':message-type': 'event' }, '{"bytes":')
}

/** The last four bytes are the checksum of everything before them. */
export function withWrongChecksum(bytes: Buffer): Buffer {
  const damaged = Buffer.from(bytes)
  damaged.writeUInt32BE((damaged.readUInt32BE(damaged.length - 4) ^ 1) >>> 0, damaged.length - 4)
  return damaged
}

function frame(headers: Readonly<Record<string, string>>, payload: string): Buffer {
  const all = { ...headers, ':content-type': 'application/json' }
  const typed = Object.entries(all).map(([name, value]) => [name, { type: 'string' as const, value }] as const)
  return Buffer.from(codec.encode({ headers: Object.fromEntries(typed), body: Buffer.from(payload) }))
}
