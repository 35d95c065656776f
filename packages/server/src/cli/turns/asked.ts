// The flags of `turns` as a query of the admin API. Mistakes are reported before the server is asked.
import type { TurnRecordsQuery } from '@mangaassist/protocol/admin'
import { UsageError } from '../command.ts'
import { dayOrTime } from '../day-words.ts'

export const turnsFlags = {
  user: { type: 'string' },
  session: { type: 'string' },
  request: { type: 'string' },
  model: { type: 'string' },
  tier: { type: 'string' },
  reason: { type: 'string' },
  outcome: { type: 'string' },
  kind: { type: 'string' },
  door: { type: 'string' },
  experiment: { type: 'string' },
  thumb: { type: 'string' },
  'min-cost': { type: 'string' },
  'max-cost': { type: 'string' },
  slow: { type: 'string' },
  degraded: { type: 'boolean' },
  from: { type: 'string' },
  to: { type: 'string' },
  limit: { type: 'string' },
  follow: { type: 'boolean' },
  json: { type: 'boolean' },
  url: { type: 'string' },
} as const

export type TurnsFlags = {
  readonly [Name in keyof typeof turnsFlags]?: (typeof turnsFlags)[Name]['type'] extends 'boolean' ? boolean : string
}

export const LIMIT_DEFAULT = 20
export const LIMIT_MAX = 1000
const KINDS = ['turn', 'chat', 'completion', 'refusal', 'any'] as const
const SECONDS = /^(\d+(?:\.\d{1,3})?)(ms|s)?$/

/** `timeZone` is that of the shop's days. */
export function askedOf(values: TurnsFlags, timeZone: string): TurnRecordsQuery {
  const { degraded, experiment, kind, model, outcome, reason, request, session, slow, thumb, tier } = values
  if (thumb !== undefined && thumb !== 'up' && thumb !== 'down') throw new UsageError('--thumb takes up or down.')
  const known = KINDS.find((one) => one === kind)
  if (kind !== undefined && known === undefined) throw new UsageError(`--kind takes one of ${KINDS.join(', ')}.`)
  const [from, to] = (['from', 'to'] as const).map((flag) => {
    const text = values[flag]
    return text === undefined ? undefined : dayOrTime(flag, text, timeZone)
  })
  const given = {
    user: values.user,
    session,
    request,
    model,
    tier,
    reason,
    outcome,
    kind: known,
    door: values.door,
    experiment,
    feedback: thumb,
    degraded,
    minCostMicroUsd: microUsdOf('min-cost', values['min-cost']),
    maxCostMicroUsd: microUsdOf('max-cost', values['max-cost']),
    minTotalMs: msOf(slow),
    from,
    to,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

export function limitOf(given: string | undefined): number {
  const limit = Number(given ?? LIMIT_DEFAULT)
  if (Number.isInteger(limit) && limit >= 1 && limit <= LIMIT_MAX) return limit
  throw new UsageError(`--limit must be a number from 1 to ${LIMIT_MAX}.`)
}

function microUsdOf(name: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  if (!/^\d+(\.\d{1,6})?$/.test(given)) throw new UsageError(`--${name} must be an amount in dollars such as 0.02.`)
  return Math.round(Number(given) * 1_000_000)
}

function msOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  const [, amount, unit = 's'] = SECONDS.exec(given) ?? []
  if (amount === undefined) throw new UsageError('--slow must be a time such as 5s or 800ms.')
  return Math.round(Number(amount) * (unit === 's' ? 1000 : 1))
}
