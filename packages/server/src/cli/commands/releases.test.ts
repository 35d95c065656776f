// `mangaassist releases`: the days that are listed, and wrong flags.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDataDir } from '#adapters/sqlite/files/data-dir.ts'
import { openDatabase } from '#adapters/sqlite/files/database.ts'
import { sqliteProductStore } from '#adapters/sqlite/product-store/product-store.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { sampleProduct } from '#fixtures/turns/samples.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'

test('the releases of the days are listed by date, and as JSON', async (context) => {
  const terminal = fakeTerminal(context)
  using dataDir = openDataDir({ path: terminal.env['DATA_DIR'] ?? '', random: systemRandom() })
  const database = openDatabase({ path: dataDir.databasePath, clock: systemClock() })
  context.after(() => database.close())
  const shelf = [
    sampleProduct({ id: 'a', releases: [{ volume: 9, date: '2027-01-07' }] }),
    sampleProduct({
      id: 'b',
      releases: [
        { volume: 10, date: '2027-01-06' },
        { volume: 11, date: '2027-01-08' },
      ],
    }),
    sampleProduct({ id: 'c' }),
  ]
  await sqliteProductStore({ database }).replaceAll(shelf, 'import')
  const args = ['releases', '--from', '2027-01-06', '--days', '2']
  assert.equal(await main(args, terminal), 0)
  assert.match(
    terminal.printed.out,
    /^2027-01-06 Wed {2}b {2}vol\. 10 {2}.+\n2027-01-07 Thu {2}a {2}vol\. {2}9 {2}.+\n$/u,
  )
  terminal.printed.out = ''
  assert.equal(await main([...args, '--json'], terminal), 0)
  const printed = JSON.parse(terminal.printed.out) as { from: string; to: string; releases: { id: string }[] }
  assert.deepEqual(
    [printed.from, printed.to, printed.releases.map(({ id }) => id)],
    ['2027-01-06', '2027-01-07', ['b', 'a']],
  )
})

test('without a stored catalogue the bundled dates are listed; a span without releases says so', async (context) => {
  const terminal = fakeTerminal(context)
  assert.equal(await main(['releases', '--from', '2026-12-16', '--days', '1'], terminal), 0)
  assert.match(terminal.printed.out, /^2026-12-16 Wed {2}one-piece +vol\. 115/mu)
  terminal.printed.out = ''
  assert.equal(await main(['releases', '--from', '2001-01-01'], terminal), 0)
  assert.equal(terminal.printed.out, 'No release from 2001-01-01 to 2001-01-28.\n')
})

test('a wrong date or number of days is refused', async (context) => {
  const terminal = fakeTerminal(context)
  for (const args of [
    ['--from', '2027-02-30'],
    ['--from', 'today'],
    ['--days', '0'],
    ['--days', '367'],
  ])
    assert.equal(await main(['releases', ...args], terminal), 2, args.join(' '))
})
