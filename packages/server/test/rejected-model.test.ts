// A whole app whose first model has lost its access: what operators see after a few questions, what shoppers' questions do, and the way back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Config } from '#config/config.ts'
import { createApp } from '#app/app.ts'
import { answering, failure, scriptedModel } from '#fixtures/models/scripted-model.ts'
import { SAMPLE_FACTS } from '#fixtures/models/vendor-models.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { testConfig, testLanes } from '#fixtures/stores/wire-test.ts'
import { sampleReceived } from '#fixtures/turns/turns.ts'

const DENIED = [failure('access-denied')]

test('a revoked key is seen by cause and name after three calls, costs no further question a call, and is probed until it works', async () => {
  const ports = await testPorts()
  const { clock } = ports
  const config: Config = {
    ...testConfig,
    models: {
      primary: { provider: 'bedrock', id: 'big' },
      economy: { provider: 'bedrock', id: 'small' },
    },
    ladder: ['primary', 'economy'],
  }
  const script = { calls: [DENIED, DENIED, DENIED, DENIED, answering('うちにあります。')] }
  const big = { ...scriptedModel(clock, script, 'big'), facts: SAMPLE_FACTS }
  const small = { ...scriptedModel(clock, answering('あります。'), 'small'), facts: SAMPLE_FACTS }
  const models = new Map([
    ['primary', big],
    ['economy', small],
  ])
  const app = createApp({ ...ports, models, lanes: testLanes(ports, config) }, config)
  app.start()
  let asked = 0
  const ask = async () => {
    await app.chat(sampleReceived({ requestId: `req_${(asked += 1)}`, message: `${asked}巻はありますか？` }))
    await clock.advance(1000)
  }
  const shown = async () => (await app.admin.lanes()).flatMap(({ rejected }) => rejected)

  for (let question = 0; question < 3; question += 1) await ask()
  const [rejected] = await shown()
  assert.deepEqual([rejected?.model, rejected?.cause, rejected?.calls], ['primary', 'access-denied', 3])
  const [overview, report, nodes] = await Promise.all([
    app.admin.overview(),
    app.admin.modelsReport({ hours: 1 }),
    app.admin.nodes(),
  ])
  const health = app.health()['lane:primary']
  assert.deepEqual(
    [
      overview.lanes.flatMap((lane) => lane.rejected.map(({ model }) => model)),
      report.models.map(({ name, rejected: now }) => [name, now?.cause]),
      nodes.nodes.flatMap((node) => node.rejected?.map(({ model }) => model)),
      health?.status,
    ],
    [
      ['primary'],
      [
        ['primary', 'access-denied'],
        ['economy', undefined],
      ],
      ['primary'],
      'error',
    ],
  )
  assert.equal((await app.admin.lanes()).find(({ models: names }) => names.includes('primary'))?.phase, 'closed')

  await ask()
  assert.deepEqual([big.requests.length, small.requests.length], [3, 4], 'no further question asks it')
  await clock.advance(10_000)
  assert.equal(big.requests.length, 4, 'a probe of the shop does, after ten seconds')
  assert.equal((await shown())[0]?.calls, 4)
  await clock.advance(10_000)
  assert.equal(big.requests.length, 5)
  assert.deepEqual(await shown(), [])
  await ask()
  assert.equal(big.requests.length, 6, 'and questions ask it again')
  const drained = app.drain()
  await clock.advance(5000)
  await drained
})
