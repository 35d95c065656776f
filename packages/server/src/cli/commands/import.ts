// `mangaassist import`: a shop's catalogue, FAQ, release dates and stock, checked completely before anything is sent, then written beside
// the current edition of every server and switched in one step.
import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { FaqEntry } from '@mangaassist/bookseller/catalogue/catalogue'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { systemClock } from '#adapters/system/clock.ts'
import { readYamlList } from '#wiring/bundled-data.ts'
import { StartError } from '#wiring/start-error.ts'
import { oneLine } from '#lib/text/readable.ts'
import { CommandError, parseWords, UsageError } from '../command.ts'
import type { Command, Terminal } from '../command.ts'
import { compareWith, described } from '../import/changes.ts'
import type { Comparison } from '../import/changes.ts'
import { openDestinations } from '../import/destinations.ts'
import type { Destination, ImportedRows } from '../import/destinations.ts'
import { readOfferFiles } from '../import/offer-files.ts'
import type { OfferChanges } from '../import/offer-files.ts'
import { progressOf } from '../import/progress.ts'
import { readProducts } from '../import/read-products.ts'
import { TOKEN_VARIABLE } from '../server/admin-api.ts'

const flags = {
  faq: { type: 'string' },
  releases: { type: 'string' },
  stock: { type: 'string' },
  server: { type: 'string', multiple: true },
  reason: { type: 'string' },
  'dry-run': { type: 'boolean' },
  'skip-bad-rows': { type: 'boolean' },
  'allow-removals': { type: 'boolean' },
} as const

const PROBLEMS_LISTED_MAX = 20
const BATCH_ROWS = 200
const BATCH_LENGTH_MAX = 262_144

interface Given {
  readonly file?: string
  readonly offers: OfferChanges
  readonly faq?: readonly FaqEntry[]
  readonly source: string
}

export const importCatalogue: Command = {
  summary: 'Import a catalogue, FAQ, release dates and stock',
  usage: `Usage: mangaassist import [FILE.csv|FILE.jsonl] [--faq FILE.yaml] [--releases FILE.csv]
                          [--stock FILE.csv] [--server URL]... [--dry-run]
                          [--skip-bad-rows] [--allow-removals] [--reason WHY]

FILE replaces the whole catalogue; docs/catalogue.md describes its fields. Without FILE, the other
files change the catalogue that is there. Everything is checked before anything is sent. A running
server answers meanwhile; the new edition takes effect in one step. Asks the running server of this
configuration, or those at --server, with the admin token of ${TOKEN_VARIABLE}; where none
runs it opens DATA_DIR itself. Each node of a cluster has its own catalogue: name them all.

  --faq FILE        replaces the FAQ: a YAML list as in data/faq.yaml
  --releases FILE   CSV with the columns id, volume, date
  --stock FILE      CSV with the columns id, volume, priceYen, stock; without a volume the row is
                    for the whole series
  --server URL      a server to import to; repeat it for each node
  --dry-run         check, print what would change, and write nothing
  --skip-bad-rows   import the good rows
  --allow-removals  remove more than half of the products
  --reason WHY      goes to the audit (default: import)`,

  async run(args, terminal) {
    const { positionals, values } = parseWords(args, flags)
    const [file, ...more] = positionals
    if (more.length > 0) throw new UsageError('import takes one FILE.')
    const { faq, releases, stock } = values
    if ([file, faq, releases, stock].every((path) => path === undefined))
      throw new UsageError('import needs a FILE, --faq, --releases or --stock.')
    const files = { ...(stock === undefined ? {} : { stock }), ...(releases === undefined ? {} : { releases }) }
    const given: Given = {
      ...(file === undefined ? {} : { file }),
      offers: await readOfferFiles(files),
      ...(faq === undefined ? {} : { faq: await readFaqFile(faq) }),
      source: [file, stock, releases, faq].flatMap((path) => (path === undefined ? [] : [basename(path)])).join(', '),
    }
    const isDryRun = values['dry-run'] === true
    await using destinations = await openDestinations(terminal, { servers: values.server ?? [], isDryRun })
    const comparisons = await Promise.all(destinations.all.map(compareWith))
    const checked = await check(terminal, given, comparisons)
    const isKept = checked.bad === 0 || values['skip-bad-rows'] === true
    if (!isKept)
      throw new CommandError('Nothing was imported: correct these rows, or import the others with --skip-bad-rows.')
    for (const one of comparisons) {
      terminal.stdout.write(`${changesOf(one, given)}\n`)
      if (values['allow-removals'] !== true) refuseRemovals(one, given)
    }
    if (isDryRun) {
      terminal.stdout.write('This was a dry run: nothing was written.\n')
      return 0
    }
    const how = { reason: values.reason ?? 'import', allowRemovals: values['allow-removals'] === true }
    await send(terminal, given, { ...how, ...checked, destinations: destinations.all })
    return 0
  },
}

async function readFaqFile(path: string): Promise<readonly FaqEntry[]> {
  try {
    return (await readYamlList(path, FaqEntry)) as readonly FaqEntry[]
  } catch (error) {
    if (error instanceof StartError) throw new CommandError(`${error.message}\nNothing was imported.`)
    throw error
  }
}

/** Reads everything once: reports bad rows, and compares the good ones with every destination. */
async function check(terminal: Terminal, given: Given, comparisons: readonly Comparison[]) {
  const problems: string[] = []
  let bad = 0
  let rows = 0
  let good = 0
  const unknown = new Set<string>()
  const note = (path: string, line: number, text: string) => {
    if (problems.length < PROBLEMS_LISTED_MAX) problems.push(`${path}:${line}: ${text}`)
  }
  const { changes, problems: ofOffers } = given.offers
  for (const { field, line, message, path } of ofOffers) note(path, line, `${field} ${message}`.trim())
  bad += ofOffers.length
  const ids = new Set<string>()
  if (given.file !== undefined) {
    const { file } = given
    const { size } = statSync(file, { throwIfNoEntry: false }) ?? { size: 0 }
    const progress = progressOf(terminal.stderr, { clock: systemClock(), label: `Checking ${basename(file)}` })
    const products = readProducts({
      path: file,
      offers: given.offers,
      onBytes: (bytes) => progress.at(bytes / Math.max(1, size), rows),
      onProblem(found) {
        bad += 1
        rows += 1
        for (const { field, line, message } of found) note(file, line, `${field} ${message}`.trim())
      },
    })
    for await (const product of products) {
      rows += 1
      good += 1
      ids.add(product.id)
      for (const one of comparisons) one.add(product)
    }
    progress.end(rows)
    if (rows === 0) throw new CommandError(`${file} has no rows. Nothing was imported.`)
  } else for (const { change } of changes.values()) for (const one of comparisons) one.change(change)
  for (const [id, { line, path }] of changes) {
    const isKnown = given.file === undefined ? comparisons.every((one) => one.has(id)) : ids.has(id)
    if (isKnown) continue
    bad += 1
    unknown.add(id)
    note(path, line, `id ${id} is not in the catalogue`)
  }
  if (bad > 0) {
    const unlisted = bad > problems.length ? `\n… ${bad} bad rows in all.` : ''
    terminal.stderr.write(`${problems.map(oneLine).join('\n')}${unlisted}\n`)
  }
  return { bad, unknown, rows: given.file === undefined ? changes.size - unknown.size : good }
}

function changesOf(one: Comparison, { faq, file }: Given): string {
  const replaced = faq === undefined ? '' : `; the FAQ becomes one of ${faq.length} entries`
  return `${described(one, file === undefined ? 0 : one.removed())}${replaced}.`
}

function refuseRemovals(one: Comparison, { file }: Given): void {
  if (file === undefined || !one.removesTooMany()) return
  throw new CommandError(
    `The import would remove ${one.removed()} products from ${one.destination.name}, more than half. Is the file complete? ` +
      'If it is, repeat the command with --allow-removals. Nothing was imported.',
  )
}

interface Sending {
  readonly destinations: readonly Destination[]
  readonly rows: number
  /** Ids of offers that no product has. */
  readonly unknown: ReadonlySet<string>
  readonly reason: string
  readonly allowRemovals: boolean
}

/** To all destinations batch by batch, then commits one after another: the editions differ for a moment only. */
async function send(terminal: Terminal, given: Given, sending: Sending): Promise<void> {
  const { allowRemovals, destinations, reason, rows, unknown } = sending
  const clock = systemClock()
  const progress = progressOf(terminal.stderr, { clock, label: 'Importing' })
  const kind = given.file === undefined ? 'offers' : 'catalogue'
  const begun = await Promise.all(
    destinations.map(async (destination) => ({ destination, id: await destination.begin(kind, given.source, reason) })),
  )
  const before = given.file === undefined ? undefined : stampOf(given.file)
  try {
    let sent = 0
    for await (const batch of batchesOf(given, unknown)) {
      await Promise.all(begun.map(({ destination, id }) => destination.add(id, sent, batch)))
      sent += batch.rows.length
      progress.at(sent / Math.max(1, rows), sent)
    }
    if (given.file !== undefined && stampOf(given.file) !== before)
      throw new CommandError(`${given.file} changed while it was read. Nothing was imported: run the command again.`)
    progress.end(sent)
  } catch (error) {
    await Promise.allSettled(begun.map(({ destination, id }) => destination.discard(id)))
    throw error
  }
  for (const { destination, id } of begun) {
    const edition = await destination.commit(id, {
      allowRemovals,
      ...(given.faq === undefined ? {} : { faq: given.faq }),
    })
    terminal.stdout.write(`${destination.name}: edition ${edition}.\n`)
  }
}

function stampOf(path: string): string {
  const { mtimeMs, size } = statSync(path)
  return `${size} ${mtimeMs}`
}

async function* batchesOf({ file, offers }: Given, unknown: ReadonlySet<string>): AsyncGenerator<ImportedRows> {
  if (file === undefined) {
    const known = [...offers.changes.values()].filter(({ change }) => !unknown.has(change.id))
    const changes = known.map(({ change }) => change)
    for (let from = 0; from < changes.length; from += BATCH_ROWS)
      yield { kind: 'offers', rows: changes.slice(from, from + BATCH_ROWS) }
    return
  }
  let rows: Product[] = []
  let length = 0
  for await (const product of readProducts({ path: file, offers, onProblem: () => {} })) {
    const own = JSON.stringify(product).length
    if (rows.length === BATCH_ROWS || (rows.length > 0 && length + own > BATCH_LENGTH_MAX)) {
      yield { kind: 'catalogue', rows }
      rows = []
      length = 0
    }
    rows.push(product)
    length += own
  }
  if (rows.length > 0) yield { kind: 'catalogue', rows }
}
