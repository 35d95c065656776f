// The fields of a limit's override, for a tier or a single user, and the change that they make. An empty field keeps the value.
import type { TierOverrideRequest } from '@mangaassist/protocol/admin'
import { ABSENT } from '../data/format.ts'
import type { Format } from '../data/format.ts'
import type { ActionField, FieldValues } from '../shell/host.ts'
import type { SayFilled } from '../shell/say.ts'
import type { limitWords } from '../words/limits.ts'

export type Limits = TierOverrideRequest['limits']

const MICRO = 1_000_000

/** The form has dollars where the API has `scale` times as many of a smaller unit, whose zeros are hard to count. */
const fields = [
  { name: 'inputTokensPerDay', word: 'inputPerDay', bounds: { min: 1, step: 1 }, scale: 1 },
  { name: 'outputTokensPerDay', word: 'outputPerDay', bounds: { min: 1, step: 1 }, scale: 1 },
  { name: 'microUsdPerDay', word: 'costPerDayUsd', bounds: { min: 1 / MICRO, step: 1 / MICRO }, scale: MICRO },
  { name: 'requestsPerMinute', word: 'perMinute', bounds: { min: 1, step: 1 }, scale: 1 },
  { name: 'outputTokensPerRequest', word: 'outputPerRequest', bounds: { min: 1, max: 2048, step: 1 }, scale: 1 },
  { name: 'rateFactor', word: 'rateFactor', bounds: { min: 0.1, max: 100, step: 0.1 }, scale: 1 },
] as const

export function limitFields(say: SayFilled<typeof limitWords>, current: Limits = {}): ActionField[] {
  return fields.map(({ bounds, name, scale, word }) => {
    const value = current[name]
    return {
      kind: 'number',
      name,
      label: say(word),
      value: value === undefined ? '' : String(value / scale),
      ...bounds,
    }
  })
}

export function limitsOf(values: FieldValues): Limits {
  return Object.fromEntries(
    fields.flatMap(({ name, scale }) => {
      const value = values[name] ?? ''
      if (value === '') return []
      return [[name, scale === 1 ? Number(value) : Math.round(Number(value) * scale)]]
    }),
  )
}

/** Only changed limits; a dash where only the tier is changed. */
export function limitsText(
  limits: Limits | undefined,
  { format, say }: { readonly format: Format; readonly say: SayFilled<typeof limitWords> },
): string {
  const written = fields.flatMap(({ name, word }) => {
    const value = limits?.[name]
    if (value === undefined) return []
    return name === 'microUsdPerDay'
      ? `${say('costPerDay')}: ${format.money(value)}`
      : `${say(word)}: ${format.count(value)}`
  })
  return written.join(', ') || ABSENT
}
