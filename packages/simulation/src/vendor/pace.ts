// How fast the simulated model answers. A fixed time of the first token hides what a real one does to a deadline, so it can be drawn.

export interface Pace {
  /** The median, where `firstTokenP95Ms` is given. */
  readonly firstTokenMs: number
  /** Draws the time of each first token from a log-normal distribution, as those of real models are. Default: always `firstTokenMs`. */
  readonly firstTokenP95Ms?: number
  /** 0: as fast as possible. */
  readonly tokensPerSecond: number
}

/** The 95th percentile of the standard normal distribution. */
const NORMAL_P95 = 1.645

/** The pace of one answer. `draw` is uniform in [0, 1). */
export function drawnPace(pace: Pace, draw: () => number): Pace {
  const { firstTokenMs, firstTokenP95Ms } = pace
  if (firstTokenP95Ms === undefined || firstTokenMs === 0) return pace
  // The Box–Muller transform.
  const normal = Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw())
  const deviation = Math.log(firstTokenP95Ms / firstTokenMs) / NORMAL_P95
  return { ...pace, firstTokenMs: firstTokenMs * Math.exp(deviation * normal) }
}
