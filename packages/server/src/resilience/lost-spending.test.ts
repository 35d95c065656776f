// The day's ceilings come back from the ledger after their store was emptied, once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryLedger } from '#adapters/memory/ledger.ts'
import { memorySpendChunks } from '#adapters/memory/spend-chunks.ts'
import { memoryTasks } from '#adapters/memory/tasks.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleLedgerRow, TODAY } from '#fixtures/turns/samples.ts'
import type { Ledger } from '#ports/ledger/port.ts'
import { lostSpending } from './lost-spending.ts'

function setUp() {
  const clock = manualClock()
  const [ledger, spendChunks, telemetry] = [memoryLedger(), memorySpendChunks({ clock }), memoryTelemetry()]
  const [tasks, state] = [memoryTasks({ clock }), { isUnavailable: false, reads: 0 }]
  const read = {
    rows: (...asked: Parameters<typeof ledger.rows>) => {
      if (state.isUnavailable) throw new StoreUnavailable('away')
      state.reads += 1
      return ledger.rows(...asked)
    },
  }
  const limits = { store: 1000, guests: 500 }
  let nodes = 0
  const node = (ledgerOfNode: Pick<Ledger, 'rows' | 'costs'> = read) =>
    lostSpending({
      ledger: ledgerOfNode,
      spendChunks,
      tasks,
      nodeId: `node_${(nodes += 1)}`,
      clock,
      telemetry,
      today: () => TODAY,
      limits,
      allowanceMicroUsd: 50,
    })
  const taken = async () => [
    await spendChunks.taken({ name: 'store', day: TODAY, limitMicroUsd: 1000 }),
    await spendChunks.taken({ name: 'guests', day: TODAY, limitMicroUsd: 500 }),
  ]
  const spent = () =>
    ledger.record([
      sampleLedgerRow({ turnId: 'a', principalId: 'guest_1', costMicroUsd: 50 }),
      sampleLedgerRow({ turnId: 'd', principalId: 'user:demo:aki.1', costMicroUsd: 20 }),
      sampleLedgerRow({ turnId: 'b', principalId: 'user:1', costMicroUsd: 200 }),
      sampleLedgerRow({ turnId: 'c', principalId: 'user:1', costMicroUsd: 900, day: '2026-11-03' }),
    ])
  return { clock, node, spendChunks, spent, state, taken, telemetry }
}

test('what the ledger has of the day counts as spent again, once for all nodes of an epoch', async () => {
  const { clock, node, spendChunks, spent, state, taken } = setUp()
  await spent()
  await spendChunks.lease({ name: 'store', day: TODAY, limitMicroUsd: 1000 }, { least: 1, most: 20 }, 'op_1')
  using first = node()
  using second = node()
  first.restore('epoch_2')
  second.restore('epoch_2')
  await clock.advance(10_000)
  assert.deepEqual(await taken(), [270, 70])
  assert.equal(state.reads, 1, 'one node reads the ledger')
  first.restore('epoch_3')
  await clock.advance(10_000)
  assert.deepEqual(await taken(), [270, 70], 'nothing is missing')
})

test('a ledger that is unavailable is asked again', async () => {
  const { clock, node, spent, state, taken, telemetry } = setUp()
  await spent()
  state.isUnavailable = true
  using one = node()
  one.restore('epoch_2')
  await clock.advance(30_000)
  assert.deepEqual(await taken(), [0, 0])
  state.isUnavailable = false
  await clock.advance(10_000)
  assert.deepEqual(await taken(), [270, 70])
  assert.equal(telemetry.logged.filter(({ event }) => event === 'spending.restored').length, 2)
})

test('when the node that restores dies, another one does', async () => {
  const { clock, node, spent, state, taken } = setUp()
  await spent()
  const dying = node({ rows: () => assert.fail('it dies here') })
  dying.restore('epoch_2')
  await clock.advance(150)
  dying[Symbol.dispose]()
  using next = node()
  next.restore('epoch_2')
  await clock.advance(60_000)
  assert.deepEqual([await taken(), state.reads], [[270, 70], 1])
  using late = node()
  late.restore('epoch_2')
  await clock.advance(10_000)
  assert.equal(state.reads, 1, 'a node that starts later finds that it was done')
})

test('until the accounts are restored a node leases its allowance, and afterwards what is left of the ceiling', async () => {
  const { clock, node, spent, state } = setUp()
  await spent()
  state.isUnavailable = true
  using one = node()
  const account = { name: 'store', day: TODAY, limitMicroUsd: 1000 } as const
  one.restore('epoch_2')
  const lease = async (operation: string, least = 1) =>
    (await one.chunks.lease(account, { least, most: 40 }, operation)).grantedMicroUsd
  assert.deepEqual([await lease('a'), await lease('b'), await lease('c')], [40, 10, 0])
  state.isUnavailable = false
  await clock.advance(10_000)
  assert.equal(await lease('d'), 40)
})

test('costs are read instead of rows where the ledger offers them', async () => {
  const { clock, node, taken } = setUp()
  async function* costs() {
    yield { principalId: 'guest_1', costMicroUsd: 30 }
    yield { principalId: 'user:1', costMicroUsd: 100 }
  }
  using one = node({ costs, rows: () => assert.fail('rows are dear') })
  one.restore('epoch_2')
  await clock.advance(10_000)
  assert.deepEqual(await taken(), [130, 30])
})
