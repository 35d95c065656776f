// The day's ceilings come back from the ledger after their store was emptied, once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryLedger } from '#adapters/memory/ledger.ts'
import { memorySpendChunks } from '#adapters/memory/spend-chunks.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleLedgerRow, TODAY } from '#fixtures/turns/samples.ts'
import { lostSpending } from './lost-spending.ts'

function setUp() {
  const clock = manualClock()
  const [ledger, spendChunks, telemetry] = [memoryLedger(), memorySpendChunks({ clock }), memoryTelemetry()]
  const state = { isUnavailable: false }
  const read = {
    rows: (...asked: Parameters<typeof ledger.rows>) => {
      if (state.isUnavailable) throw new StoreUnavailable('away')
      return ledger.rows(...asked)
    },
  }
  const limits = { store: 1000, guests: 500 }
  const node = () => lostSpending({ ledger: read, spendChunks, clock, telemetry, today: () => TODAY, limits })
  const taken = async () => [
    await spendChunks.taken({ name: 'store', day: TODAY, limitMicroUsd: 1000 }),
    await spendChunks.taken({ name: 'guests', day: TODAY, limitMicroUsd: 500 }),
  ]
  const spent = () =>
    ledger.record([
      sampleLedgerRow({ turnId: 'a', principalId: 'guest_1', costMicroUsd: 70 }),
      sampleLedgerRow({ turnId: 'b', principalId: 'user:1', costMicroUsd: 200 }),
      sampleLedgerRow({ turnId: 'c', principalId: 'user:1', costMicroUsd: 900, day: '2026-11-03' }),
    ])
  return { clock, node, spendChunks, spent, state, taken, telemetry }
}

test('what the ledger has of the day counts as spent again, once for all nodes of an epoch', async () => {
  const { clock, node, spendChunks, spent, taken } = setUp()
  await spent()
  await spendChunks.lease({ name: 'store', day: TODAY, limitMicroUsd: 1000 }, { least: 1, most: 20 }, 'op_1')
  using first = node()
  using second = node()
  first.restore('epoch_2')
  second.restore('epoch_2')
  await clock.advance(10_000)
  assert.deepEqual(await taken(), [270, 70])
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
