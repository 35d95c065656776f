// The ladder as the configuration has it: prices from the models' facts, fallbacks after the model that names them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testConfig } from '#wiring/test.ts'
import { testPorts } from '../test/fixtures/ports.ts'
import { answering, failure, scriptedModel } from '../test/fixtures/scripted-model.ts'
import { collect } from '../test/fixtures/streams.ts'
import { GUEST, PRICED, sampleReceived } from '../test/fixtures/turns.ts'
import { SAMPLE_FACTS } from '../test/fixtures/vendor-models.ts'
import { createApp } from './app.ts'

test('a model’s fallback is asked before the rest of the ladder, and what it used is charged at its price', async () => {
  const ports = await testPorts()
  const { clock } = ports
  const primary = scriptedModel(clock, [failure('throttled')], 'primary-id')
  const spare = { ...scriptedModel(clock, answering('は', 'い'), 'spare-id'), facts: SAMPLE_FACTS }
  const economy = scriptedModel(clock, answering('never'), 'economy-id')
  const vendor = { provider: 'bedrock', id: 'x' } as const
  const config = {
    ...testConfig,
    models: { primary: { ...vendor, fallbacks: ['spare'] }, economy: vendor, spare: vendor },
    ladder: ['primary', 'economy'],
  }
  const models = new Map(Object.entries({ primary, economy, spare }))
  const app = createApp({ ...ports, models }, config)
  const { turnId } = await app.chat(sampleReceived())
  const frames = collect(await app.read(GUEST, turnId, 0, new AbortController().signal))
  await clock.advance(1000)
  const done = (await frames).find((frame) => frame.type === 'done')
  assert.deepEqual([done?.model, done?.usage.inputTokens, done?.usage.outputTokens], ['spare-id', 20, 2])
  const { inputMicroUsdPerMillion, outputMicroUsdPerMillion } = PRICED
  assert.equal(done?.costMicroUsd, (20 * inputMicroUsdPerMillion + 2 * outputMicroUsdPerMillion) / 1_000_000)
  assert.equal(economy.requests.length, 0)
  await app.drain()
})
