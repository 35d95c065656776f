// What the app does when it is busy or draining.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { answering, scriptedModel } from '#fixtures/models/scripted-model.ts'
import { collect } from '#fixtures/time/streams.ts'
import { GUEST, sampleReceived } from '#fixtures/turns/turns.ts'
import { createApp } from '#app/app.ts'
import { Refusal } from '#domain/refusal.ts'
import { NO_SCOPE } from '#ports/telemetry/plain-scope.ts'

test('beyond a node’s slots a question is refused at no cost', async () => {
  const ports = await testPorts()
  const models = new Map([['embedded', scriptedModel(ports.clock, answering('は', 'い'))]])
  const app = createApp({ ...ports, models }, { ...testConfig, turns: { ...testConfig.turns, runningMax: 1 } })
  const { turnId } = await app.chat(sampleReceived())
  assert.equal(app.pressure.now.action, 'pause')
  assert.equal(app.running(), 1)
  const before = await app.quota(GUEST)
  const ask = { ...sampleReceived(), requestId: 'r2', message: 'another' }
  await assert.rejects(app.chat(ask), (error) => error instanceof Refusal && error.code === 'QUEUE_FULL')
  const prompt = { principal: GUEST, requestId: 'r3', model: 'auto', system: '', messages: [], scope: NO_SCOPE }
  await assert.rejects(app.complete(prompt), (error) => error instanceof Refusal && error.code === 'QUEUE_FULL')
  assert.deepEqual(await app.quota(GUEST), before)
  const frames = collect(await app.read(GUEST, { turnId, offset: 0 }, new AbortController().signal))
  await ports.clock.advance(1000)
  await frames
  await ports.clock.advance(1)
  assert.equal(app.pressure.now.action, 'none')
  await app.drain()
})

test('a draining node asks its clients to pause, for a shorter time than a busy one', async () => {
  const app = createApp(await testPorts(), testConfig)
  const drained = app.drain()
  assert.deepEqual([app.pressure.now.action, app.pressure.now.reason], ['pause', 'draining'])
  assert.ok(app.pressure.now.aboutMs < 30_000)
  await drained
})
