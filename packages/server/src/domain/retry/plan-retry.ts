// Whether a failed try is followed by another on the same model, and after how long. Everything that forbids one is here but
// the lane's own word, which is given when the permit is asked for: so no retry outlives its deadline. What follows after
// words were shown is planned alike, and goes on with them (turn/invocation/continue.ts).
import type { Level } from '../lane/level.ts'
import type { ModelFailure } from '../model/model-part.ts'
import type { Delays } from './delays.ts'
import { attemptsAfter } from './retryable.ts'

export interface RetryLimits {
  readonly attemptsPerModelMax: number
  readonly attemptsPerTurnMax: number
}

export const retryDefaults: RetryLimits = { attemptsPerModelMax: 3, attemptsPerTurnMax: 5 }

/** Those told the same moment by the provider come back within this share after it, not all in it. */
const FLOOR_SPREAD = 0.25

export interface FailedTry {
  readonly failure: Pick<ModelFailure, 'class' | 'retryAfterMs'>
  /** Tries so far, this one included. */
  readonly attemptsOnModel: number
  readonly attemptsOfTurn: number
  readonly level: Level
  readonly delays: Delays
}

export interface RetryMoment {
  readonly now: number
  readonly firstWordBy: number
  /** How long the model's first word usually takes. */
  readonly typicalMs: number
  /** Uniform in [0, 1). */
  readonly float: number
}

export type RetryPlan =
  | { readonly kind: 'retry'; readonly delayMs: number; readonly delays: Delays }
  | { readonly kind: 'give-up'; readonly why: 'not-retryable' | 'attempts' | 'lane' | 'level' | 'deadline' }

export function planRetry(failed: FailedTry, moment: RetryMoment, limits: RetryLimits = retryDefaults): RetryPlan {
  const { failure, attemptsOnModel, attemptsOfTurn, level } = failed
  const attemptsMax = Math.min(limits.attemptsPerModelMax, attemptsAfter(failure.class))
  if (attemptsMax <= 1) return { kind: 'give-up', why: 'not-retryable' }
  if (attemptsOnModel >= attemptsMax || attemptsOfTurn >= limits.attemptsPerTurnMax)
    return { kind: 'give-up', why: 'attempts' }
  const drawn = failed.delays.next({ class: failure.class, level, float: moment.float })
  if (drawn === undefined) return { kind: 'give-up', why: 'level' }

  // The provider's wish is kept or the retry is not made; a delay of our own gives way to the deadline.
  const floorMs = Math.round((failure.retryAfterMs ?? 0) * (1 + FLOOR_SPREAD * moment.float))
  const roomMs = moment.firstWordBy - moment.now - moment.typicalMs
  if (roomMs < floorMs) return { kind: 'give-up', why: 'deadline' }
  return { kind: 'retry', delayMs: Math.min(roomMs, Math.max(floorMs, drawn.delayMs)), delays: drawn.delays }
}
