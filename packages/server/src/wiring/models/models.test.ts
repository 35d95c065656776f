// The configured models, opened by their configuration, against the simulator.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { systemClock } from '#adapters/system/clock.ts'
import type { Config } from '#config/config.ts'
import { sampleModelRequest } from '#ports/model/contract.ts'
import { startSimulator } from '@mangaassist/simulation/vendor/start-simulator'
import { collect } from '#fixtures/time/streams.ts'
import { endOf } from '#fixtures/models/vendor-faults.contract.ts'
import { readModelBook } from './model-facts.ts'
import { wireModels } from './models.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'

function wire(models: Config['models'], env: Record<string, string> = {}) {
  const telemetry = memoryTelemetry()
  const readBook = () => readModelBook()
  const made = wireModels({ ...testConfig, models }, { clock: systemClock(), telemetry, env, readBook })
  return { made, telemetry }
}

test('a model of each provider answers, with its price and its own name', async () => {
  await using simulator = await startSimulator({ clock: systemClock() })
  const [baseURL, wireURL] = [simulator.url, `${simulator.url}/v1`]
  const haiku = 'anthropic.claude-3-haiku-20240307-v1:0'
  const { made } = wire(
    {
      primary: { provider: 'bedrock', id: haiku, baseURL },
      invoked: { provider: 'bedrock', id: haiku, baseURL, api: 'invoke' },
      luna: { provider: 'openai', id: 'gpt-6-luna', baseURL: wireURL },
      qwen: { provider: 'openai-compatible', id: 'qwen3:4b', baseURL: wireURL, price: [0, 0], apiKeyEnv: 'KEY' },
      generic: {
        provider: 'ai-sdk',
        package: '@ai-sdk/openai-compatible',
        id: 'mistral-large-4-0',
        baseURL: wireURL,
        apiKeyEnv: 'KEY',
      },
      own: { provider: 'embedded' },
    },
    { KEY: 'secret' },
  )
  for (const [name, model] of await made) {
    assert.equal(endOf(await collect(model.stream(sampleModelRequest()))), 'end', name)
  }
  assert.equal((await made).get('luna')?.facts?.price.outputMicroUsdPerMillion, 500_000)
  assert.deepEqual(
    simulator.attempts().map(({ api }) => api),
    ['converse-stream', 'invoke-stream', 'chat-stream', 'chat-stream', 'chat-stream'],
  )
})

test('an anomaly that an adapter ignores is counted by the model’s name', async () => {
  await using simulator = await startSimulator({ clock: systemClock(), faults: [{ fault: 'unknown-event' }] })
  const baseURL = `${simulator.url}/v1`
  const { made, telemetry } = wire({ qwen: { provider: 'openai-compatible', id: 'q', baseURL, price: [0, 0] } })
  await collect((await made).get('qwen')!.stream(sampleModelRequest()))
  assert.deepEqual(telemetry.counted, [
    { name: 'model_anomalies_total', fields: { model: 'qwen', anomaly: 'unknown-event' } },
  ])
})

test('a model without a price is not opened', async () => {
  const { made } = wire({ qwen: { provider: 'openai-compatible', id: 'q', baseURL: 'http://127.0.0.1:9/v1' } })
  await assert.rejects(made, /no id or no price/)
})
