// A whole app whose models are slow or silent from its first question on, when nothing is known of them yet.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Config } from '#config/config.ts'
import { createApp } from '#app/app.ts'
import { seededFloats } from '#lib/collections/seeded-floats.ts'
import { answering, scriptedModel } from '#fixtures/models/scripted-model.ts'
import type { Script } from '#fixtures/models/scripted-model.ts'
import { SAMPLE_FACTS } from '#fixtures/models/vendor-models.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { testConfig, testLanes } from '#fixtures/stores/wire-test.ts'
import { sampleReceived } from '#fixtures/turns/turns.ts'

async function setUp(scripts: Readonly<Record<string, Script>>) {
  const ports = await testPorts()
  const { clock } = ports
  const names = Object.keys(scripts)
  const config: Config = {
    ...testConfig,
    models: Object.fromEntries(names.map((name) => [name, { provider: 'bedrock', id: name } as const])),
    ladder: names,
  }
  const models = new Map(
    Object.entries(scripts).map(([name, script]) => [
      name,
      { ...scriptedModel(clock, script, name), facts: SAMPLE_FACTS },
    ]),
  )
  const app = createApp({ ...ports, models, lanes: testLanes(ports, config) }, config)
  app.start()
  let asked = 0
  return {
    /** The tier that answered, after at most ten seconds. */
    async ask() {
      const message = `${(asked += 1)}巻はありますか？`
      const { turnId } = await app.chat(sampleReceived({ requestId: `req_${asked}`, message }))
      await clock.advance(10_000)
      const meta = (await ports.turnLog.read(turnId, -1))?.findLast(({ kind }) => kind === 'meta')
      return meta?.kind === 'meta' ? meta.meta.tier : undefined
    },
    phaseOf: async (name: string) =>
      (await app.admin.lanes()).find(({ models: served }) => served.includes(name))?.phase,
    async close() {
      const drained = app.drain()
      await clock.advance(5000)
      await drained
    },
  }
}

test('a model that is alone and slow by nature serves within a minute of its first question, and its shoppers wait for it', async () => {
  const { ask, close } = await setUp({ primary: [{ waitMs: 4500 }, ...answering('うちにあります。')] })
  const answeredBy = []
  for (let question = 0; question < 12; question += 1) answeredBy.push(await ask())
  assert.deepEqual([answeredBy[0], answeredBy.slice(-6)], ['message', Array(6).fill('primary')])
  await close()
})

test('a model that is silent from the first question on is not asked from the fourth on', async () => {
  const { ask, close, phaseOf } = await setUp({ primary: ['hang'], economy: answering('あります。') })
  for (let question = 0; question < 3; question += 1) assert.equal(await ask(), 'economy')
  assert.notEqual(await phaseOf('primary'), 'closed')
  await close()
})

test('two models that are slow by nature serve within a minute of their first question', async () => {
  const slow: Script = [{ waitMs: 4500 }, ...answering('うちにあります。')]
  const { ask, close } = await setUp({ primary: slow, economy: slow })
  const answeredBy = []
  for (let question = 0; question < 18; question += 1) answeredBy.push(await ask())
  assert.deepEqual(answeredBy.slice(-6), Array(6).fill('primary'))
  await close()
})

/** First words as those of a real model that is slow: 3.2 s in the median, 4.5 s in the 95th percentile. */
function drawn(seed: string): Script {
  const float = seededFloats(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - float())) * Math.cos(2 * Math.PI * float())
  const calls = Array.from({ length: 500 }, () => [
    { waitMs: Math.round(3200 * Math.exp(0.207 * normal())) },
    ...answering('うちにあります。'),
  ])
  return { calls }
}

test('a slow model whose words come sooner and later passes its probes', async () => {
  let answered = 0
  for (const seed of ['one', 'two', 'three', 'four']) {
    const { ask, close } = await setUp({ primary: drawn(seed) })
    const answeredBy = []
    for (let question = 0; question < 24; question += 1) answeredBy.push(await ask())
    answered += answeredBy.slice(-12).filter((tier) => tier === 'primary').length
    await close()
  }
  assert.ok(answered >= 42, `${answered} of 48`)
})
