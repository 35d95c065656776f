// `mangaassist route`: why a question would be asked of which model; and with --replay what routing would have done with the turns
// that are recorded, before anything is switched on.
import { resolve } from 'node:path'
import { Replay } from '#domain/routing/replay.ts'
import { fromIsoTime } from '#lib/time/from-iso-time.ts'
import { configure } from '#wiring/configure.ts'
import { printFound } from '../output/print-found.ts'
import { TOKEN_VARIABLE } from '../server/admin-api.ts'
import { parseWords, UsageError } from '../command.ts'
import type { Command, Terminal } from '../command.ts'
import { candidateOf } from '../route/candidate.ts'
import { describeRoute, explainRoute } from '../route/explain-route.ts'
import { describeReplay, replayReport } from '../route/print-replay.ts'
import { eachRecord } from '../route/recorded-turns.ts'

const flags = {
  replay: { type: 'boolean' },
  from: { type: 'string' },
  to: { type: 'string' },
  config: { type: 'string' },
  tier: { type: 'string' },
  page: { type: 'string' },
  url: { type: 'string' },
  json: { type: 'boolean' },
} as const
type Flags = ReturnType<typeof parseWords<typeof flags>>['values']

export const route: Command = {
  summary: 'Explain which model a question is asked of, or replay recorded turns by other rules',
  usage: `Usage: mangaassist route "QUESTION" [--tier TIER] [--page PATH] [--config FILE] [--json]
       mangaassist route --replay [--from DAY] [--to DAY] [--config FILE] [--url URL] [--json]

Prints the model that a question would be asked of first, and why: its level of complexity with the
probabilities, the least level that the rules allow, and the rule that decides. Routing need not be
on.

--replay routes the recorded turns again, by the rules of the configuration: how many turns each
model would get, what that costs by their recorded tokens, how many complex questions would go to a
lesser model, and what recorded thumbs, repeated questions and contradictions let expect. It reads
DATA_DIR and changes nothing, so a server may be running. For a cluster, or a server elsewhere, name
one with --url and put the admin token into ${TOKEN_VARIABLE}. Where no turns are
recorded, those that come with the program are routed instead.

  --config FILE   the rules, models and prices of this file, like mangaassist.config.ts
  --from, --to    only these days of the store, such as 2026-11-04; both are included
  --tier TIER     of the user who asks (default free)
  --page PATH     of the page on which it is asked
  --url URL       over the admin API of the server at URL
  --json          as JSON`,

  async run(args, terminal) {
    const { positionals, values } = parseWords(args, flags)
    const message = positionals.join(' ').trim()
    if (values.replay === true && message !== '') throw new UsageError('--replay takes no question.')
    if (values.replay !== true && message === '') throw new UsageError('A question, or --replay, is missing.')
    return values.replay === true ? replay(values, terminal) : explain(message, values, terminal)
  },
}

function configured({ config }: Flags, { env, workspaceRoot }: Terminal) {
  return configure({
    env,
    workspaceRoot,
    configFile: config === undefined ? undefined : resolve(workspaceRoot, config),
  })
}

async function explain(message: string, values: Flags, terminal: Terminal): Promise<number> {
  const { config } = await configured(values, terminal)
  const { page: path, tier: userTier = 'free' } = values
  if (!Object.hasOwn(config.tiers, userTier))
    throw new UsageError(`--tier must be one of ${Object.keys(config.tiers).join(', ')}.`)
  const question = { message, userTier, ...(path === undefined ? {} : { path }) }
  const explained = await explainRoute(question, { dataDir: config.server.dataDir, routing: config.routing })
  printFound({ stdout: terminal.stdout, isJson: values.json === true }, explained, describeRoute)
  return 0
}

async function replay(values: Flags, terminal: Terminal): Promise<number> {
  const days = daysOf(values)
  const loaded = await configured(values, terminal)
  const { config } = loaded
  const candidate = await candidateOf(loaded)
  const replaying = new Replay(candidate)
  const source = await eachRecord((record) => replaying.add(record), { config, terminal, days, url: values.url })
  const report = replayReport(replaying.end(), { candidate, source })
  printFound({ stdout: terminal.stdout, isJson: values.json === true }, report, () => describeReplay(report, candidate))
  return 0
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

function daysOf({ from, to }: Flags): { readonly from?: string; readonly to?: string } {
  for (const [name, day] of Object.entries({ from, to }))
    if (day !== undefined && (!DAY.test(day) || fromIsoTime(`${day}T00:00:00Z`) === undefined))
      throw new UsageError(`--${name} must be a day such as 2026-11-04.`)
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}
