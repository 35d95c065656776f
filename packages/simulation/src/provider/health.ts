// The current faults of a simulated provider, as shares of its normal behaviour. The scenario sets them; the region
// reads them at every call.

export interface Health {
  /** Shares of its slots and of its token quota that remain. */
  readonly slotShare: number
  readonly quotaShare: number
  /** Shares of calls that end with a quick 5xx, never produce a word, break off, or fall silent in the middle. */
  readonly errorShare: number
  readonly silenceShare: number
  readonly cutShare: number
  readonly stallShare: number
  /** Share of calls whose first word is late, and by how much. */
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
