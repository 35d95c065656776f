// `mangaassist handovers`: the inbox of requests for a person of a running server; takes a request and closes it. Every change needs a
// reason and is in the server's audit.
import type { HandoverEntry } from '@mangaassist/protocol/admin'
import { systemClock } from '#adapters/system/clock.ts'
import { loadConfig } from '#config/load-config.ts'
import { oneLine } from '#lib/text/readable.ts'
import { parseWords, UsageError } from '../command.ts'
import type { Command } from '../command.ts'
import { printFound } from '../output/print-found.ts'
import { adminApi, TOKEN_VARIABLE } from '../server/admin-api.ts'
import { usualUrl } from '../server/find-server.ts'
import { auditedChange, requiredReason } from './audited-change.ts'
import type { AdminRun } from './audited-change.ts'

const flags = {
  json: { type: 'boolean' },
  state: { type: 'string' },
  limit: { type: 'string' },
  reason: { type: 'string' },
  url: { type: 'string' },
} as const

const STATES = ['open', 'taken', 'closed'] as const
const LIMIT_DEFAULT = 50
const LIMIT_MAX = 1000

export const handovers: Command = {
  summary: 'Show the requests of shoppers for a person, take one, close it',
  usage: `Usage: mangaassist handovers [--state open|taken|closed|all] [--limit N] [--json]
       mangaassist handovers take|close ID --reason WHY

Asks a running server: the one of this configuration, or the one at --url. Put the admin token into
${TOKEN_VARIABLE}; it needs the role operator. Read the conversation with
mangaassist conversation ID --reason WHY.

  --state STATE  default: open
  --limit N      how many, newest first; default: ${LIMIT_DEFAULT}
  --reason WHY   goes to the audit, with the name of the token
  --json         as JSON
  --url URL      the server to ask

take         the shopper sees that somebody sees to it; only an open request can be taken
close        it is settled; the shopper may ask again`,

  async run(args, terminal) {
    const { positionals, values } = parseWords(args, flags)
    const run = planned(positionals, values)
    const { server } = await loadConfig({ ...terminal, clock: systemClock() })
    const api = adminApi(values.url ?? usualUrl(server), terminal.env)
    return run(api, { stdout: terminal.stdout, isJson: values.json === true })
  },
}

interface Given {
  readonly state?: string
  readonly limit?: string
  readonly reason?: string
}

/** Mistakes in the command are reported before the server is asked. */
function planned([word, id, ...more]: readonly string[], { limit, reason, state }: Given): AdminRun {
  if (word === undefined) {
    if (reason !== undefined) throw new UsageError('--reason needs an action.')
    return listed(state ?? 'open', limit === undefined ? LIMIT_DEFAULT : Number(limit))
  }
  if (word !== 'take' && word !== 'close') throw new UsageError(`Unknown argument ${JSON.stringify(word)}.`)
  if (id === undefined) throw new UsageError('ID is missing: the id of a request.')
  if (more.length > 0) throw new UsageError(`Unknown argument ${JSON.stringify(more[0])}.`)
  if (state !== undefined || limit !== undefined) throw new UsageError('--state and --limit are for the list.')
  const why = { reason: requiredReason(reason) }
  return auditedChange((api) => (word === 'take' ? api.takeHandover(id, why) : api.closeHandover(id, why)))
}

function listed(state: string, limit: number): AdminRun {
  const known = STATES.find((one) => one === state)
  if (known === undefined && state !== 'all') throw new UsageError(`--state is one of ${STATES.join(', ')}, all.`)
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX)
    throw new UsageError(`--limit is a number from 1 to ${LIMIT_MAX}.`)
  return async (api, output) => {
    const { data } = await api.handovers({ limit, ...(known === undefined ? {} : { state: known }) })
    const none = `No ${state === 'all' ? '' : `${state} `}requests.`
    printFound(output, data, () => (data.length === 0 ? none : data.map(described).join('\n\n')))
    return 0
  }
}

/** A block of lines: what shoppers write is too long for a table. */
function described(entry: HandoverEntry): string {
  const { at, changedAt, changedBy, email, handoverId, language, note, orderNumber, reason, sessionId, state } = entry
  const change = changedAt === undefined ? undefined : `${changedAt}, by ${changedBy}: ${reason}`
  const lines: readonly (readonly [string, string | undefined])[] = [
    ['asked', `${at}, in ${language}`],
    ['conversation', sessionId],
    ['order', orderNumber],
    ['e-mail', email],
    ['note', note],
    [state, change],
  ]
  const shown = lines.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name.padEnd(14)}${oneLine(value)}`]))
  return [`${handoverId}  ${state}`, ...shown].join('\n')
}
