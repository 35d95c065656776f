// Times and shapes that several rows of the table share.
import type { BurnPair } from '../alarm.ts'

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS

/**
 * A month's error budget is used by 2 % in an hour, or by 5 % in six hours: enough to wake someone, or to check it today. The short
 * window ends the alarm soon after the cause.
 */
export const BURN_PAIRS: readonly BurnPair[] = [
  { longMs: HOUR_MS, shortMs: 5 * MINUTE_MS, rate: 14.4 },
  { longMs: 6 * HOUR_MS, shortMs: 30 * MINUTE_MS, rate: 6 },
]

/** What most rows have. */
export const USUAL = { by: [], forMs: 0, clearMs: MINUTE_MS, unit: 'count' } as const
