// How a simulated provider behaves when nothing in particular is wrong with it: its size, its pace, and what it does not
// always tell. A scenario gives the size; the habits are the same for all of them.

export interface Capacity {
  /** Calls it works on at once; the rest wait in its line. */
  readonly slots: number
  readonly tokensPerMinute: number
  /** The middle one of a log-normal. */
  readonly firstTokenMs: number
  /** Each answer has a pace of its own between the two. */
  readonly tokensPerSecond: readonly [number, number]
}

export interface Habits {
  /** Pieces of an answer, each with a timer. */
  readonly deltas: number
  readonly firstTokenSigma: number
  readonly quotaBurstMs: number
  /** Work goes on to its end when the caller has left, and holds its slot. */
  readonly abandonedWork: boolean
  /** Calls in line, in slots; past it a call is turned away with a 503. */
  readonly lineMax: number
  /** How much longer work takes for each slots' worth of calls in line, and the most. */
  readonly stretchPerLine: number
  readonly stretchMax: number
  /** Of 429s that say when to come back, and of answers that tell what they used. */
  readonly retryAfterShare: number
  readonly usageShare: number
  /** Of calls that are to go on with an answer: begins again, says the last words again, tells it otherwise. The rest go on. */
  readonly restartShare: number
  readonly overlapShare: number
  readonly mismatchShare: number
}

export const USUAL_HABITS: Habits = {
  deltas: 6,
  firstTokenSigma: 0.4,
  quotaBurstMs: 5000,
  abandonedWork: true,
  lineMax: 8,
  stretchPerLine: 0.1,
  stretchMax: 1.5,
  retryAfterShare: 0.5,
  usageShare: 0.95,
  restartShare: 0.15,
  overlapShare: 0.15,
  mismatchShare: 0.05,
}
