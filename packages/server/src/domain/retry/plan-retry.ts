// Plans whether a failed attempt is retried on the same model, and after which delay. All conditions are checked here except
// the lane's, which answers when the permit is requested. An attempt that failed after text was shown is planned in the same
// way, and the retry continues that text (turn/invocation/continue.ts).
import type { Level } from '../lane/level.ts'
import type { ModelFailure } from '../model/model-part.ts'
import type { Delays } from './delays.ts'
import { attemptsAfter } from './retryable.ts'

export interface RetryLimits {
  readonly attemptsPerModelMax: number
  readonly attemptsPerTurnMax: number
}

export const retryDefaults: RetryLimits = { attemptsPerModelMax: 3, attemptsPerTurnMax: 5 }

/** Retries after the provider's Retry-After are spread over this share of it, so that they do not all come at once. */
const FLOOR_SPREAD = 0.25

export interface FailedTry {
  readonly failure: Pick<ModelFailure, 'class' | 'retryAfterMs'>
  /** Attempts so far, including the failed one. */
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
  const attemptsMax = attemptsAfter(failure.class, limits.attemptsPerModelMax)
  if (attemptsMax <= 1) return { kind: 'give-up', why: 'not-retryable' }
  if (attemptsOnModel >= attemptsMax || attemptsOfTurn >= limits.attemptsPerTurnMax)
    return { kind: 'give-up', why: 'attempts' }
  const drawn = failed.delays.next({ class: failure.class, level, float: moment.float })
  if (drawn === undefined) return { kind: 'give-up', why: 'level' }

  // The provider's Retry-After is never shortened; a delay of our own is cut to fit the deadline.
  const floorMs = Math.round((failure.retryAfterMs ?? 0) * (1 + FLOOR_SPREAD * moment.float))
  const roomMs = moment.firstWordBy - moment.now - moment.typicalMs
  if (roomMs < floorMs) return { kind: 'give-up', why: 'deadline' }
  return { kind: 'retry', delayMs: Math.min(roomMs, Math.max(floorMs, drawn.delayMs)), delays: drawn.delays }
}
