// A whole app whose model fails: its faults, the circuit that opens and who answered instead are in the report, also after a restart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApp } from '#app/app.ts'
import { failure, scriptedModel } from '#fixtures/models/scripted-model.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { sampleReceived } from '#fixtures/turns/turns.ts'

test('a model that fails is reported with its faults and its circuit, and the report survives a restart', async () => {
  const ports = await testPorts()
  const models = new Map([['embedded', scriptedModel(ports.clock, [failure('unavailable')], 'vendor/one')]])
  const app = createApp({ ...ports, models }, testConfig)
  app.start()
  await ports.clock.advance(1000)
  for (let question = 0; question < 4; question += 1) {
    await app.chat(sampleReceived({ requestId: `req_${question}` }))
    await ports.clock.advance(1000)
  }
  await app.drain()
  const next = createApp(ports, testConfig)
  const { lanes, models: reported, tiers, turns } = await next.admin.modelsReport({ hours: 1 })
  const [model] = reported
  assert.ok(turns >= 1 && model !== undefined)
  assert.deepEqual([model.name, model.answers, model.calls > 0, model.failures], ['embedded', 0, true, model.calls])
  assert.deepEqual(
    model.faults.map(({ count, outcome }) => [outcome, count]),
    [['unavailable', model.calls]],
  )
  assert.equal(
    Object.values(tiers).reduce((sum, count) => sum + count, 0),
    turns,
  )
  const [lane] = lanes
  const opened = lane?.changes.findLast(({ to }) => to === 'open')
  assert.deepEqual([opened?.why, opened?.from, (lane?.openMs ?? 0) > 0], ['failures', 'closed', true])
  await next.drain()
})
