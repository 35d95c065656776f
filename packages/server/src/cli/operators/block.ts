// `mangaassist block`: blocks a user, a guest, an API key, an address or a network on every node, lists the blocks and removes them. Every
// change needs a reason and is in the server's audit.
import type { BlockView } from '@mangaassist/protocol/admin'
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
import { table } from '../usage/print.ts'

const flags = {
  json: { type: 'boolean' },
  reason: { type: 'string' },
  for: { type: 'string' },
  force: { type: 'boolean' },
  url: { type: 'string' },
} as const

export const block: Command = {
  summary: 'Block a user, a guest, an API key, an address or a network; list and remove blocks',
  usage: `Usage: mangaassist block [list] [--json]
       mangaassist block TARGET --reason WHY [--for 2h] [--force]
       mangaassist block remove TARGET --reason WHY

Asks a running server: the one of this configuration, or the one at --url. Put the admin token into
${TOKEN_VARIABLE}; a change needs the role operator. It takes effect on every node
within a second and survives restarts. Answers in flight are finished.

TARGET         user:ISSUER:ID, guest_… or key:NAME as in usage and turns: questions and completions
               are refused; or an address or a network, such as 203.0.113.7, 203.0.113.0/24 or
               2001:db8::/48: every request is refused. An IPv6 subscriber has at least a /64.

  --reason WHY   goes to the audit, with the name of the token
  --for TIME     the block ends after this time: 90s, 30m, 2h, 1d
  --force        blocks the server's own machine or your own address nevertheless. An admin token
                 is accepted from a blocked address, too
  --json         as JSON
  --url URL      the server to ask`,

  async run(args, terminal) {
    const { positionals, values } = parseWords(args, flags)
    const run = planned(positionals, values)
    const { server } = await loadConfig({ ...terminal, clock: systemClock() })
    const api = adminApi(values.url ?? usualUrl(server), terminal.env)
    return run(api, { stdout: terminal.stdout, isJson: values.json === true })
  },
}

interface Given {
  readonly reason?: string | undefined
  readonly for?: string | undefined
  readonly force?: boolean | undefined
}

/** Mistakes in the command are reported before the server is asked. */
function planned([word = 'list', object, ...more]: readonly string[], given: Given): AdminRun {
  const isRemoval = word === 'remove'
  const extra = isRemoval ? more[0] : object
  if (extra !== undefined) throw new UsageError(`Unknown argument ${JSON.stringify(extra)}.`)
  const isBlock = !isRemoval && word !== 'list'
  if (!isBlock && (given.for !== undefined || given.force === true))
    throw new UsageError('--for and --force need a target to block.')
  if (word === 'list') {
    if (given.reason !== undefined) throw new UsageError('--reason needs a target.')
    return show
  }
  const target = isRemoval ? object : word
  if (target === undefined) throw new UsageError('TARGET is missing.')
  const reason = requiredReason(given.reason)
  if (isRemoval) return auditedChange((api) => api.unblock({ target, reason }))
  const lastingMs = given.for === undefined ? undefined : msOf(given.for)
  return auditedChange((api) => {
    const until = lastingMs === undefined ? {} : { until: isoTime(systemClock().now() + lastingMs) }
    return api.block({ target, reason, ...until, ...(given.force === true ? { force: true } : {}) })
  })
}

const HEADER = ['target', 'kind', 'since', 'until', 'by', 'reason']

const show: AdminRun = async (api, output) => {
  printFound(output, await api.blocks(), described)
  return 0
}

function described(blocks: readonly BlockView[]): string {
  if (blocks.length === 0) return 'Nobody is blocked.'
  const rows = blocks.map(({ at, by, kind, reason, target, until = '–' }) => [target, kind, at, until, by, reason])
  return table(HEADER, rows, HEADER.length)
}
