// The figures of a lane: the defaults of the controller, and the table of circuits per dependency, which bounds the `adaptive`
// policy and is the rule of the `reference` policy. The other files of this folder contain no such figures.

import { paceDefaults } from './pace.ts'
import type { PaceSettings } from './pace.ts'

/** One row of the table of circuits. */
export interface CircuitFigures {
  readonly failures: number
  /** The share of failed calls that opens the circuit. */
  readonly rate: number
  readonly windowMs: number
  readonly openMs: number
}

export const CIRCUITS = {
  primary: { failures: 5, rate: 0.5, windowMs: 60_000, openMs: 60_000 },
  economy: { failures: 8, rate: 0.5, windowMs: 60_000, openMs: 30_000 },
  search: { failures: 5, rate: 0.3, windowMs: 30_000, openMs: 45_000 },
  opensearch: { failures: 5, rate: 0.3, windowMs: 30_000, openMs: 30_000 },
  catalogue: { failures: 5, rate: 0.3, windowMs: 30_000, openMs: 45_000 },
  sessions: { failures: 10, rate: 0.2, windowMs: 30_000, openMs: 30_000 },
  embedder: { failures: 5, rate: 0.5, windowMs: 30_000, openMs: 30_000 },
  redis: { failures: 15, rate: 0.4, windowMs: 30_000, openMs: 15_000 },
  dynamodb: { failures: 15, rate: 0.4, windowMs: 30_000, openMs: 15_000 },
} as const satisfies Readonly<Record<string, CircuitFigures>>

/** A dependency with a circuit that is not a model. */
export type Dependency = Exclude<keyof typeof CIRCUITS, 'primary' | 'economy'>

/** A store on other machines that one client of this node calls. */
export type RemoteStore = 'redis' | 'dynamodb'

export interface LaneSettings {
  readonly tickMs: number
  readonly circuit: CircuitFigures
  /** The number of probes in each stage; all probes of a stage must pass. */
  readonly probeStages: readonly number[]
  readonly retry: {
    readonly bucketMin: number
    /** The bucket is at least as large as the successes of this time. */
    readonly bucketMs: number
    /** Time adds one to the bucket at this interval: on a quiet lane successes alone would take hours to fill it. */
    readonly refillEveryMs: number
    readonly costs: { readonly throttle: number; readonly quick: number; readonly slow: number }
    /** A failure within this time counts as quick. */
    readonly quickMs: number
    /** Maximum retries in ten seconds at any traffic. */
    readonly countMax: number
    /** Maximum retries as a share of the first attempts of the same ten seconds. */
    readonly share: number
    /** This many retries in ten seconds are allowed whatever `share` says. */
    readonly countFloor: number
    /** Retries pass only while less than this share of the limit is in flight. */
    readonly inFlightShare: number
  }
  readonly limit: {
    readonly floor: number
    readonly windowMs: number
    /** With fewer calls in the window no ratio is computed, because a single failure would be a large share. */
    readonly callsMin: number
    /** Overload ratios that cut the limit, the highest first. */
    readonly cuts: readonly { readonly above: number; readonly factor: number }[]
    /** The same for silent calls, if there are at least so many: one healthy call in twenty is as slow. */
    readonly silentCuts: readonly { readonly above: number; readonly factor: number }[]
    readonly silentsMin: number
    readonly growBelow: number
    readonly growFactor: number
    /** Replaces `growFactor` above the usual number in flight. */
    readonly growSlowlyFactor: number
    /** The limit rises while the wait for the first words is at most this many times the usual one: a longer one shows that calls queue at the provider. */
    readonly growWaitFactor: number
    /** And this much more. */
    readonly growWaitMs: number
    /** A wait for the first words up to this is always accepted. */
    readonly waitMinMs: number
    /** A wait up to this many times the usual one is accepted too. */
    readonly waitFactor: number
    /** Maximum overloads between two ticks. */
    readonly overloadsPerTick: number
    /** Raises `overloadsPerTick` to this share of the usual calls of a tick, if that is more. */
    readonly overloadsShare: number
    /** From this share in flight on, the limit counts as well used. */
    readonly wellUsed: number
    readonly liftAfterMs: number
    /** An overload holds its slot until this long after its permit was taken. */
    readonly overloadHoldMs: number
    /** So does a silent call: its provider may work on, and what it works on takes the place of another call. */
    readonly silentHoldMs: number
  }
  /** Null: an overload cuts the limit instead. */
  readonly pace: PaceSettings | null
  readonly trip: {
    readonly loss: number
    readonly windows: readonly { readonly ms: number; readonly callsMin: number }[]
    /** With a smaller share of silent calls among its failures a busy lane is given its longest window. */
    readonly slowShare: number
    /** With fewer calls than this in the window, traffic is low. */
    readonly lowTrafficCalls: number
    /** At low traffic this many consecutive failures open the circuit, if they are of at least `turnsMin` questions. */
    readonly failuresRunning: number
    readonly turnsMin: number
    /**
     * So many consecutive failures, some of them silent, open it at any traffic, or as many as the calls that ended in `failuresRunningMs`, where
     * that is more: of a busy lane half of whose calls fail, a short run occurs every minute.
     */
    readonly failuresRunningMax: number
    readonly failuresRunningMs: number
  }
  readonly open: {
    readonly firstMs: number
    /** Includes the jitter. */
    readonly maxMs: number
    /** The open time varies by ± this share. */
    readonly jitter: number
    /** After being closed for this long, the next opening lasts `firstMs` again. */
    readonly forgetMs: number
    /**
     * With usually at least so many calls in flight, a repeated opening lasts no longer than the first: a probe is one call of many, and people
     * wait for its outcome.
     */
    readonly busyInFlight: number
  }
  /** Slow start ends after this long at the latest. */
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
    silentCuts: [
      { above: 0.5, factor: 0.6 },
      { above: 0.15, factor: 0.85 },
    ],
    silentsMin: 3,
    growBelow: 0.03,
    growFactor: 1.16,
    growSlowlyFactor: 1.03,
    growWaitFactor: 1.25,
    growWaitMs: 250,
    waitMinMs: 600,
    waitFactor: 2,
    overloadsPerTick: 3,
    overloadsShare: 0.1,
    wellUsed: 0.8,
    liftAfterMs: 30_000,
    overloadHoldMs: 500,
    silentHoldMs: 2500,
  },
  pace: paceDefaults,
  trip: {
    loss: 0.9,
    windows: [
      { ms: 5000, callsMin: 20 },
      { ms: 10_000, callsMin: 10 },
    ],
    slowShare: 0.2,
    lowTrafficCalls: 20,
    failuresRunning: 3,
    turnsMin: 2,
    failuresRunningMax: 12,
    failuresRunningMs: 2000,
  },
  // `maxMs` is below eight seconds, so that a lane with a call every four seconds is probed by every second call at the latest,
  // and recovers within ten seconds.
  open: { firstMs: 2000, maxMs: 7000, jitter: 0.25, forgetMs: 10_000, busyInFlight: 5 },
  slowStartMaxMs: 10_000,
  level: {
    dwellMs: 5000,
    slight: { overload: 0.03, bucketShare: 0.75 },
    high: { overload: 0.1, bucketShare: 0.25, shed: 0.05 },
  },
}
