// The figures of a lane: what the controller starts from, and the table of circuits per dependency, which is the ceiling of
// the one and the whole rule of the `reference` policy. All of it is configuration; nothing else here knows a number.

/** A row of the table of circuits. */
export interface CircuitFigures {
  readonly failures: number
  /** Share of failed calls. */
  readonly rate: number
  readonly windowMs: number
  readonly openMs: number
}

export const CIRCUITS = {
  primary: { failures: 5, rate: 0.5, windowMs: 60_000, openMs: 60_000 },
  economy: { failures: 8, rate: 0.5, windowMs: 60_000, openMs: 30_000 },
  search: { failures: 5, rate: 0.3, windowMs: 30_000, openMs: 45_000 },
  catalogue: { failures: 5, rate: 0.3, windowMs: 30_000, openMs: 45_000 },
  sessions: { failures: 10, rate: 0.2, windowMs: 30_000, openMs: 30_000 },
  redis: { failures: 15, rate: 0.4, windowMs: 30_000, openMs: 15_000 },
} as const satisfies Readonly<Record<string, CircuitFigures>>

/** What has a circuit and is no model. */
export type Dependency = Exclude<keyof typeof CIRCUITS, 'primary' | 'economy'>

export interface LaneSettings {
  readonly tickMs: number
  readonly circuit: CircuitFigures
  /** How many probes make a stage; every one of a stage must pass. */
  readonly probeStages: readonly number[]
  readonly retry: {
    readonly bucketMin: number
    /** The bucket also holds the successes of so long. */
    readonly bucketMs: number
    /** Time adds one to the bucket so often: on a quiet lane successes alone would take hours. */
    readonly refillEveryMs: number
    readonly costs: { readonly throttle: number; readonly quick: number; readonly slow: number }
    /** A failure within this time was quick. */
    readonly quickMs: number
    /** Most retries in ten seconds, whatever the traffic. */
    readonly countMax: number
    /** Most retries as a share of the first attempts of the same ten seconds, and what is always allowed. */
    readonly share: number
    readonly countFloor: number
    /** Retries only while less than this share of the limit is in flight. */
    readonly inFlightShare: number
  }
  readonly limit: {
    readonly floor: number
    readonly windowMs: number
    /** With fewer calls in the window there is no ratio: one unlucky call is not half of all. */
    readonly callsMin: number
    /** Overload ratios that cut, the worst first. */
    readonly cuts: readonly { readonly above: number; readonly factor: number }[]
    readonly growBelow: number
    readonly growFactor: number
    /** Past what was usual when all was well. */
    readonly growSlowlyFactor: number
    /** A wait for first words that is never too long, and how many times the usual one is. */
    readonly waitMinMs: number
    readonly waitFactor: number
    /** Overloads that may happen between two ticks: so many, or this share of the usual calls. */
    readonly overloadsPerTick: number
    readonly overloadsShare: number
    /** The share of the limit from which it counts as well used. */
    readonly wellUsed: number
    readonly liftAfterMs: number
    /** An overload holds its slot this long from the moment it was taken. */
    readonly overloadHoldMs: number
  }
  readonly trip: {
    readonly loss: number
    readonly windows: readonly { readonly ms: number; readonly callsMin: number }[]
    /** With fewer calls than this in the window, a few failures tell. */
    readonly lowTrafficCalls: number
    readonly failuresRunning: number
    /** So many tell at any traffic: with half of all calls failing it hardly ever happens. */
    readonly failuresRunningMax: number
  }
  readonly open: {
    readonly firstMs: number
    /** Jitter included. */
    readonly maxMs: number
    /** ± this share. */
    readonly jitter: number
    /** Closed for so long, and the next opening is a first one again. */
    readonly forgetMs: number
  }
  /** Slow start gives way to the limit after this long at the latest. */
  readonly slowStartMaxMs: number
  readonly level: {
    readonly dwellMs: number
    readonly slight: { readonly overload: number; readonly bucketShare: number }
    readonly high: { readonly overload: number; readonly bucketShare: number; readonly shed: number }
  }
}

export const laneDefaults: LaneSettings = {
  tickMs: 500,
  circuit: CIRCUITS.primary,
  probeStages: [1, 3, 10],
  retry: {
    bucketMin: 25,
    bucketMs: 2000,
    refillEveryMs: 2000,
    costs: { throttle: 5, quick: 5, slow: 14 },
    quickMs: 1000,
    countMax: 100,
    share: 0.1,
    countFloor: 5,
    inFlightShare: 0.9,
  },
  limit: {
    floor: 5,
    windowMs: 3000,
    callsMin: 5,
    cuts: [
      { above: 0.5, factor: 0.6 },
      { above: 0.1, factor: 0.85 },
    ],
    growBelow: 0.03,
    growFactor: 1.16,
    growSlowlyFactor: 1.03,
    waitMinMs: 1000,
    waitFactor: 2,
    overloadsPerTick: 3,
    overloadsShare: 0.1,
    wellUsed: 0.8,
    liftAfterMs: 30_000,
    overloadHoldMs: 500,
  },
  trip: {
    loss: 0.9,
    windows: [
      { ms: 5000, callsMin: 20 },
      { ms: 10_000, callsMin: 10 },
    ],
    lowTrafficCalls: 20,
    failuresRunning: 3,
    failuresRunningMax: 20,
  },
  // The longest is jitter included and a second short of eight: a lane asked every four seconds is then probed at every
  // second question at the latest, and back within ten seconds.
  open: { firstMs: 2000, maxMs: 7000, jitter: 0.25, forgetMs: 10_000 },
  slowStartMaxMs: 10_000,
  level: {
    dwellMs: 5000,
    slight: { overload: 0.03, bucketShare: 0.75 },
    high: { overload: 0.1, bucketShare: 0.25, shed: 0.05 },
  },
}
