// Policies for the delay before a retry, apart from the provider's own Retry-After. Each policy is a value: `next` returns a
// delay and the policy for the next retry, or undefined when it allows no further retry. Selected by configuration.
import type { Level } from '../lane/level.ts'
import type { ModelErrorClass } from '../model/model-part.ts'
import { BACKOFFS } from './backoff.ts'
import type { Backoff, JitterStrategy } from './backoff.ts'

export interface DelayAsk {
  readonly class: ModelErrorClass
  /** The pressure on the lane. */
  readonly level: Level
  /** Uniform in [0, 1). */
  readonly float: number
}

export interface Delays {
  next(ask: DelayAsk): { readonly delayMs: number; readonly delays: Delays } | undefined
}

const CAP_MS = 10_000

const CONTROLLER_BASES = { throttleMs: 1000, otherMs: 200, capMs: CAP_MS }

/** The default: the backoff starts at 1 s for a throttled provider and at 200 ms for any other failure. */
export function controllerDelays(strategy: JitterStrategy, bases = CONTROLLER_BASES): Delays {
  const create = BACKOFFS[strategy]
  const go = (throttle: Backoff, other: Backoff): Delays => ({
    next(ask) {
      const isThrottle = ask.class === 'throttled'
      const { delayMs, backoff } = (isThrottle ? throttle : other).next(ask.float)
      return { delayMs, delays: isThrottle ? go(backoff, other) : go(throttle, backoff) }
    },
  })
  const { throttleMs, otherMs, capMs } = bases
  return go(create({ baseMs: throttleMs, capMs }), create({ baseMs: otherMs, capMs }))
}

/** One backoff for every failure: by default the decorrelated one from 100 ms to 10 s. */
export function plainDelays(backoff: Backoff = BACKOFFS.decorrelated({ baseMs: 100, capMs: CAP_MS })): Delays {
  return {
    next(ask) {
      const { delayMs, backoff: after } = backoff.next(ask.float)
      return { delayMs, delays: plainDelays(after) }
    },
  }
}

const SPREAD = { baseMs: 500, capMs: 8000 }

/** Doubles from 0.5 s to 8 s, with ± 50 % jitter. */
export function spreadDelays(retries = 0): Delays {
  return {
    next: (ask) => ({
      delayMs: Math.round(Math.min(SPREAD.capMs, SPREAD.baseMs * 2 ** retries) * (0.5 + ask.float)),
      delays: spreadDelays(retries + 1),
    }),
  }
}

interface PressureRow {
  readonly baseMs: number
  readonly jitterMs: number
  readonly capMs: number
  readonly retriesMax: number
  readonly factor: number
}

const PRESSURE: Readonly<Record<Level, PressureRow>> = {
  normal: { baseMs: 1000, jitterMs: 1000, capMs: 10_000, retriesMax: 3, factor: 1 },
  slight: { baseMs: 2000, jitterMs: 2000, capMs: 15_000, retriesMax: 2, factor: 1.2 },
  high: { baseMs: 5000, jitterMs: 5000, capMs: 30_000, retriesMax: 1, factor: 2 },
  open: { baseMs: 0, jitterMs: 0, capMs: 0, retriesMax: 0, factor: 1 },
  recovery: { baseMs: 3000, jitterMs: 2000, capMs: 20_000, retriesMax: 1, factor: 1.5 },
}

/** The reference's table: delay and number of retries depend on the lane's level. A delay is (base · 2^n + jitter) · factor. */
export function pressureDelays(retries = 0): Delays {
  return {
    next({ level, float }) {
      const { baseMs, jitterMs, capMs, retriesMax, factor } = PRESSURE[level]
      if (retries >= retriesMax) return undefined
      const delayMs = Math.round(Math.min(capMs, (baseMs * 2 ** retries + jitterMs * float) * factor))
      return { delayMs, delays: pressureDelays(retries + 1) }
    },
  }
}

const SHAPE = { baseMs: 2000, factor: 3 }

/** The reference's delays for throttled models: from 2 s, times three. */
export function shapedDelays(retries = 0): Delays {
  return {
    next({ float }) {
      const grownMs = Math.min(CAP_MS, SHAPE.baseMs * SHAPE.factor ** retries)
      return { delayMs: Math.round((grownMs * (1 + float)) / 2), delays: shapedDelays(retries + 1) }
    },
  }
}
