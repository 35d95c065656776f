// The settings that operators change while the servers run.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Reason } from './common.ts'

export const ServiceMode = Type.Enum(['normal', 'reduced', 'read-only', 'maintenance'], {
  description:
    '`reduced` asks no vendor: cache, built-in responder and FAQ answer; `read-only` and `maintenance` refuse new questions',
})
export type ServiceMode = Static<typeof ServiceMode>

const SettingName = Type.Enum(
  ['mode', 'log-level', 'answer-cache', 'deferred-questions', 'routing', 'hedging', 'prewarm'],
  { description: '`mode`, `log-level`, or a part that can be switched off and on again' },
)

const SettingValue = Type.Union([Type.String({ minLength: 1, maxLength: 32 }), Type.Boolean()])

export const SettingView = Type.Object({
  name: SettingName,
  value: Type.Union([Type.String(), Type.Boolean()], { description: 'What is in effect' }),
  configured: Type.Union([Type.String(), Type.Boolean()], { description: 'What is in effect without a change' }),
  changed: Type.Union([
    Type.Object({
      by: Type.String(),
      at: Type.String(),
      reason: Type.String(),
      until: Type.Optional(Type.String({ description: 'It has no effect from then on' })),
    }),
    Type.Null(),
  ]),
})
export type SettingView = Static<typeof SettingView>

export const SettingRequest = Type.Object(
  {
    name: SettingName,
    value: Type.Union([SettingValue, Type.Null()], {
      description:
        'A mode; `debug`, `info`, `warn` or `error`; for a switch `false` or `true`. Null: what is configured applies again',
    }),
    until: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601: the change ends then' })),
    reason: Reason,
  },
  { additionalProperties: false },
)
export type SettingRequest = Static<typeof SettingRequest>
