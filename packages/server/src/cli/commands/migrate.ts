// `mangaassist migrate`: moves a one-machine shop from its DATA_DIR to the stores of a cluster, and compares the two.
import { resolve } from 'node:path'
import { systemClock } from '#adapters/system/clock.ts'
import { loadConfig } from '#config/load-config.ts'
import type { Migration, Part, PartResult } from '#wiring/profiles/migrate.ts'
import { readable } from '#lib/text/readable.ts'
import { parseFlags, UsageError } from '../command.ts'
import type { Command } from '../command.ts'

const flags = {
  from: { type: 'string' },
  'to-config': { type: 'string' },
  'dry-run': { type: 'boolean' },
  apply: { type: 'boolean' },
  verify: { type: 'boolean' },
} as const

const PROGRESS_EVERY_MS = 2000

export const migrate: Command = {
  summary: 'Move a one-machine shop to the stores of a cluster',
  usage: `Usage: mangaassist migrate (--dry-run | --apply | --verify) [--from FOLDER] [--to-config FILE]

Copies the shop in FOLDER to the stores of the configuration: Redis, and others where \`stores\`
names them. Conversations, carts, orders, budgets, the ledger, turn records, settings of operators
with their audit, silenced alarms, the model history, waiting questions and requests for a person,
and the keys by which guests and accounts are recognised. The server of FOLDER must be stopped, and
no node of the cluster started. FOLDER is not changed. A run that was interrupted is continued by
the next; nodes refuse to start until it is complete.

  --dry-run          what would be moved where; writes nothing
  --apply            move it, then compare everything
  --verify           only compare, before the first node starts
  --from FOLDER      the DATA_DIR of the shop, or a backup of it (default: DATA_DIR)
  --to-config FILE   the configuration of the cluster (default: the usual one)`,

  async run(args, terminal) {
    const values = parseFlags(args, flags)
    const { apply = false, from, verify = false } = values
    if ([apply, verify, values['dry-run'] ?? false].filter(Boolean).length !== 1)
      throw new UsageError('migrate needs one of --dry-run, --apply and --verify.')
    const { env, workspaceRoot } = terminal
    const file = values['to-config']
    const configFile = file === undefined ? undefined : resolve(workspaceRoot, file)
    const config = await loadConfig({ env, workspaceRoot, configFile, clock: systemClock() })
    const folder = from === undefined ? config.server.dataDir : resolve(from)
    // Loaded here, because it loads the client of Redis.
    const { openMigration } = await import('#wiring/profiles/migrate.ts')
    await using migration = await openMigration({ from: folder, config, env })
    const print = (line: string) => void terminal.stdout.write(`${readable(line)}\n`)
    print(`From ${folder}`)
    for (const line of planOf(migration)) print(line)
    if (!apply && !verify) return dryRun(migration, print)
    if (verify && migration.state === 'unused') {
      print(migration.refusal ?? 'Nothing was moved to these stores yet: --apply moves it.')
      return 1
    }
    if (apply && migration.state !== 'complete') await move(migration, print)
    // Awaited here, because the stores are closed when this function returns.
    return await compare(migration, { apply, print })
  },
}

type Print = (line: string) => void

function dryRun({ refusal, state }: Migration, print: Print): number {
  if (refusal !== undefined) print(refusal)
  else if (state === 'complete') print('This folder was moved completely. --verify compares it again.')
  else if (state === 'begun') print('A run that was interrupted would be continued. Nothing was written.')
  else print('Nothing was written. --apply moves it.')
  return refusal === undefined ? 0 : 1
}

async function move(migration: Migration, print: Print): Promise<void> {
  if (migration.state === 'begun') print('A run that was interrupted is continued.')
  const clock = systemClock()
  const from = clock.now()
  await migration.move(progressOf('moved', print))
  print(`Moved in ${((clock.now() - from) / 1000).toFixed(1)} s. Now everything is compared.`)
}

async function compare(migration: Migration, { apply, print }: { apply: boolean; print: Print }): Promise<number> {
  const clock = systemClock()
  const from = clock.now()
  const results = await migration.verify(progressOf('compared', print))
  for (const result of results) for (const line of describedResult(result)) print(line)
  print(`Compared in ${((clock.now() - from) / 1000).toFixed(1)} s.`)
  if (results.some(({ different }) => different > 0)) {
    const since = migration.state === 'complete' ? ' The move was complete: nodes have changed it since.' : ''
    print(`The target differs from the folder. Nothing in the folder was changed.${since}`)
    return 1
  }
  if (apply) await migration.complete()
  print(apply ? 'Everything is the same. Start the nodes now, and not the old server.' : 'Everything is the same.')
  return 0
}

function planOf({ cookies, parts }: Migration): readonly string[] {
  const width = Math.max(...parts.map(({ name }) => name.length))
  const lines = parts.map((part) => `  ${part.name.padEnd(width)}  ${number(part.total).padStart(9)}  to ${part.store}`)
  const left = parts.flatMap((part) => (part.left === undefined ? [] : [`  stays: ${part.left}`]))
  return [...lines, ...left, `  ${KEYS[cookies]}`]
}

const KEYS: Readonly<Record<Migration['cookies'], string>> = {
  moved: 'keys: the key of secrets.json names the accounts of the cluster and signs its cookies',
  configured: 'keys: the key of secrets.json names the accounts of the cluster; cookies are signed by MANGA_COOKIE_KEY',
  'configured-without': `keys: the key of secrets.json names the accounts of the cluster, but MANGA_COOKIE_KEY does not have it:
        guests whose cookies it signed are not recognised. If the shop had no MANGA_COOKIE_KEY, append the key`,
}

function describedResult({ different, done, examples, part }: PartResult): readonly string[] {
  const head = `  ${part.name}: ${number(done)} compared, ${different === 0 ? 'all the same' : `${number(different)} different`}`
  return [head, ...examples.map((example) => `    ${example}`)]
}

function progressOf(verb: string, print: Print): (part: Part, done: number) => void {
  const clock = systemClock()
  let printedAt = clock.now()
  return ({ name, total }, done) => {
    if (clock.now() - printedAt < PROGRESS_EVERY_MS) return
    printedAt = clock.now()
    print(`  ${name}: ${number(done)} of ${number(total)} ${verb}`)
  }
}

const number = (value: number): string => value.toLocaleString('en')
