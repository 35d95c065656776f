// Alarms: which fire, which fired lately, how they are set, silences, and tests of the senders.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Count } from '../vocabulary.ts'
import { Reason } from './common.ts'

/** A week: a longer one is a setting. */
const SILENCE_MS_MAX = 604_800_000

const Title = Type.Object({ ja: Type.String(), en: Type.String() })
const SeverityView = Type.Enum(['page', 'warn', 'info'], {
  description: '`page`: wake someone; `warn`: look at it today; `info`: good to know',
})
const GroupView = Type.Enum(['service', 'models', 'money', 'stores', 'nodes'])
const Time = Type.String({ description: 'An ISO time' })

const AlarmSeries = Type.Object({
  labels: Type.Record(Type.String(), Type.String()),
  value: Type.Number(),
  hosts: Type.Array(Type.String(), { description: 'The nodes on which it fires' }),
})

const SilenceView = Type.Object({ until: Time, at: Time, by: Type.String(), reason: Type.String() })

const FiringAlarm = Type.Object({
  id: Type.String(),
  title: Title,
  severity: SeverityView,
  group: GroupView,
  since: Time,
  notifiedAt: Type.Optional(Type.String({ description: 'When people were last notified of it; absent: not yet' })),
  above: Type.Number({ description: 'The threshold, in `unit`' }),
  unit: Type.String(),
  series: Type.Array(AlarmSeries),
  more: Type.Integer({ minimum: 0, description: 'How many series are left out' }),
  runbook: Type.String({ description: 'Where to read what to do' }),
  silence: Type.Optional(SilenceView),
})

const PastAlarm = Type.Object({
  id: Type.String(),
  since: Time,
  resolvedAt: Time,
  series: Type.Array(AlarmSeries),
  more: Count,
  wasNotified: Type.Boolean({ description: 'Whether people were notified of it' }),
})

const AlarmSetting = Type.Object({
  id: Type.String(),
  title: Title,
  severity: SeverityView,
  group: GroupView,
  isEnabled: Type.Boolean(),
  expression: Type.String({ description: 'Its condition, as an expression of Prometheus' }),
  above: Type.Number(),
  unit: Type.String(),
  forMs: Count,
  runbook: Type.String(),
  silence: Type.Optional(SilenceView),
})

export const AlarmsView = Type.Object({
  at: Time,
  isStandalone: Type.Boolean({
    description:
      'True while the state that the nodes share is unavailable: only the alarms of the node that answers are listed',
  }),
  firing: Type.Array(FiringAlarm),
  recent: Type.Array(PastAlarm, { description: 'The last alarms that were resolved, newest first' }),
  alarms: Type.Array(AlarmSetting),
  senders: Type.Array(Type.Object({ name: Type.String(), kind: Type.Enum(['webhook', 'command', 'sns']) })),
  undelivered: Type.Integer({ minimum: 0, description: 'Messages that no sender has taken yet' }),
})
export type AlarmsView = Static<typeof AlarmsView>

export const AlarmParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) })

export const SilenceRequest = Type.Object({
  forMs: Type.Integer({ minimum: 0, maximum: SILENCE_MS_MAX, description: 'How long from now; 0 ends the silence' }),
  reason: Reason,
})
export type SilenceRequest = Static<typeof SilenceRequest>

export const AlarmTestView = Type.Object({
  name: Type.String(),
  kind: Type.String(),
  outcome: Type.Enum(['delivered', 'failed']),
  reason: Type.Optional(Type.String()),
})
export type AlarmTestView = Static<typeof AlarmTestView>
