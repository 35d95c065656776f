// The wire format of a vendor. A reply is `start`, deltas and the events of `end`; each failure has its own method.
// Every method returns bytes; the caller decides when to write them.
import type { Usage } from '../usage.ts'
import type { ErrorName } from '../vendor-errors.ts'

export type Stop = 'end' | 'length' | 'tool-use' | 'guardrail' | 'content-filter'

export interface Ending {
  readonly stop: Stop
  readonly outputTokens: number
}

/** The data that every event of one reply is made from. */
export interface WireReply {
  readonly id: string
  readonly model: string
  readonly promptTokens: number
  readonly usage: Usage
  readonly includeUsage: boolean
  readonly createdAt: number
}

/** `crc` is a frame with a wrong checksum, which only framed wires can send. */
type Malformation = 'json' | 'crc'

export interface Wire {
  readonly contentType: string
  start(): Buffer
  delta(text: string): Buffer
  /** Reasoning, separate from the answer's text. */
  reasoning(text: string): Buffer
  /** A tool call instead of more text. */
  toolCall(): Buffer
  /** The final events in order; a faulty reply lacks the last one, or all. */
  end(ending: Ending): readonly Buffer[]
  exception(error: ErrorName): Buffer
  malformed(how: Malformation): Buffer
  /** An event of an unknown type. */
  unknown(): Buffer
  /** The whole answer as one body, for a call that does not stream. */
  whole(text: string, ending: Ending): Record<string, unknown>
}
