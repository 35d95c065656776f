// The fields of a limit's override, for a tier or a single user, and the change that they make. An empty field keeps the value.
import type { TierOverrideRequest } from '@mangaassist/protocol/admin'
import type { ActionField, FieldValues } from '../shell/host.ts'
import type { SayFilled } from '../shell/say.ts'
import type { limitWords } from '../words/limits.ts'

export type Limits = TierOverrideRequest['limits']

const fields = [
  { name: 'inputTokensPerDay', word: 'inputPerDay', min: 1, step: 1 },
  { name: 'outputTokensPerDay', word: 'outputPerDay', min: 1, step: 1 },
  { name: 'microUsdPerDay', word: 'costPerDayMicro', min: 1, step: 1 },
  { name: 'requestsPerMinute', word: 'perMinute', min: 1, step: 1 },
  { name: 'outputTokensPerRequest', word: 'outputPerRequest', min: 1, max: 2048, step: 1 },
  { name: 'rateFactor', word: 'rateFactor', min: 0.1, max: 100, step: 0.1 },
] as const

export function limitFields(say: SayFilled<typeof limitWords>, current: Limits = {}): ActionField[] {
  return fields.map(({ name, word, ...bounds }) => ({
    kind: 'number',
    name,
    label: say(word),
    value: String(current[name] ?? ''),
    ...bounds,
  }))
}

export function limitsOf(values: FieldValues): Limits {
  return Object.fromEntries(
    fields.flatMap(({ name }) => {
      const value = values[name] ?? ''
      return value === '' ? [] : [[name, Number(value)]]
    }),
  )
}
