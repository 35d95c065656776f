// An outage of the primary model for shoppers and provider, in the whole app over memory ports: every question is answered,
// the provider gets few calls, and the model is used again soon after it recovers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApp } from '#app/app.ts'
import type { Config } from '#config/config.ts'
import type { Model, ModelErrorClass } from '#ports/model/port.ts'
import { testConfig, testLanes } from '#fixtures/stores/wire-test.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { answering, failure, scriptedModel } from '#fixtures/models/scripted-model.ts'
import type { ModelStep } from '#fixtures/models/scripted-model.ts'
import { collect } from '#fixtures/time/streams.ts'
import { sampleReceived } from '#fixtures/turns/turns.ts'

const OUTAGE_MS = 60_000
const EVERY_MS = 4000
const BACK_WITHIN_MS = 10_000

const config: Config = {
  ...testConfig,
  models: { primary: { provider: 'bedrock', id: 'p' }, economy: { provider: 'bedrock', id: 'e' } },
  ladder: ['primary', 'economy'],
}

/** Asks every four seconds, by another principal each time. */
async function run(outage: readonly ModelStep[]) {
  const ports = await testPorts()
  const { clock } = ports
  const from = clock.now()
  const isOut = () => clock.now() < from + OUTAGE_MS
  const well = scriptedModel(clock, answering('はい'), 'primary-id')
  const ill = scriptedModel(clock, outage, 'primary-id')
  const primary: Model = { id: 'primary-id', stream: (request) => (isOut() ? ill : well).stream(request) }
  const economy = scriptedModel(clock, answering('ええ'), 'economy-id')
  const models = new Map<string, Model>([
    ['primary', primary],
    ['economy', economy],
  ])
  const app = createApp({ ...ports, models, lanes: testLanes(ports, config) }, config)
  app.start()
  const answers: { readonly at: number; readonly tier: string; readonly ttftMs: number }[] = []
  for (let asked = 0; clock.now() < from + OUTAGE_MS + BACK_WITHIN_MS; asked += 1) {
    const principal = { id: `guest_${asked}`, kind: 'guest', tier: 'free' } as const
    // No two questions are the same: a cached answer would ask no model.
    const asking = { ...sampleReceived({ principal }), requestId: `r${asked}`, message: `ベルセルクは？ ${asked}` }
    const at = clock.now() - from
    const { turnId } = await app.chat(asking)
    const frames = collect(await app.read(principal, { turnId, offset: 0 }, new AbortController().signal))
    void frames.then((all) => {
      const done = all.at(-1)
      if (done?.type === 'done') answers.push({ at, tier: done.tier, ttftMs: done.timings.ttftMs ?? Infinity })
    })
    await clock.advance(EVERY_MS)
  }
  await clock.advance(30_000)
  const drained = app.drain()
  await clock.advance(60_000)
  await drained
  return { answers, calls: ill.requests.length, app }
}

for (const [name, outage] of [
  ['refuses', [failure('unavailable')]],
  ['is throttled', [failure('throttled')]],
  ['is silent', ['hang']],
] as const satisfies readonly (readonly [ModelErrorClass | string, readonly ModelStep[]])[]) {
  test(`while the primary ${name} for a minute every question is answered, it gets at most 12 calls, and is used again within 10 s`, async () => {
    const { answers, calls } = await run(outage)
    assert.equal(answers.length, 18)
    assert.ok(answers.every(({ tier }) => tier === 'primary' || tier === 'economy'))
    assert.ok(answers.every(({ ttftMs }) => ttftMs <= config.deadlines.stream.firstWordMs))
    assert.ok(calls <= 12, `${calls} calls`)
    const back = answers.find(({ at, tier }) => at >= OUTAGE_MS && tier === 'primary')
    assert.ok(back !== undefined && back.at <= OUTAGE_MS + BACK_WITHIN_MS, JSON.stringify(back))
  })
}
