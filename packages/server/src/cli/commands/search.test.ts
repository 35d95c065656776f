// `mangaassist search`: what it finds, in which catalogue, and a minimum quality that no change may go below.
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { openDataDir } from '#adapters/sqlite/files/data-dir.ts'
import { openDatabase } from '#adapters/sqlite/files/database.ts'
import { sqliteProductStore } from '#adapters/sqlite/product-store/product-store.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { sampleShelves } from '#fixtures/turns/samples.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import type { Evaluation } from '../search/evaluate.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'

interface Found {
  readonly kind: string
  readonly products: readonly { readonly id: string }[]
  readonly faq: readonly string[]
}

async function searched(context: TestContext, ...words: readonly string[]): Promise<Found> {
  const terminal = fakeTerminal(context)
  assert.equal(await main(['search', ...words, '--json'], terminal), 0)
  return JSON.parse(terminal.printed.out) as Found
}

test('the words are understood as in a turn: names, wishes and the FAQ', async (context) => {
  assert.deepEqual((await searched(context, '進撃の巨人')).products[0]?.id, 'shingeki-no-kyojin')
  const wished = await searched(context, 'finished', 'horror', '--limit', '2')
  assert.deepEqual([wished.kind, wished.products.length], ['recommend', 2])
  assert.deepEqual((await searched(context, '送料はいくらですか')).faq, ['shipping-fee'])
})

test('search uses the catalogue of DATA_DIR if there is one, works beside a running server, and creates nothing', async (context) => {
  const terminal = fakeTerminal(context)
  const path = terminal.env['DATA_DIR'] ?? ''
  assert.equal(await main(['search', 'よつばと'], terminal), 0)
  assert.match(terminal.printed.out, /yotsubato$/mu)
  assert.equal(existsSync(path), false)

  using dataDir = openDataDir({ path, random: systemRandom() })
  const database = openDatabase({ path: dataDir.databasePath, clock: systemClock() })
  context.after(() => database.close())
  assert.equal(await main(['search', 'よつばと'], terminal), 0)
  await sqliteProductStore({ database }).replaceAll(sampleShelves(), 'import')
  terminal.printed.out = ''
  assert.equal(await main(['search', 'よつばと'], terminal), 0)
  assert.match(terminal.printed.out, /yotsuba-to$/mu)
})

test('a file that is not a database is reported and not changed', async (context) => {
  const terminal = fakeTerminal(context)
  const opened = openDataDir({ path: terminal.env['DATA_DIR'] ?? '', random: systemRandom() })
  opened[Symbol.dispose]()
  writeFileSync(opened.databasePath, 'not a database')
  assert.equal(await main(['search', 'x'], terminal), 1)
  assert.match(terminal.printed.err, /is not a database/)
})

test('recall@5 and the understanding of questions stay above their minimum', async (context) => {
  const terminal = fakeTerminal(context)
  assert.equal(await main(['search', '--evaluate', '--json'], terminal), 0)
  const evaluations = JSON.parse(terminal.printed.out) as Evaluation[]
  const overall = (file: string) =>
    evaluations.find((evaluation) => evaluation.file.endsWith(`/${file}`))?.overall ?? {}
  assert.ok((overall('search.jsonl')['recall@5'] ?? 0) >= 0.85)
  assert.ok((overall('intents.jsonl')['accuracy'] ?? 0) >= 0.8)
  // Nothing is tuned by these files, so their minimum is lower.
  assert.ok((overall('search-held-out.jsonl')['recall@5'] ?? 0) >= 0.7)
  assert.ok((overall('intents-held-out.jsonl')['accuracy'] ?? 0) >= 0.7)
})

test('a given file is evaluated by kind, and an invalid line is reported', async (context) => {
  const file = join(tempDir(context), 'own.jsonl')
  writeFileSync(
    file,
    [
      { query: '進撃の巨人', kind: 'title', relevant: ['shingeki-no-kyojin'] },
      { query: 'xyzzy', kind: 'nonsense', relevant: ['berserk'] },
      { message: 'こんにちは', language: 'ja', kind: 'greeting', mentioned: [] },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  )
  const terminal = fakeTerminal(context)
  assert.equal(await main(['search', '--evaluate', file], terminal), 0)
  assert.match(terminal.printed.out, /3 questions/)
  assert.match(terminal.printed.out, /title +1\.00 +1\.00/)
  assert.match(terminal.printed.out, /nonsense +0\.00 +0\.00/)
  writeFileSync(file, '\n{"query": "x"}\n')
  assert.equal(await main(['search', '--evaluate', file], terminal), 1)
  assert.match(terminal.printed.err, /own\.jsonl:2 is neither/)
})
