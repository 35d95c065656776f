// Rates that all nodes share. Those that every request counts against (global, by route, new connections) a node leases in
// chunks, ahead and never for a single request, and returns what it did not use. Rare requests of one caller (`of`) are leased one by one.

export interface RateBucket {
  readonly name: string
  /** Whose bucket it is, as a pseudonym, where every caller has one; metrics have only the name. */
  readonly of?: string
  readonly perSecond: number
  readonly burst: number
}

interface RateChunk {
  /** The requested number, or what is left. */
  readonly granted: number
  /** When none were granted: the time until one can be. */
  readonly retryAfterMs: number
}

export interface RateChunks {
  /** Leases up to `tokens`. A repeat of the operation gets the first result and takes nothing. */
  lease(bucket: RateBucket, tokens: number, operation: string): Promise<RateChunk>
  /** Returns part of what an operation took, once, as far as it has not refilled by itself. */
  giveBack(bucket: RateBucket, tokens: number, operation: string): Promise<void>
}
