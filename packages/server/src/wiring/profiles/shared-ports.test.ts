// The ports of a cluster's node while their stores are unavailable: they grant a share, and charges are written once later.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryBudgets } from '#adapters/memory/budgets.ts'
import { memoryLedger } from '#adapters/memory/ledger.ts'
import { memoryRateChunks } from '#adapters/memory/rate-chunks.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { defaults } from '#config/config.ts'
import { switchableStore } from '#fixtures/stores/switchable-store.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleAsk, sampleLedgerRow } from '#fixtures/turns/samples.ts'
import type { Stores } from '../stores/store-parts.ts'
import { sharedPorts } from './shared-ports.ts'

function setUp() {
  const clock = manualClock()
  const opened = { budgets: memoryBudgets({ clock }), ledger: memoryLedger(), rateChunks: memoryRateChunks({ clock }) }
  const [budgets, ledger, rateChunks] = [
    switchableStore(opened.budgets),
    switchableStore(opened.ledger),
    switchableStore(opened.rateChunks),
  ]
  // The other ports are passed on unchanged.
  const stores = {
    budgets: budgets.port,
    ledger: { ...opened.ledger, record: ledger.port.record },
    rateChunks: rateChunks.port,
  } as Stores
  const shared = sharedPorts({ stores, config: defaults, clock, telemetry: memoryTelemetry(), troubledAt: () => 0 })
  const setUnavailable = (isUnavailable: boolean) => {
    for (const { store } of [budgets, ledger, rateChunks]) store.isUnavailable = isUnavailable
  }
  return { clock, opened, setUnavailable, shared, ports: shared.ports }
}

test('a node continues without its stores, and its charges and rows are written when they answer again', async () => {
  const { clock, opened, ports, setUnavailable, shared } = setUp()
  setUnavailable(true)
  const answer = await ports.budgets.admit(sampleAsk())
  assert.ok(answer.kind === 'granted')
  await ports.budgets.settle(answer.hold, answer.hold.granted)
  await ports.ledger.record([sampleLedgerRow()])
  const bucket = { name: 'global', perSecond: 100, burst: 40 }
  assert.equal((await ports.rateChunks.lease(bucket, 40, 'op_1')).granted, 40 / defaults.state.alone.nodes)
  assert.deepEqual([shared.chargesWaiting(), shared.rowsWaiting()], [1, 1])
  setUnavailable(false)
  await clock.advance(10_000)
  assert.deepEqual([shared.chargesWaiting(), shared.rowsWaiting()], [0, 0])
  const { limits, day, principalId } = sampleAsk()
  assert.deepEqual((await opened.budgets.quota(principalId, limits, day)).used, answer.hold.granted)
  assert.equal((await opened.ledger.ofTurn(sampleLedgerRow().turnId)).length, 1)
  await shared[Symbol.asyncDispose]()
})
