// `mangaassist usage`: the ledger beside a running server as a table, CSV and JSON, and compared with a provider's
// figures.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { openDataDir } from '#adapters/sqlite/files/data-dir.ts'
import { openDatabase } from '#adapters/sqlite/files/database.ts'
import { sqliteLedger } from '#adapters/sqlite/ledger/ledger.ts'
import { sqliteBudgets } from '#adapters/sqlite/budgets/budgets.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { dayOf } from '#domain/budget/day.ts'
import type { LedgerRow } from '#domain/ledger/ledger-row.ts'
import { parseCsv } from '#lib/text/csv.ts'
import { dateAfter } from '#lib/time/date-after.ts'
import { sampleAsk, sampleLedgerRow } from '#fixtures/turns/samples.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'

const CLAUDE = 'anthropic.claude-3-haiku-20240307-v1:0'
const billed = (over: Partial<LedgerRow> = {}) => sampleLedgerRow({ model: CLAUDE, tier: 'primary', ...over })

/** A data folder with these rows, locked by a running server. */
async function served(context: TestContext, rows: readonly LedgerRow[]) {
  const terminal = fakeTerminal(context)
  const dataDir = openDataDir({ path: terminal.env['DATA_DIR'] ?? '', random: systemRandom() })
  const clock = systemClock()
  const database = openDatabase({ path: dataDir.databasePath, clock, sync: 'aside' })
  context.after(() => {
    database.close()
    dataDir[Symbol.dispose]()
  })
  await sqliteLedger({ database, clock }).record(rows)
  const run = async (...args: readonly string[]) => {
    terminal.printed.out = terminal.printed.err = ''
    const code = await main(['usage', ...args], terminal)
    return { code, ...terminal.printed }
  }
  return { run, database }
}

const ROWS = [
  billed({ costMicroUsd: 1_234_567, inputTokens: 12_345, cacheReadTokens: 345 }),
  billed({ turnId: 'turn_2', principalId: 'user:id:2', day: '2026-11-05', estimated: true, overage: true }),
  sampleLedgerRow({ turnId: 'turn_3', principalId: '=cmd()', day: '2026-11-05', costMicroUsd: 0 }),
]

test('the table has the cost of each day to the micro-dollar, and a total', async (context) => {
  const { run } = await served(context, ROWS)
  const { code, out } = await run()
  assert.equal(code, 0)
  assert.match(out, /^day +calls +input +cache read +cache write +output +USD +estimated +overage$/m)
  assert.match(out, /^2026-11-04 +1 +12,345 +345 +0 +5 +1\.234567$/m)
  assert.match(out, /^2026-11-05 +2 +20 +0 +0 +10 +0\.000003 +1 +1$/m)
  assert.match(out, /^total +3 +12,365 +345 +0 +15 +1\.234570 +1 +1$/m)
})

test('the sums are grouped by --by and restricted by the filters', async (context) => {
  const { run } = await served(context, ROWS)
  const groups = async (...args: readonly string[]) => {
    const { out } = await run('--json', ...args)
    return (JSON.parse(out) as { groups: { key: object; rows: number }[] }).groups.map(({ key, rows }) => [key, rows])
  }
  assert.deepEqual(await groups('--by', 'user', '--from', '2026-11-05'), [
    [{ user: '=cmd()' }, 1],
    [{ user: 'user:id:2' }, 1],
  ])
  assert.deepEqual(await groups('--by', 'model,tier', '--user', 'guest_1'), [[{ model: CLAUDE, tier: 'primary' }, 1]])
  assert.deepEqual(await groups('--day', '2026-11-05', '--model', CLAUDE), [[{ day: '2026-11-05' }, 1]])
  assert.deepEqual(await groups('--session', 'nobody'), [])
})

test('an export has every row, is valid CSV, and contains no formula', async (context) => {
  const estimate = { system: 4, retrieval: 3, history: 0, message: 3, total: 11 }
  const many = Array.from({ length: 1200 }, (_, index) => billed({ turnId: `many_${index}`, at: index, estimate }))
  const { run } = await served(context, [...many, ...ROWS.slice(1)])
  const [header = [], ...rows] = parseCsv((await run('--rows', '--csv')).out)
  assert.equal(rows.length, 1202)
  const cell = (row: readonly string[] | undefined, name: string) => row?.[header.indexOf(name)]
  assert.deepEqual(
    ['turnId', 'estimateSystem', 'estimateTotal', 'estimateError', 'costUsd', 'overage'].map((name) =>
      cell(rows[0], name),
    ),
    ['many_0', '4', '11', '0.100', '0.000003', 'false'],
  )
  assert.deepEqual(
    rows.slice(-2).map((row) => [cell(row, 'user'), cell(row, 'estimateError'), cell(row, 'overage')]),
    [
      ['user:id:2', '', 'true'],
      ["'=cmd()", '', 'false'],
    ],
  )
  const lines = (await run('--rows', '--json', '--day', '2026-11-05')).out.trim().split('\n')
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as LedgerRow).turnId),
    ['turn_2', 'turn_3'],
  )
  assert.match((await run('--rows', '--user', 'user:id:2')).out, /turn_2\/1 .*estimated {2}OVERAGE/)
  assert.match((await run('--csv', '--by', 'user')).out, /^'=cmd\(\),1,10,0,0,5,0,0\.000000,0,0\r$/m)
})

test('a user’s quota shows what is used, reserved and left', async (context) => {
  const clock = systemClock()
  const day = dayOf(clock.now(), 'Asia/Tokyo')
  const { run, database } = await served(context, [sampleLedgerRow({ day: day.key, userTier: 'standard' })])
  const state = sqliteBudgets({ database, clock })
  const answer = await state.admit(sampleAsk({ day, leaseMs: 600_000 }))
  assert.ok(answer.kind === 'granted')
  await state.settle(answer.hold, { inputTokens: 7000, outputTokens: 50, costMicroUsd: 500_000 }, { claimMs: 0 })
  await state.admit(sampleAsk({ turnId: 'turn_2', day, leaseMs: 600_000 }))
  const { out } = await run('quota', '--user', 'guest_1')
  assert.match(out, /^guest_1 {2}tier standard/)
  assert.match(out, /^input tokens +7,000 +1,000 +492,000 +500,000$/m)
  assert.match(out, /^USD +0\.500000 +0\.010000 +4\.490000 +5\.000000$/m)
  const json = JSON.parse((await run('quota', '--user', 'guest_1', '--tier', 'free', '--json')).out)
  assert.deepEqual([json.quota.tier, json.left.costMicroUsd], ['free', 490_000])
})

test('a ledger within two percent of the provider’s figures agrees, whatever the names of the columns', async (context) => {
  const { run } = await served(context, [billed({ inputTokens: 10_100, outputTokens: 500, costMicroUsd: 3150 })])
  const file = join(tempDir(context), 'bill.csv')
  writeFileSync(
    file,
    `Usage Date;Model ID;Prompt Tokens;Completion Tokens;Cost (USD)\n2026/11/04;${CLAUDE.toUpperCase()};"10,000";500;$0.00315\n`,
  )
  const { code, out } = await run('reconcile', file)
  assert.match(out, /agrees +inputTokens +10,100 +10,000 +\+1\.00 %/)
  assert.match(out, /agrees with the provider within 2 %/)
  assert.equal(code, 0)
  assert.equal((await run('reconcile', file, '--tolerance', '0.5')).code, 1)
})

test('zeros and gaps on either side are reported in capitals, and reconcile exits with 1', async (context) => {
  const zeros = { inputTokens: 0, outputTokens: 0, costMicroUsd: 0 }
  const { run } = await served(context, [
    billed(zeros),
    billed({ turnId: 'turn_2', day: '2026-11-06' }),
    // No provider bills answers of the built-in responder.
    sampleLedgerRow({ turnId: 'turn_3', day: '2026-11-05' }),
  ])
  const file = join(tempDir(context), 'bill.json')
  const bill = ['2026-11-04', '2026-11-05', '2026-11-06'].map((date) => ({
    date,
    model: CLAUDE,
    input: 100,
    output: 9,
  }))
  const withZeros = { data: [...bill.slice(0, 2), { ...bill[2], input: 0, output: 0 }] }
  writeFileSync(file, JSON.stringify(withZeros))
  const { code, out } = await run('reconcile', file)
  assert.equal(code, 1)
  assert.match(out, /2026-11-04 .*ZERO IN OUR LEDGER/)
  assert.match(out, /2026-11-05 .*MISSING IN OUR LEDGER/)
  assert.match(out, /2026-11-06 .*ZERO AT THE PROVIDER/)
  assert.match(out, /DISAGREES with the provider: 3 of 3/)
  const json = JSON.parse((await run('reconcile', file, '--json')).out)
  assert.deepEqual([json.agrees, json.comparisons.length], [false, 3])
})

test('a provider with another time zone is compared by its own days', async (context) => {
  // 08:30 of the 5th in Tokyo is still the 4th in UTC.
  const at = Date.UTC(2026, 10, 4, 23, 30)
  const { run } = await served(context, [billed({ day: '2026-11-05', at })])
  const file = join(tempDir(context), 'bill.csv')
  writeFileSync(file, `day,model,inputTokens,outputTokens\n2026-11-04,${CLAUDE},10,5\n`)
  assert.equal((await run('reconcile', file)).code, 1)
  assert.equal((await run('reconcile', file, '--zone', 'UTC')).code, 0)
  assert.match((await run('reconcile', file, '--zone', 'Mars')).err, /Mars is not a time zone/)
})

test('an invalid file is refused with the row, and never counts as zeros', async (context) => {
  const { run } = await served(context, ROWS)
  const file = join(tempDir(context), 'bill.csv')
  for (const [text, message] of [
    ['', /has no column for day/],
    ['day,model,inputTokens,outputTokens\n', /has no rows to compare/],
    ['day,model,inputTokens\n2026-11-04,x,1', /has no column for outputTokens/],
    ['day,model,inputTokens,outputTokens\n2026-11-04,x,,1', /row 2: inputTokens is ""/],
    ['day,model,inputTokens,outputTokens\nyesterday,x,1,1', /row 2: "yesterday" is not a day/],
    ['[{"day":"2026-11-04","model":"x","inputTokens":1}]', /entry 1: outputTokens is ""/],
    ['{"total": 3}', /holds no list/],
    ['[{', /neither CSV nor JSON/],
  ] as const) {
    writeFileSync(file, text)
    const { code, err } = await run('reconcile', file)
    assert.equal(code, 1)
    assert.match(err, message)
  }
  assert.match((await run('reconcile', '/nowhere/bill.csv')).err, /cannot be read/)
})

test('a folder without data, a cluster without --url and an unreachable server are explained', async (context) => {
  const empty = fakeTerminal(context)
  assert.equal(await main(['usage'], empty), 1)
  assert.match(empty.printed.err, /nothing was served from there yet/)
  const env = { MANGA_STATE__REDIS: 'redis://127.0.0.1:1', MANGAASSIST_ADMIN_TOKEN: 'x' }
  const fleet = fakeTerminal(context, { env })
  assert.equal(await main(['usage'], fleet), 1)
  assert.match(fleet.printed.err, /name one of its servers with --url/)
  assert.equal(await main(['usage', '--url', 'http://127.0.0.1:1'], fleet), 1)
  assert.match(fleet.printed.err, /No MangaAssist answers/)
  assert.equal(await main(['usage', '--url', 'http://127.0.0.1:1'], empty), 1)
  assert.match(empty.printed.err, /Put the admin token into MANGAASSIST_ADMIN_TOKEN/)
  for (const [args, message] of [
    [['--by', 'shoe'], /--by takes/],
    [['--day', 'soon'], /--day must be/],
    [['--json', '--csv'], /exclude each other/],
    [['quota'], /quota needs --user ID/],
    [['reconcile'], /reconcile needs a FILE/],
    [['reconcile', 'x', '--tolerance', 'much'], /--tolerance must be/],
    [['nonsense'], /Unknown argument "nonsense"/],
  ] as const) {
    const terminal = fakeTerminal(context)
    assert.equal(await main(['usage', ...args], terminal), 2)
    assert.match(terminal.printed.err, message)
  }
})

test('--sort and --top show the most expensive users first, and the total is of all', async (context) => {
  const { run } = await served(context, ROWS)
  const { out } = await run('--by', 'user', '--sort', 'cost', '--top', '1')
  assert.match(out, /^guest_1 .* 1\.234567$/m)
  assert.doesNotMatch(out, /user:id:2/)
  assert.match(out, /^total +3 .* 1\.234570/m)
  const { groups, totals } = JSON.parse((await run('--by', 'user', '--sort', 'cost', '--json')).out)
  assert.deepEqual(
    groups.map(({ key }: { key: { user: string } }) => key.user),
    ['guest_1', 'user:id:2', '=cmd()'],
  )
  assert.equal(totals.rows, 3)
  const [, first] = parseCsv((await run('--by', 'user', '--sort', 'calls', '--top', '1', '--csv')).out)
  assert.equal(first?.length, 10)
  for (const wrong of [
    ['--sort', 'price'],
    ['--top', '0'],
    ['--top', 'ten'],
    ['--rows', '--top', '3'],
  ])
    assert.equal((await run(...wrong)).code, 2, wrong.join(' '))
})

test('--day takes today and yesterday in the shop’s time zone, and no date that does not exist', async (context) => {
  const today = dayOf(systemClock().now(), 'Asia/Tokyo').key
  const yesterday = dateAfter(today, -1) ?? assert.fail('no day before')
  const { run } = await served(context, [billed({ day: today }), billed({ turnId: 'turn_2', day: yesterday })])
  assert.match((await run('--day', 'yesterday')).out, new RegExp(`^${yesterday} `, 'm'))
  assert.doesNotMatch((await run('--day', 'yesterday')).out, new RegExp(`^${today} `, 'm'))
  assert.match((await run('--from', 'yesterday', '--to', 'today')).out, /^total +2 /m)
  for (const day of ['2026-11-31', 'tomorrow', '2026-11']) {
    const { code, err } = await run('--day', day)
    assert.deepEqual([code, err.includes('--day must be a day such as')], [2, true], day)
  }
})

test('--turn shows the rows of one turn, and says when there are none', async (context) => {
  const { run } = await served(context, [...ROWS, billed({ attempt: 2, tier: 'economy' })])
  const lines = (await run('--turn', 'turn_1', '--json')).out.trim().split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).attempt),
    [1, 2],
  )
  const missing = await run('--turn', 'turn_9')
  assert.deepEqual([missing.code, missing.err], [1, 'The ledger has no turn "turn_9".\n'])
  assert.equal((await run('--turn', 'turn_1', '--user', 'guest_1')).code, 2)
})
