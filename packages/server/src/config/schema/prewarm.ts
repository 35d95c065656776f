// The prewarm before a release day. A part of `config.ts`.
import Type from 'typebox'
import { WEEKDAYS } from '#domain/releases/prewarm-schedule.ts'
import { Positive, section, Whole } from './section.ts'

const HOUR_MS = 3_600_000

/**
 * Answers what will be asked about the volumes that come out on the next day, so that its first shoppers wait for no
 * model. One node does it, at low priority.
 */
export const PrewarmShape = section({
  enabled: Type.Boolean(),
  /** The weekdays on which it begins, each for the releases of the following day. */
  weekdays: Type.Array(Type.Enum([...WEEKDAYS]), { minItems: 1, uniqueItems: true }),
  /** When it begins, in the shop's time zone. */
  time: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: 'a time such as 23:30' }),
  /** How long after that time a missed or unfinished one is still caught up. */
  catchUpMs: Type.Integer({ minimum: 1, maximum: 24 * HOUR_MS }),
  /** Questions for one release day; the least asked are left out. */
  questionsMax: Positive,
  /** Cost for one release day, in millionths of a dollar. */
  microUsdMax: Whole,
})

export const prewarmDefaults = {
  enabled: true,
  weekdays: ['tuesday' as const],
  time: '23:30',
  catchUpMs: 6 * HOUR_MS,
  questionsMax: 300,
  microUsdMax: 2_000_000,
}
