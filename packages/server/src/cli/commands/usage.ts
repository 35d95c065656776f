// `mangaassist usage`: usage and cost, grouped as the operator asks; what a user has left; and whether the ledger
// agrees with a provider's figures.
import { systemClock } from '#adapters/system/clock.ts'
import { LEDGER_PARTS } from '#domain/ledger/ledger-row.ts'
import type { LedgerFilter, LedgerPart } from '#domain/ledger/ledger-row.ts'
import { loadConfig } from '#config/load-config.ts'
import { TOKEN_VARIABLE } from '../server/admin-api.ts'
import { parseWords, UsageError } from '../command.ts'
import type { Command, Terminal } from '../command.ts'
import { openSource } from '../usage/open-source.ts'
import {
  groupsTable,
  quotaTable,
  sumOf,
  writeGroupsCsv,
  writeRowsCsv,
  writeRowsJson,
  writeRowsTable,
} from '../usage/print.ts'
import { describeReconciled, reconcileWith } from '../usage/reconcile.ts'
import type { UsageSource } from '../usage/usage-source.ts'

const flags = {
  by: { type: 'string' },
  user: { type: 'string' },
  session: { type: 'string' },
  model: { type: 'string' },
  tier: { type: 'string' },
  outcome: { type: 'string' },
  day: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  rows: { type: 'boolean' },
  json: { type: 'boolean' },
  csv: { type: 'boolean' },
  url: { type: 'string' },
  tolerance: { type: 'string' },
  zone: { type: 'string' },
} as const
type Flags = ReturnType<typeof parseWords<typeof flags>>['values']

const DAY = /^\d{4}-\d{2}-\d{2}$/
const TOLERANCE_PERCENT = 2
const PARTS_MAX = 4

export const usage: Command = {
  summary: 'Show what was used and what it cost, and check it against a provider’s bill',
  usage: `Usage: mangaassist usage [--by day,user,session,model,tier,outcome] [filters] [--json | --csv]
       mangaassist usage --rows [filters] [--json | --csv]
       mangaassist usage quota --user ID [--tier TIER] [--json]
       mangaassist usage reconcile FILE [--tolerance PERCENT] [--zone ZONE] [--json]

Reads the ledger in DATA_DIR; it only reads, so a server may be running. For a cluster, or a server
elsewhere, name one with --url and put the admin token into ${TOKEN_VARIABLE}.

  --by         the fields to group by, at most ${PARTS_MAX} (default day)
  --rows       the single rows instead: one for every call of a model
  --user, --session, --model, --tier, --outcome
               only rows with these values; users are named as in the ledger
  --day, --from, --to
               only these days of the store, such as 2026-11-04; --from and --to are included
  --json       as JSON; rows as one object a line
  --csv        as CSV (RFC 4180); what a spreadsheet would take for a formula begins with '
  --url URL    over the admin API of the server at URL

quota          what a user has used, reserved and left today. Their tier is the one of their last
               answer today, else free; --tier overrides it.
reconcile      compares every day and model in FILE with the ledger; exit code 1 when they are
               further apart than --tolerance (default ${TOLERANCE_PERCENT} %), or when one side has
               no figures. FILE is CSV or JSON:

                 day,model,inputTokens,outputTokens,costUsd
                 2026-11-04,anthropic.claude-3-haiku-20240307-v1:0,1203442,88120,0.411011

               costUsd can be left out, and common other column names are understood. --zone is the
               time zone of the provider's days where it is not the store's: usually UTC.`,

  async run(args, terminal) {
    const { positionals, values } = parseWords(args, flags)
    const [word, file, ...more] = positionals
    if (more.length > 0 || (word !== undefined && word !== 'quota' && word !== 'reconcile'))
      throw new UsageError(`Unknown argument ${JSON.stringify(more[0] ?? word)}.`)
    if (word === 'quota' && file !== undefined) throw new UsageError('quota needs --user ID.')
    if (values.json === true && values.csv === true) throw new UsageError('--json and --csv exclude each other.')
    const config = await loadConfig({ ...terminal, clock: systemClock() })
    // Mistakes in the command are reported before anything is opened.
    const run = word === 'quota' ? quota(values) : word === 'reconcile' ? compare(values, file) : show(values)
    using source = openSource(config, terminal, values.url)
    try {
      return await run(source, terminal)
    } catch (error) {
      // The reader, such as `head`, has closed the pipe.
      if ((error as NodeJS.ErrnoException).code === 'EPIPE') return 0
      throw error
    }
  },
}

type Run = (source: UsageSource, terminal: Terminal) => Promise<number>

function show(values: Flags): Run {
  const filter = filterOf(values)
  const by = partsOf(values.by)
  return async (source, { stdout }) => {
    if (values.rows === true) {
      const write = values.csv === true ? writeRowsCsv : values.json === true ? writeRowsJson : writeRowsTable
      await write(stdout, source.rows(filter))
      return 0
    }
    const groups = source.groups(filter, by)
    if (values.csv === true) {
      await writeGroupsCsv(stdout, groups, by)
      return 0
    }
    const all = await collected(groups)
    const { key: _, ...totals } = sumOf(all)
    stdout.write(values.json === true ? `${JSON.stringify({ groups: all, totals })}\n` : `${groupsTable(all, by)}\n`)
    return 0
  }
}

function quota({ json, tier, user }: Flags): Run {
  if (user === undefined) throw new UsageError('quota needs --user ID.')
  return async (source, { stdout }) => {
    const found = await source.quota(user, tier)
    stdout.write(json === true ? `${JSON.stringify(found)}\n` : `${quotaTable(found)}\n`)
    return 0
  }
}

function compare({ json, tolerance: given, zone }: Flags, file: string | undefined): Run {
  if (file === undefined) throw new UsageError('reconcile needs a FILE.')
  const percent = Number(given ?? TOLERANCE_PERCENT)
  if (!(percent >= 0 && percent <= 100)) throw new UsageError('--tolerance must be a percentage from 0 to 100.')
  const tolerance = percent / 100
  return async (source, { stdout }) => {
    const reconciled = await reconcileWith(source, { file, tolerance, zone })
    stdout.write(`${json === true ? JSON.stringify(reconciled) : describeReconciled(reconciled, tolerance)}\n`)
    return reconciled.agrees ? 0 : 1
  }
}

function filterOf({ day, from, model, outcome, session, tier, to, user }: Flags): LedgerFilter {
  for (const [name, value] of Object.entries({ day, from, to }))
    if (value !== undefined && !DAY.test(value)) throw new UsageError(`--${name} must be a day such as 2026-11-04.`)
  const given = { principalId: user, sessionId: session, model, tier, outcome, day, from, to }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function partsOf(by: string | undefined): readonly LedgerPart[] {
  const parts = [...new Set((by ?? 'day').split(',').map((part) => part.trim()))]
  const known = parts.filter((part): part is LedgerPart => Object.hasOwn(LEDGER_PARTS, part))
  if (known.length === parts.length && parts.length <= PARTS_MAX) return known
  throw new UsageError(`--by takes up to ${PARTS_MAX} of ${Object.keys(LEDGER_PARTS).join(', ')}.`)
}

async function collected<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
