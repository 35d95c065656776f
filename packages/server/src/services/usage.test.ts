// The ledger for operators: pages that lead to each other, and users that spent too much.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '#domain/refusal.ts'
import { fakeAdmin } from '#fixtures/edge/fake-admin.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleLedgerRow } from '#fixtures/turns/samples.ts'

async function setUp() {
  const { queries, ledger } = fakeAdmin(manualClock())
  const users = ['a', 'b', 'c', 'd', 'e']
  await ledger.record(
    users.map((principalId, index) =>
      sampleLedgerRow({ turnId: `turn_${principalId}`, principalId, costMicroUsd: 4_000_000 * index, at: index }),
    ),
  )
  return { queries, ledger }
}

test('pages of groups lead to each other, and the first page has the totals', async () => {
  const { queries } = await setUp()
  const seen: unknown[] = []
  let after: string | undefined
  for (let pages = 0; pages < 3; pages += 1) {
    const page = await queries.usage({}, ['user', 'model'], { limit: 2, ...(after === undefined ? {} : { after }) })
    assert.equal(page.totals?.rows, after === undefined ? 5 : undefined)
    seen.push(...page.groups.map(({ key }) => key.user))
    after = page.next
  }
  assert.deepEqual([seen, after], [['a', 'b', 'c', 'd', 'e'], undefined])
})

test('pages of rows lead to each other, and have the relative error of the estimate', async () => {
  const { queries, ledger } = await setUp()
  const estimate = { system: 1, retrieval: 2, history: 3, message: 5, total: 11 }
  await ledger.record([sampleLedgerRow({ turnId: 'turn_z', at: 9, estimate })])
  const first = await queries.usageRows({}, { limit: 4 })
  const second = await queries.usageRows({}, { limit: 4, after: first.next ?? '' })
  const turns = [...first.rows, ...second.rows].map(({ turnId }) => turnId)
  assert.deepEqual(turns, ['turn_a', 'turn_b', 'turn_c', 'turn_d', 'turn_e', 'turn_z'])
  assert.equal(second.next, undefined)
  assert.deepEqual(
    second.rows.map(({ estimateError }) => estimateError),
    [undefined, 0.1],
  )
})

test('users that spent more than the alarm threshold are listed, and users that spent exactly that are not', async () => {
  const { queries, ledger } = await setUp()
  await ledger.record([sampleLedgerRow({ turnId: 'turn_f', principalId: 'f', costMicroUsd: 10_000_000 })])
  const { users, day, alarmMicroUsd } = await queries.spenders(undefined, { limit: 10 })
  assert.deepEqual([day, alarmMicroUsd], ['2026-11-04', 10_000_000])
  assert.deepEqual(users, [
    { userId: 'd', costMicroUsd: 12_000_000 },
    { userId: 'e', costMicroUsd: 16_000_000 },
  ])
  assert.deepEqual((await queries.spenders('2026-11-03', { limit: 10 })).users, [])
})

test('an invalid cursor is refused', async () => {
  const { queries } = await setUp()
  const isRefused = (error: unknown) => error instanceof Refusal && error.details?.['field'] === 'after'
  await assert.rejects(queries.usage({}, ['user'], { limit: 2, after: 'xyz' }), isRefused)
  await assert.rejects(queries.usageRows({}, { limit: 2, after: 'xyz' }), isRefused)
})

test('the rows of one turn are found by its id', async () => {
  const { queries, ledger } = await setUp()
  await ledger.record([sampleLedgerRow({ turnId: 'turn_b', attempt: 2 })])
  assert.deepEqual(
    (await queries.usageOfTurn('turn_b')).map(({ attempt }) => attempt),
    [1, 2],
  )
  assert.deepEqual(await queries.usageOfTurn('turn_z'), [])
})

test('a bill is compared with the ledger by day and model, and one that cannot be read is refused with its line', async () => {
  const { queries, ledger } = await setUp()
  await ledger.record([
    sampleLedgerRow({ turnId: 'turn_x', model: 'big', tier: 'primary', inputTokens: 1000, outputTokens: 100 }),
  ])
  const ask = (bill: string, zone?: string) => queries.reconcileBill({ bill, tolerance: 0.02, zone })
  const head = 'day,model,inputTokens,outputTokens'
  assert.equal((await ask(`${head}\n2026-11-04,big,1001,100`)).agrees, true)
  const { agrees, comparisons } = await ask(`${head}\n2026-11-04,big,2000,100\n2026-11-04,other,5,5`, 'UTC')
  assert.deepEqual(
    [agrees, comparisons.map(({ model, verdict }) => [model, verdict])],
    [
      false,
      [
        ['big', 'differs'],
        ['other', 'missing-in-ledger'],
      ],
    ],
  )
  for (const [bill, zone, reason] of [
    ['what, is, this', undefined, /no column for day/],
    [`${head}\n2026-11-04,big,many,1`, undefined, /row 2: inputTokens is "many"/],
    [`${head}\n2026-11-04,big,1,1`, 'Mars', /not a time zone/],
    [`${head}\n2026-01-01,big,1,1\n2026-11-04,big,1,1`, undefined, /more than 100 days/],
  ] as const)
    await assert.rejects(ask(bill, zone), ({ code, details }: Refusal) => {
      assert.match(String(details?.['reason']), reason)
      return code === 'INVALID_REQUEST'
    })
})
