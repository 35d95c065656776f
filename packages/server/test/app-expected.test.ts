// The expected duration of an answer at admission: the wait in the queue, the model's usual time to the first text, and the
// granted tokens at the model's observed pace.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testConfig, testLanes } from '#fixtures/stores/wire-test.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { END, say, scriptedModel, START, usage } from '#fixtures/models/scripted-model.ts'
import { sampleReceived } from '#fixtures/turns/turns.ts'
import { SAMPLE_FACTS } from '#fixtures/models/vendor-models.ts'
import { createApp } from '#app/app.ts'

const GRANTED = 512

async function setUp(connectionsMax: number) {
  const ports = await testPorts()
  // 2 s to the first text, then 40 tokens in 4 s.
  const script = [START, { waitMs: 2000 }, say('Well, '), { waitMs: 4000 }, say('yes.'), usage(20, 40), END]
  const primary = { ...scriptedModel(ports.clock, script, 'primary-id'), facts: SAMPLE_FACTS }
  const model = { provider: 'bedrock', id: 'p', connectionsMax } as const
  const config = { ...testConfig, models: { primary: model }, ladder: ['primary'] }
  const models = new Map([['primary', primary]])
  const app = createApp({ ...ports, models, lanes: testLanes(ports, config) }, config)
  const ask = async (number: number) => {
    const principal = { id: `guest_${number}`, kind: 'guest', tier: 'free' } as const
    const message = `question ${number}`
    return (await app.chat(sampleReceived({ principal, message, route: 'stream' }))).expectedMs
  }
  return { app, clock: ports.clock, ask }
}

test('the estimate is a default before the first answer, and follows the model’s observed pace', async () => {
  const { app, clock, ask } = await setUp(25)
  assert.equal(await ask(1), 1000 + GRANTED * 25)
  await clock.advance(10_000)
  assert.equal(await ask(2), 2000 + GRANTED * 100)
  await clock.advance(10_000)
  await app.drain()
})

test('a wait in the queue is part of the estimate', async () => {
  const { app, clock, ask } = await setUp(1)
  await ask(1)
  await clock.advance(10_000)
  const alone = await ask(2)
  await clock.advance(100)
  await ask(3)
  await clock.advance(100)
  const behind = await ask(4)
  // One turn runs and one waits: two calls of the lane, of 6 s each, come first.
  assert.equal((behind ?? 0) - (alone ?? 0), 12_000)
  await clock.advance(60_000)
  await app.drain()
})
