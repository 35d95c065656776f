// The ports of a cluster's node while their stores are unavailable: they grant a share, and charges are written once later.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryBudgets } from '#adapters/memory/budgets.ts'
import { memoryLedger } from '#adapters/memory/ledger.ts'
import { memoryNodeRegistry } from '#adapters/memory/node-registry.ts'
import type { NodeEntries } from '#adapters/memory/node-registry.ts'
import { memoryRateChunks } from '#adapters/memory/rate-chunks.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { defaults } from '#config/config.ts'
import { switchableStore } from '#fixtures/stores/switchable-store.ts'
import { sampleNode } from '#fixtures/stores/wire-test.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleAsk, sampleLedgerRow, sampleLimits } from '#fixtures/turns/samples.ts'
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
  const entries: NodeEntries = new Map()
  const node = (id: string) => switchableStore(memoryNodeRegistry({ self: sampleNode(id), clock, entries }))
  const [registry, others] = [node('one'), [node('two').port, node('three').port]]
  const shared = sharedPorts({
    stores,
    registry: registry.port,
    config: defaults,
    clock,
    telemetry: memoryTelemetry(),
    troubledAt: () => 0,
  })
  const setUnavailable = (isUnavailable: boolean) => {
    for (const { store } of [budgets, ledger, rateChunks, registry]) store.isUnavailable = isUnavailable
  }
  return { clock, opened, others, setUnavailable, shared, ports: shared.ports }
}

const BUCKET = { name: 'global', perSecond: 100, burst: 60 }
const IDLE = { turns: 0, connections: 0, isDraining: false, edition: null }

test('a standalone node grants its share by the number of nodes that it last saw, and by four at first', async () => {
  const { clock, others, ports, setUnavailable } = setUp()
  const limits = sampleLimits({ requestsPerMinute: 12, userRate: { perSecond: 100, burst: 100 } })
  let asked = 0
  const sharesOf = async (principalId: string) => {
    setUnavailable(true)
    const { granted } = await ports.rateChunks.lease(BUCKET, 60, principalId)
    await ports.rateChunks.giveBack(BUCKET, granted, principalId)
    const answers = Array.from({ length: 12 }, async () => {
      asked += 1
      const id = `turn_${asked}`
      const idempotency = { key: id, fingerprint: id, claimMs: 0 }
      return ports.budgets.admit(sampleAsk({ principalId, limits, turnId: id, sessionId: id, idempotency }))
    })
    const requests = (await Promise.all(answers)).filter(({ kind }) => kind === 'granted').length
    setUnavailable(false)
    return { rate: granted, requests }
  }
  const announce = async () => {
    for (const registry of [...others, ports.registry]) await registry.announce(IDLE)
    await clock.advance(5000)
  }
  await announce()
  assert.deepEqual(await sharesOf('guest_1'), { rate: 15, requests: 3 })
  for (let times = 0; times < 4; times += 1) await announce()
  assert.deepEqual(await sharesOf('guest_2'), { rate: 20, requests: 4 })
  await others[0]?.leave()
  await clock.advance(600_000)
  assert.deepEqual(await sharesOf('guest_3'), { rate: 20, requests: 4 }, 'as it was last seen')
})

test('a node continues without its stores, and its charges and rows are written when they answer again', async () => {
  const { clock, opened, ports, setUnavailable, shared } = setUp()
  setUnavailable(true)
  const answer = await ports.budgets.admit(sampleAsk())
  assert.ok(answer.kind === 'granted')
  await ports.budgets.settle(answer.hold, answer.hold.granted)
  await ports.ledger.record([sampleLedgerRow()])
  const bucket = { name: 'global', perSecond: 100, burst: 40 }
  assert.equal((await ports.rateChunks.lease(bucket, 40, 'op_1')).granted, 10)
  assert.deepEqual([shared.chargesWaiting(), shared.rowsWaiting()], [1, 1])
  setUnavailable(false)
  await clock.advance(10_000)
  assert.deepEqual([shared.chargesWaiting(), shared.rowsWaiting()], [0, 0])
  const { limits, day, principalId } = sampleAsk()
  assert.deepEqual((await opened.budgets.quota(principalId, limits, day)).used, answer.hold.granted)
  assert.equal((await opened.ledger.ofTurn(sampleLedgerRow().turnId)).length, 1)
  await shared[Symbol.asyncDispose]()
})
