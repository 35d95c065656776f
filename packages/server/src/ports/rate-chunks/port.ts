// Rates that all nodes share and every request counts against: global, by route, new connections. A node takes them in
// chunks, ahead and never for a single request, and gives back what it did not use.

export interface RateBucket {
  readonly name: string
  readonly perSecond: number
  readonly burst: number
}

interface RateChunk {
  /** As many as were asked for, or what is left. */
  readonly granted: number
  /** When none were granted: until one can be. */
  readonly retryAfterMs: number
}

export interface RateChunks {
  /** Takes up to `tokens`. A repeat with the same operation is answered as the first time and takes nothing. */
  lease(bucket: RateBucket, tokens: number, operation: string): Promise<RateChunk>
  /** Gives back that much of what an operation took, once, as far as it has not flowed back by itself. */
  giveBack(bucket: RateBucket, tokens: number, operation: string): Promise<void>
}
