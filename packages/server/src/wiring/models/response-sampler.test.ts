// Which responses are sampled, which part of them is stored, and that a turn is not affected.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memorySampleStore } from '#adapters/memory/sample-store.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { systemClock } from '#adapters/system/clock.ts'
import { sampleModelRequest } from '#ports/model/contract.ts'
import { startSimulator } from '@mangaassist/simulation/vendor/start-simulator'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { collect } from '#fixtures/time/streams.ts'
import { overAiSdk, overBedrock, overOpenAi } from '#fixtures/models/vendor-models.ts'
import { responseSampler } from './response-sampler.ts'

const LIMITS = { countMax: 1000, bytesMax: 10_000_000 }

function sampling(share: number, store = memorySampleStore(LIMITS)) {
  const clock = manualClock()
  const telemetry = memoryTelemetry()
  const settings = { ...LIMITS, share, withText: false }
  const start = responseSampler(settings, { clock, random: seededRandom(1), telemetry, store })('primary')
  return { clock, telemetry, store, start }
}

test('about the configured share of calls is selected, none with share 0, and none without a turn', () => {
  const { start } = sampling(0.01)
  const chosen = Array.from({ length: 20_000 }, () => start?.('turn_1')).filter((sample) => sample !== undefined)
  assert.ok(chosen.length > 150 && chosen.length < 250, String(chosen.length))
  assert.equal(sampling(0).start, undefined)
  assert.equal(sampling(1).start?.(undefined), undefined)
})

test('of a long response the beginning and the end are stored', async () => {
  const { clock, start, store } = sampling(1)
  const sample = start?.('turn_1')
  for (let number = 0; number < 500; number += 1) sample?.see({ number })
  sample?.end()
  await clock.advance(1)
  const [kept] = await store.newest(1)
  assert.deepEqual([kept?.events[0], kept?.events.at(-1)], [{ number: 0 }, { number: 499 }])
  assert.equal((kept?.events.length ?? 0) + (kept?.eventsLeftOut ?? 0), 500)
})

test('a failing store is logged, and with a hanging one samples are dropped', async () => {
  const failing = sampling(1, { ...memorySampleStore(LIMITS), keep: () => Promise.reject(new Error('disk full')) })
  failing.start?.('turn_1')?.end()
  await failing.clock.advance(1)
  assert.deepEqual(
    failing.telemetry.logged.map(({ event }) => event),
    ['model.sample-failed'],
  )
  const hanging = sampling(1, { ...memorySampleStore(LIMITS), keep: () => new Promise(() => {}) })
  for (let number = 0; number < 10; number += 1) hanging.start?.('turn_1')?.end()
  await hanging.clock.advance(1)
  assert.deepEqual(
    hanging.telemetry.counted.map(({ name }) => name),
    ['model_sample_dropped_total', 'model_sample_dropped_total'],
  )
})

const vendors = {
  'bedrock converse': overBedrock('converse'),
  'bedrock invoke': overBedrock('invoke'),
  openai: overOpenAi,
  'ai sdk': overAiSdk,
}

for (const [name, make] of Object.entries(vendors)) {
  test(`${name}: the raw response is stored with its usage and without its text`, async () => {
    const { clock, start, store } = sampling(1)
    await using simulator = await startSimulator({ clock: systemClock(), identicalText: '鬼滅の刃 Tanjirou' })
    const { model } = await make(simulator.url, start)
    await collect(model.stream(sampleModelRequest()))
    simulator.faults({ fault: 'error', error: 'throttled', message: 'Nezuko waits' })
    await collect(model.stream(sampleModelRequest()))
    await clock.advance(1)
    const samples = await store.newest(9)
    assert.equal(samples.length, 2)
    const [refused, answered] = samples.map((sample) => JSON.stringify(sample))
    assert.match(answered ?? '', /"[a-zA-Z_]*[tT]okens"/)
    assert.match(refused ?? '', /errorName/)
    for (const text of [refused, answered]) assert.doesNotMatch(text ?? '', /鬼|Tanj|Nezuko|こんにちは/)
  })
}
