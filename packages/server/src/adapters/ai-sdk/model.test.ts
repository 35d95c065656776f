// The AI SDK's providers against the simulator: the contract, every fault and every shape of usage, through a real
// provider package.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modelContract, sampleModelRequest } from '#ports/model/contract.ts'
import type { ModelPart } from '#ports/model/port.ts'
import { startSimulator } from '@mangaassist/simulation/vendor/start-simulator'
import { systemClock } from '../system/clock.ts'
import { collect } from '#fixtures/time/streams.ts'
import { ANSWER, ask, endOf, faultSuite, textOf, usageIn, usageSuite } from '#fixtures/models/vendor-faults.contract.ts'
import { overAiSdk, SAMPLE_FACTS, SHORT_LIMITS } from '#fixtures/models/vendor-models.ts'
import { traceSuite } from '#fixtures/models/vendor-trace.contract.ts'
import { isInstalled, loadLanguageModel } from './client.ts'
import { aiSdkModel } from './model.ts'

modelContract('ai-sdk', async (context) => {
  const simulator = await startSimulator({ clock: systemClock() })
  context.after(() => simulator.close())
  return (await overAiSdk(simulator.url)).model
})
// The provider validates every chunk by its own schema, so it cannot decode an unknown event.
faultSuite('ai-sdk', overAiSdk, { 'an unknown event': { anomaly: 'undecodable-event' } })
usageSuite('ai-sdk', overAiSdk, ['cached', 'missing', 'zero', 'negative', 'renamed'])
traceSuite('ai-sdk', overAiSdk, { isAws: false })

test('ai-sdk: usage that the provider cannot decode is unknown, and a finish lost with it does not count as an end', async () => {
  const answer = await ask(overAiSdk, { fault: 'usage', shape: 'other-case' })
  assert.deepEqual([endOf(answer.parts), usageIn(answer.parts)], ['end', [undefined, undefined]])
  for (const shape of ['string', 'nested'] as const) {
    const { parts, anomalies } = await ask(overAiSdk, { fault: 'usage', shape })
    assert.deepEqual([endOf(parts), textOf(parts)], ['stream-broken', ANSWER])
    assert.deepEqual(anomalies, ['undecodable-event'])
  }
})

test('ai-sdk: a missing package is reported before the first call', async () => {
  assert.equal(isInstalled('@ai-sdk/anthropic'), true)
  assert.equal(isInstalled('@ai-sdk/nobody'), false)
  await assert.rejects(loadLanguageModel('node:path', 'x', { name: 'x' }), /no create… function/)
})

test('ai-sdk: a package is loaded by name and makes a model of its vendor', async () => {
  const model = await loadLanguageModel('@ai-sdk/anthropic', 'claude-haiku-5-5', { name: 'x', apiKey: 'simulated' })
  assert.equal(typeof model.doStream, 'function')
})

async function through(values: readonly unknown[]): Promise<readonly ModelPart[]> {
  const languageModel = { doStream: async () => ({ stream: ReadableStream.from(values) }) }
  const common = { facts: SAMPLE_FACTS, limits: SHORT_LIMITS, clock: systemClock(), onAnomaly: () => {} }
  return collect(aiSdkModel({ ...common, id: 'any', languageModel }).stream(sampleModelRequest()))
}

test('ai-sdk: providers of the second version of the specification are understood too', async () => {
  const usage = { inputTokens: 12, outputTokens: 3, totalTokens: 15 }
  const parts = await through([
    { type: 'stream-start', warnings: [] },
    { type: 'text-delta', id: '0', delta: 'hi' },
    { type: 'finish', finishReason: 'length', usage },
  ])
  assert.deepEqual([endOf(parts), usageIn(parts)], ['length', [12, 3]])
  assert.equal(endOf(await through([{ type: 'finish', finishReason: 'unknown', usage }])), 'stream-broken')
})
