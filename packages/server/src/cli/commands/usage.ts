// `mangaassist usage`: usage and cost, grouped as the operator asks; what a user has left; and whether the ledger
// agrees with a provider's figures.
import { systemClock } from '#adapters/system/clock.ts'
import { LEDGER_PARTS } from '#domain/ledger/ledger-row.ts'
import type { LedgerFilter, LedgerPart } from '#domain/ledger/ledger-row.ts'
import { loadConfig } from '#config/load-config.ts'
import { dateAfter } from '#lib/time/date-after.ts'
import { printFound } from '../output/print-found.ts'
import { TOKEN_VARIABLE } from '../server/admin-api.ts'
import { parseWords, UsageError } from '../command.ts'
import type { Command, Terminal } from '../command.ts'
import { dateOfWord } from '../day-words.ts'
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
import type { UsageGroup, UsageSource } from '../usage/usage-source.ts'

const flags = {
  by: { type: 'string' },
  user: { type: 'string' },
  session: { type: 'string' },
  model: { type: 'string' },
  tier: { type: 'string' },
  outcome: { type: 'string' },
  tag: { type: 'string' },
  day: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  rows: { type: 'boolean' },
  turn: { type: 'string' },
  sort: { type: 'string' },
  top: { type: 'string' },
  json: { type: 'boolean' },
  csv: { type: 'boolean' },
  url: { type: 'string' },
  tolerance: { type: 'string' },
  zone: { type: 'string' },
} as const
type Flags = ReturnType<typeof parseWords<typeof flags>>['values']

/** What `--sort` takes, with the figure of a group. */
const SORTS = {
  cost: 'costMicroUsd',
  calls: 'rows',
  input: 'inputTokens',
  output: 'outputTokens',
} as const satisfies Readonly<Record<string, keyof UsageGroup>>
const TOLERANCE_PERCENT = 2
const PARTS_MAX = 4

export const usage: Command = {
  summary: 'Show what was used and what it cost, and check it against a provider’s bill',
  usage: `Usage: mangaassist usage [--by day,user,key,session,model,tier,outcome,tag] [filters]
                         [--json | --csv]
       mangaassist usage --by user --sort cost --top 20 --day yesterday
       mangaassist usage --rows [filters | --turn ID] [--json | --csv]
       mangaassist usage quota --user ID [--tier TIER] [--json]
       mangaassist usage reconcile FILE [--tolerance PERCENT] [--zone ZONE] [--json]

Reads the ledger in DATA_DIR; it only reads, so a server may be running. For a cluster, or a server
elsewhere, name one with --url and put the admin token into ${TOKEN_VARIABLE}.

  --by         the fields to group by, at most ${PARTS_MAX} (default day); key has the API keys, and all
               others in one line without a name
  --sort       cost, calls, input or output: the highest first (default: by the fields of --by)
  --top N      only the first N groups; the total is of all
  --rows       the single rows instead: one for every call of a model
  --turn ID    the rows of this turn
  --user, --session, --model, --tier, --outcome, --tag
               only rows with these values; users are named as in the ledger
  --day, --from, --to
               only these days of the store, such as 2026-11-04, today or yesterday; --from and --to
               are included
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
    const { timeZone } = config.store
    const run = word === 'quota' ? quota(values) : word === 'reconcile' ? compare(values, file) : show(values, timeZone)
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

function show(values: Flags, timeZone: string): Run {
  const filter = filterOf(values, timeZone)
  const by = partsOf(values.by)
  const choose = choiceOf(values)
  if (values.turn !== undefined || values.rows === true) return showRows(values, filter)
  return async (source, { stdout }) => {
    const groups = source.groups(filter, by)
    if (values.csv === true && choose === undefined) {
      await writeGroupsCsv(stdout, groups, by)
      return 0
    }
    const all = await collected(groups)
    const chosen = choose?.(all) ?? all
    const sum = sumOf(all)
    const { key: _, ...totals } = sum
    if (values.csv === true) await writeGroupsCsv(stdout, chosen, by)
    else
      printFound({ stdout, isJson: values.json === true }, { groups: chosen, totals }, () =>
        groupsTable(chosen, by, sum),
      )
    return 0
  }
}

function showRows(values: Flags, filter: LedgerFilter): Run {
  const { csv, json, sort, top, turn } = values
  if (sort !== undefined || top !== undefined) throw new UsageError('--sort and --top are for groups, not for rows.')
  if (turn !== undefined && Object.keys(filter).length > 0)
    throw new UsageError('--turn names one turn: leave the other filters out.')
  return async (source, { stderr, stdout }) => {
    const write = csv === true ? writeRowsCsv : json === true ? writeRowsJson : writeRowsTable
    if (turn === undefined) {
      await write(stdout, source.rows(filter))
      return 0
    }
    const rows = await source.rowsOfTurn(turn)
    if (rows.length === 0) {
      stderr.write(`The ledger has no turn ${JSON.stringify(turn)}.\n`)
      return 1
    }
    await write(stdout, rows)
    return 0
  }
}

/** Sorts and cuts the groups; undefined when all are wanted in their own order. */
function choiceOf({ sort, top }: Flags): ((groups: readonly UsageGroup[]) => readonly UsageGroup[]) | undefined {
  if (sort !== undefined && !Object.hasOwn(SORTS, sort))
    throw new UsageError(`--sort takes one of ${Object.keys(SORTS).join(', ')}.`)
  const count = Number(top ?? Number.MAX_SAFE_INTEGER)
  if (!Number.isSafeInteger(count) || count < 1) throw new UsageError('--top takes a whole number from 1 on.')
  if (sort === undefined && top === undefined) return undefined
  const figure = sort === undefined ? undefined : SORTS[sort as keyof typeof SORTS]
  return (groups) => {
    const sorted = figure === undefined ? groups : groups.toSorted((one, other) => other[figure] - one[figure])
    return sorted.slice(0, count)
  }
}

function quota({ json, tier, user }: Flags): Run {
  if (user === undefined) throw new UsageError('quota needs --user ID.')
  return async (source, { stdout }) => {
    printFound({ stdout, isJson: json === true }, await source.quota(user, tier), quotaTable)
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
    printFound({ stdout, isJson: json === true }, reconciled, () => describeReconciled(reconciled, tolerance))
    return reconciled.agrees ? 0 : 1
  }
}

function filterOf({ day, from, model, outcome, session, tag, tier, to, user }: Flags, timeZone: string): LedgerFilter {
  const days = Object.entries({ day, from, to }).map(([name, value]) => [name, dateOf(name, value, timeZone)] as const)
  const given = { principalId: user, sessionId: session, model, tier, outcome, tag, ...Object.fromEntries(days) }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function dateOf(name: string, value: string | undefined, timeZone: string): string | undefined {
  if (value === undefined) return undefined
  const date = dateOfWord(value, timeZone)
  // A date that does not exist, such as 2026-11-31, changes when the calendar normalises it.
  if (dateAfter(date, 0) !== date)
    throw new UsageError(`--${name} must be a day such as 2026-11-04, today or yesterday.`)
  return date
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
