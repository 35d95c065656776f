// Beyond the shop's ceiling no vendor is asked: the built-in model answers with the reason, and a caller of `/v1` gets the
// reason.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textMessage } from '#domain/model/model-message.ts'
import type { Config } from '#config/config.ts'
import { testConfig, testLanes } from '#fixtures/stores/wire-test.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { answering, scriptedModel } from '#fixtures/models/scripted-model.ts'
import { collect } from '#fixtures/time/streams.ts'
import { GUEST, sampleReceived } from '#fixtures/turns/turns.ts'
import { SAMPLE_FACTS } from '#fixtures/models/vendor-models.ts'
import { NO_SCOPE } from '#ports/telemetry/plain-scope.ts'
import { createApp } from '#app/app.ts'

const NONE = Number.MAX_SAFE_INTEGER
const USER = { id: 'user:1', kind: 'user', tier: 'standard' } as const

async function openStore(budgets: Partial<Config['budgets']>) {
  const ports = await testPorts()
  const { clock } = ports
  const primary = { ...scriptedModel(clock, answering('は', 'い'), 'primary-id'), facts: SAMPLE_FACTS }
  const spare = scriptedModel(clock, answering('棚に', 'あります'), 'embedded-id')
  const config = {
    ...testConfig,
    budgets: { storeMicroUsdPerDay: NONE, guestsMicroUsdPerDay: NONE, ...budgets },
    models: { primary: { provider: 'bedrock', id: 'p' } as const },
    ladder: ['primary'],
  }
  const models = new Map(Object.entries({ primary }))
  const app = createApp({ ...ports, models, responder: spare, lanes: testLanes(ports, config) }, config)
  let asked = 0
  async function ask(principal: typeof GUEST | typeof USER = GUEST) {
    asked += 1
    const message = `${asked}巻の在庫はありますか`
    const { turnId } = await app.chat(sampleReceived({ principal, message, requestId: `r${asked}` }))
    const frames = collect(await app.read(principal, { turnId, offset: 0 }, new AbortController().signal))
    await clock.advance(2000)
    const all = await frames
    const meta = all.findLast((frame) => frame.type === 'meta')
    const done = all.find((frame) => frame.type === 'done')
    return { meta, done }
  }
  return { app, ask, ports, primary, spare, clock }
}

test('below the ceiling the vendor answers, and money that it did not need is free for the next call', async () => {
  // One call reserves the most that its answer may cost; only one fits at a time.
  const { ask, primary, app } = await openStore({ storeMicroUsdPerDay: 30_000 })
  for (let turns = 0; turns < 4; turns += 1) assert.equal((await ask()).done?.model, 'primary-id')
  assert.equal(primary.requests.length, 4)
  await app.drain()
})

test('beyond the ceiling the built-in model answers, nothing is paid, and the answer has the reason', async () => {
  const { app, ask, primary, ports } = await openStore({ storeMicroUsdPerDay: 1 })
  const { meta, done } = await ask()
  assert.deepEqual(
    [meta?.tier, meta?.degraded, meta?.confidence, meta?.reason],
    ['embedded', true, 0.5, 'store-budget'],
  )
  assert.deepEqual([done?.finishReason, done?.costMicroUsd, done?.model], ['stop', 0, 'embedded-id'])
  assert.equal(primary.requests.length, 0)
  assert.ok(ports.telemetry.counted.some(({ name }) => name === 'spending_refused_total'))
  await app.drain()
})

test('the guests’ ceiling does not stop signed-in users', async () => {
  const { app, ask } = await openStore({ guestsMicroUsdPerDay: 1 })
  assert.equal((await ask()).meta?.reason, 'guests-budget')
  assert.equal((await ask(USER)).done?.model, 'primary-id')
  await app.drain()
})

test('the spending is exact to the micro-dollar after the node has stopped', async () => {
  const { app, ask, ports } = await openStore({ storeMicroUsdPerDay: 1_000_000 })
  const costs = [await ask(), await ask(USER)].map(({ done }) => done?.costMicroUsd ?? 0)
  await app.drain()
  const day = { key: '2026-11-04', endsAt: 0 }
  const taken = await ports.spendChunks.taken({ name: 'store', day, limitMicroUsd: 0 })
  assert.equal(taken, costs[0]! + costs[1]!)
  assert.ok(taken > 0)
})

test('a caller’s own prompt has no built-in answer: it ends with the reason', async () => {
  const { app, clock, primary } = await openStore({ storeMicroUsdPerDay: 1 })
  const { turnId } = await app.complete({
    principal: USER,
    requestId: 'r',
    model: 'auto',
    system: '',
    messages: [textMessage('user', 'hello')],
    scope: NO_SCOPE,
  })
  const frames = collect(await app.read(USER, { turnId, offset: 0 }, new AbortController().signal))
  await clock.advance(2000)
  const done = (await frames).find((frame) => frame.type === 'done')
  assert.equal(done?.failure, 'store-budget')
  assert.equal(primary.requests.length, 0)
  await app.drain()
})
