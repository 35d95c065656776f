// House calls in the whole app: they share the node's connections with the shoppers' calls.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaults } from '#config/config.ts'
import type { Config } from '#config/config.ts'
import { answering, say, scriptedModel, START, usage, END } from '#fixtures/models/scripted-model.ts'
import type { ModelStep } from '#fixtures/models/scripted-model.ts'
import { SAMPLE_FACTS } from '#fixtures/models/vendor-models.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { testConfig, testLanes } from '#fixtures/stores/wire-test.ts'
import { sampleReceived } from '#fixtures/turns/turns.ts'
import { createApp } from '#app/app.ts'

async function openApp(steps: readonly ModelStep[]) {
  const ports = await testPorts()
  const model = { ...scriptedModel(ports.clock, steps, 'primary-id'), facts: SAMPLE_FACTS }
  const config: Config = {
    ...testConfig,
    models: { primary: { provider: 'bedrock', id: 'primary-id', connectionsMax: 1 } },
    ladder: ['primary'],
    probe: defaults.probe,
  }
  const models = new Map([['primary', model]])
  const app = createApp({ ...ports, models, lanes: testLanes(ports, config) }, config)
  return { app, model, ports }
}

test('with one connection in use by a shopper a format probe is not made, and is reported as skipped', async () => {
  const { app, model, ports } = await openApp([START, say('はい'), { waitMs: 20_000 }, usage(20, 2), END])
  app.start()
  await app.chat(sampleReceived())
  await ports.clock.advance(15_000)
  assert.equal(model.requests.length, 1)
  const health = app.health()['model:primary']
  assert.deepEqual(
    [health?.status, health !== undefined && 'skipped' in health && health.skipped],
    ['pending', 'saturated'],
  )
  const drained = app.drain()
  await ports.clock.advance(60_000)
  await drained
})

test('the app probes its models from its start until it drains, and shows the results beside its lanes', async () => {
  const { app, model, ports } = await openApp(answering('Hello!'))
  app.start()
  await ports.clock.advance(6000)
  assert.equal(model.requests.length, 1)
  assert.deepEqual(Object.keys(app.health()).toSorted().slice(0, 2), ['lane:catalogue', 'lane:primary'])
  assert.equal(app.health()['model:primary']?.status, 'ok')
  const drained = app.drain()
  await ports.clock.advance(1000)
  await drained
  await ports.clock.advance(3_600_000)
  assert.equal(model.requests.length, 1)
})
