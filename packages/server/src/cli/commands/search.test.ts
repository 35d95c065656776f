// `mangaassist search`: what it finds, in which catalogue, and why.
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { openDataDir } from '#adapters/sqlite/files/data-dir.ts'
import { openDatabase } from '#adapters/sqlite/files/database.ts'
import { sqliteProductStore } from '#adapters/sqlite/product-store/product-store.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { sampleShelves } from '#fixtures/turns/samples.ts'
import type { Wish } from '@mangaassist/bookseller/retrieval/wish'
import type { SearchExplanation } from '#domain/search/explanation.ts'
import { main } from '../main.ts'
import { displayWidth } from '../output/display-width.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'
import { operatorTerminal } from '../testing/operator-terminal.ts'
import { shownOn } from '../testing/virtual-screen.ts'

interface Found {
  readonly intent: { readonly kind: string }
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
  assert.deepEqual([wished.intent.kind, wished.products.length], ['suggest', 2])
  assert.deepEqual((await searched(context, '送料はいくらですか')).faq, ['shipping-fee'])
})

test('search uses the catalogue of DATA_DIR if there is one, works beside a running server, and creates nothing', async (context) => {
  const terminal = fakeTerminal(context)
  const path = terminal.env['DATA_DIR'] ?? ''
  assert.equal(await main(['search', 'よつばと'], terminal), 0)
  assert.match(terminal.printed.out, /^よつばと! .* 既刊16巻・連載中 /mu)
  assert.equal(existsSync(path), false)

  using dataDir = openDataDir({ path, random: systemRandom() })
  const database = openDatabase({ path: dataDir.databasePath, clock: systemClock() })
  context.after(() => database.close())
  assert.equal(await main(['search', 'よつばと'], terminal), 0)
  await sqliteProductStore({ database }).replaceAll(sampleShelves(), 'import')
  terminal.printed.out = ''
  assert.equal(await main(['search', 'よつばと'], terminal), 0)
  assert.match(terminal.printed.out, /^よつばと! .* 全23巻・完結 +484円 +11,132円 /mu)
})

test('a file that is not a database is reported and not changed', async (context) => {
  const terminal = fakeTerminal(context)
  const opened = openDataDir({ path: terminal.env['DATA_DIR'] ?? '', random: systemRandom() })
  opened[Symbol.dispose]()
  writeFileSync(opened.databasePath, 'not a database')
  assert.equal(await main(['search', 'x'], terminal), 1)
  assert.match(terminal.printed.err, /is not a database/)
})

test('--explain says what was read, why each series is found, and what excluded the next best', async (context) => {
  const terminal = fakeTerminal(context)
  const words = ['search', 'finished horror in a cursed town', '--explain']
  assert.equal(await main([...words, '--json'], terminal), 0)
  const { read, searched, found, excluded } = JSON.parse(terminal.printed.out) as SearchExplanation & {
    readonly read: { readonly wish: Wish }
  }
  assert.deepEqual(
    [read.wish.want.flatMap(({ genres }) => genres), read.wish.filters.status],
    [['horror'], 'completed'],
  )
  assert.ok(searched.terms.includes('cursed') && searched.words.some(({ word }) => word === 'cursed'))
  assert.ok(found.length > 0 && found.every(({ parts }) => parts.meaning > 0))
  assert.ok(excluded.length > 0 && excluded.every(({ condition }) => condition === 'status'))
  const scores = found.map(({ score }) => score)
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  )
  terminal.printed.out = ''
  assert.equal(await main(words, terminal), 0)
  assert.match(terminal.printed.out, /wanted: horror.*\n {2}conditions: status completed/u)
  assert.match(terminal.printed.out, /Found\n {2}1\. /u)
  assert.match(terminal.printed.out, /Excluded\n .* by status/u)
})

test('the table says what was read, and has price, total and reason of each series in aligned columns', async (context) => {
  const terminal = fakeTerminal(context)
  assert.equal(await main(['search', '完結したホラー、全巻5000円以内', '--limit', '3'], terminal), 0)
  const [read = '', , head = '', ...rows] = terminal.printed.out.trimEnd().split('\n')
  assert.match(read, /^読み取り：作品の希望、.*ホラー.*全巻で5,000円以内$/u)
  assert.match(head, /^作品 +作者 +巻数 +1巻 +合計 {2}理由$/u)
  assert.equal(rows.length, 3)
  const whyAt = displayWidth(head.slice(0, head.indexOf('理由')))
  for (const row of rows) {
    const [, total = '', why = ''] = /巻\S* +\d{3,4}円 +([\d,]+)円 {2}(\S.*)$/u.exec(row) ?? []
    assert.ok(Number(total.replace(',', '')) <= 5000, row)
    assert.equal(displayWidth(row.slice(0, row.lastIndexOf(why))), whyAt, row)
  }
})

test('in a terminal the table fits its width', async (context) => {
  for (const columns of [40, 72, 100]) {
    const terminal = fakeTerminal(context, { columns })
    assert.equal(await main(['search', 'isekai', 'fantasy'], terminal), 0)
    const lines = shownOn(terminal.printed.out)
    assert.ok(
      lines.every((line) => displayWidth(line) <= columns),
      lines.join('\n'),
    )
    assert.match(lines.join('\n'), /¥[\d,]+/u)
  }
})

test('when nothing is found, that is said with a hint on standard error, and the exit code is 1', async (context) => {
  const terminal = fakeTerminal(context)
  assert.equal(await main(['search', 'qqqqq zzzzz'], terminal), 1)
  assert.match(terminal.printed.out, /^Understood as .*\.\n$/u)
  assert.match(terminal.printed.err, /^Nothing found for “qqqqq zzzzz”\.\nTry a title/u)
  assert.deepEqual((await searched(context, 'qqqqq zzzzz')).products, [])
})

test('with --url a running server explains its own search, and what a turn would use', async (context) => {
  const { run, terminal } = await operatorTerminal(context, 'search')
  const url = `http://127.0.0.1:${terminal.env['PORT']}`
  const { code, out } = await run('返品はできますか', '--url', url)
  assert.equal(code, 0, out)
  assert.match(out, /^Edition none\n読み取り：お店についての質問.*\nA turn would use: .*returns/)
  const view = JSON.parse((await run('鬼滅の刃', '--url', url, '--json')).out)
  assert.deepEqual([view.language, view.understood.intent], ['ja', 'introduce'])
  assert.equal((await run('x', '--limit', '51', '--url', url)).code, 2)
})
