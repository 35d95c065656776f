// What every vendor's voice can say. A reply is spoken as `start`, deltas and the events of `end`; what goes wrong in
// between has its own words. Each method answers the bytes; when they are written is not the wire's business.
import type { Usage } from '../usage.ts'
import type { ErrorName } from '../vendor-errors.ts'

export type Stop = 'end' | 'length' | 'tool-use' | 'guardrail' | 'content-filter'

export interface Ending {
  readonly stop: Stop
  readonly outputTokens: number
}

/** The facts that every event of one reply is made from. */
export interface WireReply {
  readonly id: string
  readonly model: string
  readonly promptTokens: number
  readonly usage: Usage
  readonly includeUsage: boolean
  readonly createdAt: number
}

/** `crc` is a frame whose checksum lies, which only framed wires can send. */
type Malformation = 'json' | 'crc'

export interface Wire {
  readonly contentType: string
  start(): Buffer
  delta(text: string): Buffer
  /** Reasoning, apart from the answer. */
  reasoning(text: string): Buffer
  /** A tool call in place of more text. */
  toolCall(): Buffer
  /** In order; a reply that is not properly ended lacks the last, or all. */
  end(ending: Ending): readonly Buffer[]
  exception(error: ErrorName): Buffer
  malformed(how: Malformation): Buffer
  /** An event of a type that nobody has heard of yet. */
  unknown(): Buffer
  /** The whole answer at once, for a call that does not stream. */
  whole(text: string, ending: Ending): Record<string, unknown>
}
