// After an outage of the shared store other nodes still have to write what they held back: a turn or a conversation that is absent
// may be there a moment later, so it is not reported as NOT_FOUND.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApp } from '#app/app.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { END, say, scriptedModel, START } from '#fixtures/models/scripted-model.ts'
import { SAMPLE_FACTS } from '#fixtures/models/vendor-models.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { testConfig, testLanes } from '#fixtures/stores/wire-test.ts'
import { sampleSession } from '#fixtures/turns/samples.ts'
import { GUEST, sampleReceived } from '#fixtures/turns/turns.ts'

async function setUp() {
  const ports = await testPorts()
  const model = scriptedModel(ports.clock, [START, say('はい。'), END], 'primary-id')
  const models = new Map([['primary', { ...model, facts: SAMPLE_FACTS }]])
  const config = { ...testConfig, models: { primary: { provider: 'bedrock', id: 'p' } as const }, ladder: ['primary'] }
  const state = { isCatchingUp: true }
  const shared = { ...ports, models, lanes: testLanes(ports, config), isCatchingUp: () => state.isCatchingUp }
  return { app: createApp(shared, config), ports, state }
}

test('a turn that another node may still have to write is unavailable until the nodes have caught up', async () => {
  const { app, state } = await setUp()
  const read = () => app.read(GUEST, { turnId: 'turn_elsewhere', offset: 0 }, new AbortController().signal)
  await assert.rejects(read(), StoreUnavailable)
  await assert.rejects(app.stop(GUEST, 'turn_elsewhere'), StoreUnavailable)
  state.isCatchingUp = false
  await assert.rejects(read(), { code: 'NOT_FOUND' })
})

test('a question in a conversation whose first turn is not written yet is answered, and stored after it', async () => {
  const { app, ports, state } = await setUp()
  await app.chat(sampleReceived({ sessionId: 'sess_1', message: 'そして？' }))
  await ports.clock.advance(10_000)
  await ports.sessions.create(sampleSession())
  await ports.clock.advance(10_000)
  const turns = await ports.sessions.recentTurns('sess_1', 10)
  assert.deepEqual(
    turns.map(({ answer, question }) => [question, answer]),
    [['そして？', 'はい。']],
  )
  state.isCatchingUp = false
  await assert.rejects(app.chat(sampleReceived({ sessionId: 'sess_2', message: '次は？' })), { code: 'NOT_FOUND' })
})
