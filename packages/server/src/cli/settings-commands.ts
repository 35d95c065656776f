// `mangaassist mode` and `mangaassist settings`: what operators change while the servers run. Every change needs a reason and is in the
// server's audit.
import type { AdminClient } from '@mangaassist/client/admin'
import type { SettingRequest, SettingView } from '@mangaassist/protocol/admin'
import { systemClock } from '#adapters/system/clock.ts'
import { loadConfig } from '#config/load-config.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import { oneLine } from '#lib/text/readable.ts'
import { printFound } from './output/print-found.ts'
import type { FoundOutput } from './output/print-found.ts'
import { parseWords, UsageError } from './command.ts'
import type { Command, Terminal } from './command.ts'
import { msOf } from './duration.ts'
import { adminApi, TOKEN_VARIABLE } from './server/admin-api.ts'
import { usualUrl } from './server/find-server.ts'
import { table } from './usage/print.ts'

const flags = {
  json: { type: 'boolean' },
  reason: { type: 'string' },
  for: { type: 'string' },
  url: { type: 'string' },
} as const

const MODES = ['normal', 'reduced', 'read-only', 'maintenance']

const ASKS = `Asks a running server: the one of this configuration, or the one at --url. Put the admin token into
${TOKEN_VARIABLE}; a change needs the role operator. It takes effect on every node
within a second and survives restarts.`

const FLAGS = `  --reason WHY   goes to the audit, with the name of the token
  --for TIME     the change ends after this time: 90s, 30m, 2h, 1d
  --json         as JSON
  --url URL      the server to ask`

export const mode: Command = {
  summary: 'Show or change the mode of a running service: normal, reduced, read-only, maintenance',
  usage: `Usage: mangaassist mode [--json]
       mangaassist mode normal|reduced|read-only|maintenance --reason WHY [--for 2h]

${ASKS}

normal         everything works
reduced        no vendor is asked: cached answers, the built-in responder and the FAQ answer
read-only      new questions are refused; conversations, products and running answers can be read
maintenance    new questions are refused, and /readyz says so

${FLAGS}`,

  async run(args, terminal) {
    const { positionals, values } = parseWords(args, flags)
    const [value, ...more] = positionals
    if (more.length > 0) throw new UsageError(`Unknown argument ${JSON.stringify(more[0])}.`)
    if (value !== undefined && !MODES.includes(value))
      throw new UsageError(`The mode must be one of ${MODES.join(', ')}.`)
    const asked = value === undefined ? undefined : { name: 'mode' as const, value }
    const lasting = value === 'normal' && values.for !== undefined
    if (lasting) throw new UsageError('--for is for the other modes.')
    return carryOut(asked, values, { terminal, only: 'mode' })
  },
}

export const settings: Command = {
  summary: 'Show or change the settings of a running service: mode, log level, switches of single parts',
  usage: `Usage: mangaassist settings [--json]
       mangaassist settings NAME VALUE --reason WHY [--for 2h]
       mangaassist settings NAME default --reason WHY

${ASKS}

mode                 see mangaassist mode
log-level            debug, info, warn or error
answer-cache         on or off: off, no stored answer is given and none is stored
deferred-questions   off: a question that no model can answer now is not stored for later
routing              off: the models are asked in the order of the ladder
hedging              off: no second model is asked when one is slow
prewarm              off: no answers are made ahead of release days

default returns to the configuration. What the configuration has turned off stays off.

${FLAGS}`,

  async run(args, terminal) {
    const { positionals, values } = parseWords(args, flags)
    const [name, word, ...more] = positionals
    if (more.length > 0) throw new UsageError(`Unknown argument ${JSON.stringify(more[0])}.`)
    if (name !== undefined && word === undefined) throw new UsageError('VALUE is missing.')
    const value = word === undefined ? undefined : valueOf(word)
    // The server refuses a name that it does not know, and says which it knows.
    const asked =
      name === undefined || value === undefined ? undefined : { name: name as SettingRequest['name'], value }
    return carryOut(asked, values, { terminal })
  },
}

function valueOf(word: string): string | boolean | null {
  if (word === 'default') return null
  return word === 'on' || word === 'off' ? word === 'on' : word
}

interface Given {
  readonly json?: boolean | undefined
  readonly reason?: string | undefined
  readonly for?: string | undefined
  readonly url?: string | undefined
}

/** Mistakes in the command are reported before the server is asked. */
async function carryOut(
  asked: Pick<SettingRequest, 'name' | 'value'> | undefined,
  given: Given,
  { terminal, only }: { readonly terminal: Terminal; readonly only?: string },
): Promise<number> {
  const clock = systemClock()
  const { reason } = given
  if (asked === undefined && (reason !== undefined || given.for !== undefined))
    throw new UsageError('--reason and --for need a value to set.')
  if (asked !== undefined && (reason === undefined || reason.trim() === ''))
    throw new UsageError('--reason WHY is missing.')
  const until = given.for === undefined ? {} : { until: isoTime(clock.now() + msOf(given.for)) }
  const { server } = await loadConfig({ ...terminal, clock })
  const api = adminApi(given.url ?? usualUrl(server), terminal.env)
  const output = { stdout: terminal.stdout, isJson: given.json === true }
  return asked === undefined
    ? show(api, output, only)
    : change(api, output, { ...asked, ...until, reason: reason ?? '' })
}

async function show(api: AdminClient, output: FoundOutput, only: string | undefined): Promise<number> {
  const found = (await api.settings()).filter(({ name }) => only === undefined || name === only)
  printFound(output, only === undefined ? found : found[0], () => described(found))
  return 0
}

async function change(api: AdminClient, output: FoundOutput, request: SettingRequest): Promise<number> {
  const until = request.until === undefined ? '' : `, until ${request.until}`
  printFound(output, await api.setSetting(request), ({ action, by, number, subject }) =>
    oneLine(`${action}: ${subject}, by ${by}${until}; line ${number} of the audit`),
  )
  return 0
}

const TEXTS = 4

function described(found: readonly SettingView[]): string {
  const word = (value: string | boolean) => (typeof value === 'boolean' ? (value ? 'on' : 'off') : value)
  const rows = found.map(({ changed, configured, name, value }) => {
    const until = changed?.until === undefined ? '' : ` until ${changed.until}`
    const why = changed === null ? '' : `by ${changed.by} at ${changed.at}${until}: ${changed.reason}`
    return [name, word(value), word(configured), why]
  })
  return table(['setting', 'now', 'configured', 'changed'], rows, TEXTS)
}
