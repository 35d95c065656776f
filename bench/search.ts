// Search at several sizes of the catalogue: time to build and to open the index, time of a query, memory; and the same for the names
// that a message is read by. Each size runs in its own process. On a busy machine the CPU time of a query is the better figure. Products are mixed from those of the bundled catalogue, each part from another one, so that they differ.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readWords } from '../packages/bookseller/src/retrieval/read-words.ts'
import { NamesBuilder } from '../packages/bookseller/src/understanding/names.ts'
import { buildLexicon, isWordOf, read } from '../packages/bookseller/src/understanding/read.ts'
import type { WordVectors } from '../packages/bookseller/src/retrieval/word-vectors.ts'
import type { Product } from '../packages/bookseller/src/catalogue/catalogue.ts'
import { memoryTelemetry } from '../packages/server/src/adapters/memory/telemetry.ts'
import { sqliteSearch } from '../packages/server/src/adapters/sqlite/search/search.ts'
import { systemClock } from '../packages/server/src/adapters/system/clock.ts'
import { NEVER } from '../packages/server/src/lib/async/never.ts'
import { eachProduct } from '../packages/server/src/ports/product-store/each-product.ts'
import { readCatalogue, readUnderstanding, readVectors } from '../packages/server/src/wiring/bundled-data.ts'

const SIZES = (process.env['SIZES'] ?? '500 10000 100000').split(' ').map(Number)
const QUERIES = Number(process.env['QUERIES'] ?? 2000)
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MB = 1024 * 1024
/** The products of a larger catalogue have fewer hooks: its index is built in minutes. */
const LARGE = 20_000

const [, , size, folder] = process.argv
if (size === undefined) compare()
else await measure(Number(size), folder ?? '')

function compare(): void {
  console.log(
    'products  built s  file MB  opened ms   p50 ms   p99 ms  CPU p50  CPU p99  resident MB  live MB' +
      '  names: built CPU s  live MB  CPU p50  CPU p99',
  )
  for (const each of SIZES) {
    const dir = mkdtempSync(join(tmpdir(), 'mangaassist-bench-'))
    // Twice: the first builds the index, the second opens what is stored, as a restart does.
    const [built, opened] = [1, 2].map(() => {
      const { stdout, stderr } = spawnSync(
        process.execPath,
        ['--expose-gc', fileURLToPath(import.meta.url), String(each), dir],
        { encoding: 'utf8' },
      )
      if (stdout.trim() === '') throw new Error(stderr)
      return JSON.parse(stdout) as Record<string, number>
    })
    const cell = (value: number | undefined, width: number, digits = 0) => (value ?? 0).toFixed(digits).padStart(width)
    console.log(
      `${String(each).padStart(8)}${cell((built?.['openedMs'] ?? 0) / 1000, 9, 1)}${cell(opened?.['fileMb'], 9, 1)}` +
        `${cell(opened?.['openedMs'], 11)}${cell(opened?.['p50'], 9, 1)}${cell(opened?.['p99'], 9, 1)}${cell(opened?.['cpu50'], 9, 1)}${cell(opened?.['cpu99'], 9, 1)}${cell(opened?.['residentMb'], 13)}${cell(opened?.['liveMb'], 9, 1)}` +
        `${cell(opened?.['namesBuiltS'], 21, 1)}${cell(opened?.['namesMb'], 9, 1)}${cell(opened?.['names50'], 9, 2)}${cell(opened?.['names99'], 9, 2)}`,
    )
    rmSync(dir, { recursive: true, force: true })
  }
}

async function measure(count: number, dir: string): Promise<void> {
  const { products } = await readCatalogue()
  const vectors = await readVectors()
  const understanding = await readUnderstanding(vectors)
  const lexicon = buildLexicon(products, [])
  const [residentBefore, liveBefore] = [resident(), live()]
  const began = performance.now()
  const store = mixedStore(products, count)
  const clock = systemClock()
  const search = await sqliteSearch({
    folder: dir,
    products: store,
    vectors,
    clock,
    telemetry: memoryTelemetry(),
  })
  const openedMs = performance.now() - began
  const asked = questions().map((text) => ({
    text,
    language: 'ja' as const,
    limit: 5,
    ...readWords(read({ message: text, language: 'ja', previous: 'none' }, lexicon, understanding), text),
  }))
  const times: number[] = []
  const cpu: number[] = []
  for (let query = 0; query < QUERIES; query += 1) {
    const question = asked[query % asked.length]
    if (question === undefined) break
    const from = performance.now()
    const cpuMs = await cpuMsOf(() => search.find(question, NEVER))
    if (query < asked.length) continue
    times.push(performance.now() - from)
    cpu.push(cpuMs)
  }
  const file = readdirSync(dir).map((name) => statSync(join(dir, name)).size)
  console.log(
    JSON.stringify({
      openedMs,
      fileMb: file.reduce((sum, bytes) => sum + bytes, 0) / MB,
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      cpu50: quantile(cpu, 0.5),
      cpu99: quantile(cpu, 0.99),
      residentMb: (resident() - residentBefore) / MB,
      liveMb: (live() - liveBefore) / MB,
      ...(await measureNames(store, vectors)),
    }),
  )
}

/** Every product has aliases of its own here: a name that several share is left out of most work. */
async function measureNames(
  store: ReturnType<typeof mixedStore>,
  vectors: WordVectors,
): Promise<Readonly<Record<string, number>>> {
  const before = live()
  const builder = new NamesBuilder()
  const addedMs = await cpuMsOf(async () => {
    for await (const product of eachProduct(store))
      builder.add({ ...product, aliases: product.aliases.map((alias) => `${alias} ${product.id}`) })
  })
  const [usage, names] = [process.cpuUsage(), builder.names(isWordOf(vectors))]
  const builtMs = addedMs + cpuMsSince(usage)
  const namesMb = (live() - before) / MB
  const cpu: number[] = []
  for (let round = 0; round < 3; round += 1)
    for (const text of questions()) {
      const cpuMs = await cpuMsOf(() => names.find(text))
      if (round > 0) cpu.push(cpuMs)
    }
  return { namesBuiltS: builtMs / 1000, namesMb, names50: quantile(cpu, 0.5), names99: quantile(cpu, 0.99) }
}

async function cpuMsOf(work: () => unknown): Promise<number> {
  const usage = process.cpuUsage()
  await work()
  return cpuMsSince(usage)
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0
}

function resident(): number {
  globalThis.gc?.()
  return process.memoryUsage().rss
}

/** Without what is not collected yet; buffers are freed by the second collection. */
function live(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function questions(): readonly string[] {
  const file = readFileSync(join(ROOT, 'packages/bookseller/evaluation/questions/tuning.jsonl'), 'utf8')
  return file
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly query: string }).query)
}

/** Products made on demand, the same for the same number. */
function mixedStore(products: readonly Product[], count: number) {
  const id = (number: number) => `mixed-${String(number).padStart(7, '0')}`
  const from = (afterId: string) => (afterId === '' ? 0 : Number(afterId.slice(6)) + 1)
  const slice = (afterId: string, limit: number) =>
    Array.from({ length: Math.max(0, Math.min(limit, count - from(afterId))) }, (_, index) => from(afterId) + index)
  return {
    page: async (afterId: string, limit: number) =>
      slice(afterId, limit).map((number) => mixed(products, { count, id, number })),
    outlines: async (afterId: string, limit: number) =>
      slice(afterId, limit).map((number) => {
        const { pricePerVolumeYen, stock } = products[number % products.length]!
        return { id: id(number), facts: '', offer: { pricePerVolumeYen, stock } }
      }),
    edition: async () => ({
      version: 1,
      offers: 0,
      source: 'bench',
      digest: `bench-${count}`,
      factsDigest: `bench-${count}`,
    }),
  }
}

function mixed(
  products: readonly Product[],
  { count, id, number }: { readonly count: number; readonly id: (number: number) => string; readonly number: number },
): Product {
  let state = number * 2_654_435_761 + 1
  const any = <Value>(of: readonly Value[]): Value => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return of[Math.floor((state / 2 ** 32) * of.length)]!
  }
  const own = products[number % products.length]!
  const hook = (language: 'ja' | 'en') => any(any(products).hooks?.[language] ?? ['x'])
  // The beginning of one sentence and the end of another, so that hardly any two products share one.
  const crossed = (a: string, b: string) => `${a.slice(0, Math.ceil(a.length / 2))}${b.slice(Math.ceil(b.length / 2))}`
  const hooks = (language: 'ja' | 'en') =>
    Array.from({ length: count > LARGE ? 5 : 15 }, () => crossed(hook(language), hook(language)))
  const { similar, ...rest } = own
  return {
    ...rest,
    id: id(number),
    title: {
      ja: `${own.title.ja} ${number}`,
      en: `${own.title.en} ${number}`,
      romaji: `${own.title.romaji} ${number}`,
    },
    genres: any(products).genres,
    moods: any(products).moods,
    hooks: { ja: hooks('ja'), en: hooks('en') },
    ...(any(products).synopsis === undefined ? {} : { synopsis: any(products).synopsis ?? own.synopsis! }),
    similar: (similar ?? []).map((other) =>
      other.id === undefined ? other : { ...other, id: id(Math.floor(number / 2)) },
    ),
  }
}
