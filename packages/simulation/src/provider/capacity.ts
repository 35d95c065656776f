// The capacity of a simulated provider's region: from the calls a second that a scenario gives it, and from what a call of
// the simulated shoppers really uses. Nothing here assumes the size of a prompt: prompts grow, and a region sized by hand is
// then overloaded before its first fault.
import { USUAL_HABITS } from './habits.ts'
import type { Capacity } from './habits.ts'
import type { Grant } from './token-quota.ts'

/** Means over the calls of shoppers without faults. */
export interface UsualCall {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The size of a region as a scenario states it. `slots` and `tokensPerMinute` follow from `callsPerSecond` where absent. */
export interface RegionSize extends Pick<Capacity, 'firstTokenMs' | 'tokensPerSecond'> {
  readonly callsPerSecond: number
  readonly slots?: number
  readonly tokensPerMinute?: number
}

/** A healthy provider must refuse by quota before its queue grows; what is granted by the minute may be taken in a quarter of it. */
const SLOTS_SPARE: Readonly<Record<Grant, number>> = { steady: 1.1, minute: 4 }
const SECOND_MS = 1000
const MINUTE_S = 60

export function capacityOf(size: RegionSize, usual: UsualCall, grant: Grant = USUAL_HABITS.quotaGrant): Capacity {
  const { callsPerSecond, firstTokenMs, tokensPerSecond } = size
  return {
    slots: size.slots ?? Math.ceil((callsPerSecond * SLOTS_SPARE[grant] * usualServiceMs(size, usual)) / SECOND_MS),
    tokensPerMinute:
      size.tokensPerMinute ?? Math.ceil(callsPerSecond * MINUTE_S * (usual.inputTokens + usual.outputTokens)),
    firstTokenMs,
    tokensPerSecond,
  }
}

/** Mean time that a slot is held: the mean of the log-normal, plus the tokens at a pace between the two. */
export function usualServiceMs({ firstTokenMs, tokensPerSecond }: RegionSize, { outputTokens }: UsualCall): number {
  const [slowest, fastest] = tokensPerSecond
  const meanFirstMs = firstTokenMs * Math.exp(USUAL_HABITS.firstTokenSigma ** 2 / 2)
  const secondsPerToken = fastest === slowest ? 1 / slowest : Math.log(fastest / slowest) / (fastest - slowest)
  return meanFirstMs + outputTokens * secondsPerToken * SECOND_MS
}
