// Decodes event streams: the SDK does framing and checksums, we read the JSON. The SDK's own decoding drops every field
// that its schema does not name, for example renamed usage fields, and fails the whole stream for one bad event.
import type { BedrockRuntimeClientConfig } from '@aws-sdk/client-bedrock-runtime'
import { eventStreamSerdeProvider } from '@smithy/core/event-streams'
import type { ModelAnomaly } from '#domain/model/model-part.ts'

/** An event of ConverseStream by its name, or an event of the vendor inside a `chunk`. */
export type BedrockEvent = Readonly<Record<string, unknown>>

interface RawMessage {
  readonly headers: Readonly<Record<string, { readonly value: unknown }>>
  readonly body: Uint8Array
}
type ReadEvent = (event: Readonly<Record<string, RawMessage>>) => Promise<unknown>
interface Marshaller {
  deserialize(body: unknown, read: ReadEvent): AsyncIterable<unknown>
}
type SerdeProvider = NonNullable<BedrockRuntimeClientConfig['eventStreamSerdeProvider']>

const KNOWN = new Set([
  'chunk',
  'messageStart',
  'contentBlockStart',
  'contentBlockDelta',
  'contentBlockStop',
  'messageStop',
  'metadata',
])
/** The value that makes the SDK skip an event. */
const SKIPPED = { $unknown: true }

export function defensiveSerde(onAnomaly: (anomaly: ModelAnomaly) => void): SerdeProvider {
  return ((options: Parameters<typeof eventStreamSerdeProvider>[0]) => {
    const inner = eventStreamSerdeProvider(options) as unknown as Marshaller
    const read = (event: Readonly<Record<string, RawMessage>>): BedrockEvent => {
      const [name = '', message] = Object.entries(event)[0] ?? []
      if (!KNOWN.has(name) || message === undefined) {
        onAnomaly('unknown-event')
        return SKIPPED
      }
      try {
        return decoded(name, message.body)
      } catch {
        onAnomaly('undecodable-event')
        return SKIPPED
      }
    }
    return {
      serialize: (inner as unknown as { serialize: unknown }).serialize,
      deserialize: (body: unknown, readTyped: ReadEvent) =>
        inner.deserialize(body, async (event) =>
          // The SDK decodes exceptions, because it makes typed errors of them.
          messageTypeOf(event) === 'event' ? read(event) : readTyped(event),
        ),
    }
  }) as unknown as SerdeProvider
}

function messageTypeOf(event: Readonly<Record<string, RawMessage>>): unknown {
  return Object.values(event)[0]?.headers[':message-type']?.value
}

function decoded(name: string, body: Uint8Array): BedrockEvent {
  const event = objectIn(asBuffer(body).toString('utf8'))
  if (name !== 'chunk') return { [name]: event }
  if (typeof event.bytes !== 'string') throw new TypeError('a chunk without bytes')
  return objectIn(Buffer.from(event.bytes, 'base64').toString('utf8'))
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function objectIn(json: string): BedrockEvent {
  const value: unknown = JSON.parse(json)
  if (typeof value !== 'object' || value === null) throw new TypeError('an event that is not an object')
  return value as BedrockEvent
}
