// While the store answers, a node uses the rates of the whole cluster; otherwise its share of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryRateChunks } from '#adapters/memory/rate-chunks.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { rateChunksContract } from '#ports/rate-chunks/contract.ts'
import { switchableStore } from '#fixtures/stores/switchable-store.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { resilientRateChunks } from './rate-chunks.ts'

function setUp(nodes = 4) {
  const clock = manualClock()
  const { port: shared, store } = switchableStore(memoryRateChunks({ clock }))
  const parts = { local: memoryRateChunks({ clock }), telemetry: memoryTelemetry(), nodes: () => nodes }
  const chunks = resilientRateChunks({ shared, ...parts })
  return { chunks, clock, store }
}

rateChunksContract('resilient rate chunks', async () => setUp())

const BUCKET = { name: 'global', perSecond: 100, burst: 40 }

test('a standalone node has its share of a bucket, and tokens are given back to the side that granted them', async () => {
  const { chunks, clock, store } = setUp()
  assert.equal((await chunks.lease(BUCKET, 30, 'op_1')).granted, 30)
  store.isUnavailable = true
  assert.equal((await chunks.lease(BUCKET, 30, 'op_2')).granted, 10)
  assert.deepEqual(await chunks.lease(BUCKET, 30, 'op_3'), { granted: 0, retryAfterMs: 40 })
  await chunks.giveBack(BUCKET, 4, 'op_2')
  await chunks.giveBack(BUCKET, 30, 'op_1')
  assert.equal((await chunks.lease(BUCKET, 30, 'op_4')).granted, 4)
  store.isUnavailable = false
  assert.equal((await chunks.lease(BUCKET, 30, 'op_5')).granted, 10)
  await clock.advance(1000)
  assert.equal((await chunks.lease(BUCKET, 99, 'op_6')).granted, 40)
})

test('a standalone node has its share of the bucket of each caller, and metrics do not name callers', async () => {
  const clock = manualClock()
  const { port: shared, store } = switchableStore(memoryRateChunks({ clock }))
  const telemetry = memoryTelemetry()
  const chunks = resilientRateChunks({ shared, local: memoryRateChunks({ clock }), telemetry, nodes: () => 2 })
  const own = (of: string) => ({ name: 'handovers', of, perSecond: 1, burst: 20 })
  store.isUnavailable = true
  for (const caller of ['acct_1', 'acct_2']) assert.equal((await chunks.lease(own(caller), 30, 'op_1')).granted, 10)
  assert.equal((await chunks.lease(own('acct_1'), 1, 'op_2')).granted, 0)
  const counted = telemetry.counted.filter(({ name }) => name === 'rate_standalone_total')
  assert.deepEqual(
    counted.map(({ fields }) => JSON.stringify(fields)),
    Array(3).fill('{"bucket":"handovers"}'),
  )
})

test('an error other than StoreUnavailable is not hidden', async () => {
  const broken = () => Promise.reject(new TypeError('a defect'))
  const { clock } = setUp()
  const chunks = resilientRateChunks({
    shared: { lease: broken, giveBack: broken },
    local: memoryRateChunks({ clock }),
    telemetry: memoryTelemetry(),
    nodes: () => 1,
  })
  await assert.rejects(chunks.lease(BUCKET, 1, 'op_1'), TypeError)
  await assert.rejects(chunks.giveBack(BUCKET, 1, 'op_1'), TypeError)
})
