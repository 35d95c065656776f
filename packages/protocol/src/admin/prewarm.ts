// The prewarm of a release day, asked for by an operator or by an event of Amazon EventBridge, which is sent as it is.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Day, Reason } from './common.ts'

const DayOfReleases = Type.Optional({ ...Day, description: 'The day of the releases; default: the following day' })

export const PrewarmRequest = Type.Object({ day: DayOfReleases, reason: Reason }, { additionalProperties: false })
export type PrewarmRequest = Static<typeof PrewarmRequest>

/** The envelope of every event. Without a day in `detail` the day after `time` is meant, in the shop's time zone. */
export const EventBridgeEvent = Type.Object({
  version: Type.String({ maxLength: 16 }),
  id: Type.String({
    pattern: '^[\\w-]{1,128}$',
    description: 'An event that is delivered again has the same id, and counts once',
  }),
  'detail-type': Type.String({ minLength: 1, maxLength: 256 }),
  source: Type.String({ minLength: 1, maxLength: 256 }),
  account: Type.Optional(Type.String({ maxLength: 64 })),
  time: Type.String({ maxLength: 64, description: 'ISO 8601' }),
  region: Type.Optional(Type.String({ maxLength: 64 })),
  resources: Type.Optional(Type.Array(Type.String({ maxLength: 2048 }), { maxItems: 100 })),
  detail: Type.Object({ day: DayOfReleases }),
})
export type EventBridgeEvent = Static<typeof EventBridgeEvent>

export const PrewarmView = Type.Object({
  day: Type.String({ description: 'The day of the releases' }),
  outcome: Type.Enum(['asked', 'repeated'], {
    description: '`repeated`: this event has arrived before, and nothing was done',
  }),
})
export type PrewarmView = Static<typeof PrewarmView>
