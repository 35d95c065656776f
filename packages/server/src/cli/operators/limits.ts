// `mangaassist limits`: shows the limits of the tiers and of users that have their own, and changes them on every node without a restart. Every
// change needs a reason and is in the server's audit.
import type { AdminClient } from '@mangaassist/client/admin'
import type { TierOverrideRequest } from '@mangaassist/protocol/admin'
import { systemClock } from '#adapters/system/clock.ts'
import { loadConfig } from '#config/load-config.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import { parseWords, UsageError } from '../command.ts'
import type { Command } from '../command.ts'
import { msOf } from '../duration.ts'
import { printFound } from '../output/print-found.ts'
import { adminApi, TOKEN_VARIABLE } from '../server/admin-api.ts'
import { usualUrl } from '../server/find-server.ts'
import { auditedChange, requiredReason } from './audited-change.ts'
import type { AdminRun } from './audited-change.ts'
import { table, thousands, usd } from '../usage/print.ts'

type Limits = TierOverrideRequest['limits']

const MICRO = 1_000_000
/** The flag of each limit. */
const LIMITS = {
  'input-per-day': 'inputTokensPerDay',
  'output-per-day': 'outputTokensPerDay',
  'usd-per-day': 'microUsdPerDay',
  'per-minute': 'requestsPerMinute',
  'output-per-answer': 'outputTokensPerRequest',
  'rate-factor': 'rateFactor',
} as const satisfies Record<string, keyof Limits>
const LIMIT_FLAGS = Object.keys(LIMITS) as (keyof typeof LIMITS)[]

const text = { type: 'string' } as const
const flags = {
  'input-per-day': text,
  'output-per-day': text,
  'usd-per-day': text,
  'per-minute': text,
  'output-per-answer': text,
  'rate-factor': text,
  tier: text,
  for: text,
  reason: text,
  url: text,
  json: { type: 'boolean' },
} as const

export const limits: Command = {
  summary: 'Show and change the limits of a tier or a user without a restart; reset what a user has used today',
  usage: `Usage: mangaassist limits [list] [--json]
       mangaassist limits USER --reason WHY [--tier TIER] [--per-minute N] … [--for 2h]
       mangaassist limits tier:NAME --reason WHY [--per-minute N] …
       mangaassist limits remove USER|tier:NAME --reason WHY
       mangaassist limits reset USER --reason WHY

Asks a running server: the one of this configuration, or the one at --url. Put the admin token into
${TOKEN_VARIABLE}; a change needs the role operator. It takes effect within seconds on
every node, survives restarts, and replaces an earlier change of the same user or tier. remove
restores the configured limits; reset counts the usage of today as zero. USER is guest_…,
user:ISSUER:ID or key:NAME as in usage and turns; usage quota shows what one has left.

  --tier TIER             the limits of another tier (for a user)
  --per-minute N          requests a minute
  --input-per-day N       input tokens a day
  --output-per-day N      output tokens a day
  --usd-per-day USD       cost a day
  --output-per-answer N   output tokens of one answer, at most 2048
  --rate-factor X         how many times the rates of the tier
  --for TIME              ends after this time: 90s, 30m, 2h, 1d (for a user)
  --reason WHY            goes to the audit, with the name of the token
  --json                  as JSON
  --url URL               the server to ask`,

  async run(args, terminal) {
    const { positionals, values } = parseWords(args, flags)
    const run = planned(positionals, values)
    const { server } = await loadConfig({ ...terminal, clock: systemClock() })
    const api = adminApi(values.url ?? usualUrl(server), terminal.env)
    return run(api, { stdout: terminal.stdout, isJson: values.json === true })
  },
}

type Given = Readonly<Partial<Record<keyof typeof LIMITS | 'tier' | 'for' | 'reason', string | undefined>>>

/** Mistakes in the command are reported before the server is asked. */
function planned(words: readonly string[], given: Given): AdminRun {
  const [word = 'list', ...more] = words
  const isNamed = word === 'remove' || word === 'reset'
  const [subject, extra] = isNamed ? more : [word, ...more]
  if (extra !== undefined) throw new UsageError(`Unknown argument ${JSON.stringify(extra)}.`)
  if (subject === undefined) throw new UsageError(`${word} needs a user${word === 'reset' ? '' : ' or tier:NAME'}.`)
  const hasChange = [...LIMIT_FLAGS, 'tier' as const, 'for' as const].some((flag) => given[flag] !== undefined)
  if ((isNamed || word === 'list') && hasChange) throw new UsageError('A limit needs a user or tier:NAME to change.')
  if (word === 'list') {
    if (given.reason !== undefined) throw new UsageError('--reason needs a change.')
    return show
  }
  const tier = subject.startsWith('tier:') ? subject.slice('tier:'.length) : undefined
  const reason = requiredReason(given.reason)
  if (word === 'reset') {
    if (tier !== undefined) throw new UsageError('reset needs a user.')
    return auditedChange((api) => api.resetUse(subject, { scope: 'day', reason }))
  }
  if (word === 'remove')
    return auditedChange((api) =>
      tier === undefined ? api.clearOverride(subject, { reason }) : api.clearTier(tier, { reason }),
    )
  return tier === undefined ? changeUser(subject, given, reason) : changeTier(tier, given, reason)
}

function changeTier(tier: string, given: Given, reason: string): AdminRun {
  if (given.tier !== undefined || given.for !== undefined) throw new UsageError('--tier and --for are for a user.')
  const changed = limitsOf(given)
  if (Object.keys(changed).length === 0) throw new UsageError('Give a limit to change, such as --per-minute 20.')
  return auditedChange((api) => api.setTier(tier, { limits: changed, reason }))
}

function changeUser(user: string, given: Given, reason: string): AdminRun {
  const changed = limitsOf(given)
  const hasLimits = Object.keys(changed).length > 0
  if (!hasLimits && given.tier === undefined)
    throw new UsageError('Give --tier, or a limit to change, such as --per-minute 20.')
  const lastingMs = given.for === undefined ? undefined : msOf(given.for)
  return auditedChange((api) =>
    api.setOverride(user, {
      reason,
      ...(given.tier === undefined ? {} : { tier: given.tier }),
      ...(hasLimits ? { limits: changed } : {}),
      ...(lastingMs === undefined ? {} : { expiresAt: isoTime(systemClock().now() + lastingMs) }),
    }),
  )
}

function limitsOf(given: Given): Limits {
  return Object.fromEntries(
    LIMIT_FLAGS.flatMap((flag) => {
      const value = given[flag]
      if (value === undefined) return []
      const figure = Number(value)
      if (value.trim() === '' || !(figure > 0) || !Number.isFinite(figure))
        throw new UsageError(`--${flag} needs a number above 0.`)
      return [[LIMITS[flag], flag === 'usd-per-day' ? Math.round(figure * MICRO) : figure]]
    }),
  )
}

const TIER_HEADER = ['tier', 'input a day', 'output a day', 'USD a day', 'a minute', 'changed']
const USER_HEADER = ['user', 'tier', 'limits', 'until']

const show: AdminRun = async (api, output) => {
  const [tiers, users] = await Promise.all([api.tiers(), api.overrides()])
  printFound(output, { tiers, users }, () => described(tiers, users))
  return 0
}

function described(
  tiers: Awaited<ReturnType<AdminClient['tiers']>>,
  users: Awaited<ReturnType<AdminClient['overrides']>>,
): string {
  const tierRows = tiers.map(({ effective, override, tier }) => [
    tier,
    thousands(effective.inputTokensPerDay),
    thousands(effective.outputTokensPerDay),
    usd(effective.microUsdPerDay),
    thousands(effective.requestsPerMinute),
    override === undefined ? '–' : written(override),
  ])
  const userRows = users.map(({ expired, expiresAt = '–', limits: own = {}, tier = '–', userId }) => [
    userId,
    tier,
    written(own),
    expired ? `${expiresAt} (expired)` : expiresAt,
  ])
  return [
    table(TIER_HEADER, tierRows, 1),
    '',
    userRows.length === 0 ? 'No user has limits of their own.' : table(USER_HEADER, userRows, USER_HEADER.length),
  ].join('\n')
}

/** The limits as flags of this command. */
function written(changed: Limits): string {
  const parts = LIMIT_FLAGS.flatMap((flag) => {
    const value = changed[LIMITS[flag]]
    return value === undefined ? [] : `${flag} ${flag === 'usd-per-day' ? value / MICRO : value}`
  })
  return parts.join(', ') || '–'
}
