// What is wrong with a simulated provider at a moment, as plain shares of what it does when it is well. The scenario says
// which; the region reads it at every call.

export interface Health {
  /** Of its slots, and of its quota of tokens, that it has left. */
  readonly slotShare: number
  readonly quotaShare: number
  /** Of calls: a quick 5xx, never a word, a stream that breaks off, a stream that falls silent. */
  readonly errorShare: number
  readonly silenceShare: number
  readonly cutShare: number
  readonly stallShare: number
  /** Of calls that say their first word later, and by how much. */
  readonly slowShare: number
  readonly slowMs: number
}

export const WELL: Health = {
  slotShare: 1,
  quotaShare: 1,
  errorShare: 0,
  silenceShare: 0,
  cutShare: 0,
  stallShare: 0,
  slowShare: 0,
  slowMs: 0,
}
