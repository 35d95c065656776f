// A conversation to the end of its budget, over the whole pipeline in memory: it gets warnings, names what it leaves out,
// and at the end what helps.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageText } from '#domain/model/model-message.ts'
import { Refusal } from '#domain/refusal.ts'
import { testConfig, testLanes } from '#fixtures/stores/wire-test.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { END, say, scriptedModel, START } from '#fixtures/models/scripted-model.ts'
import { collect } from '#fixtures/time/streams.ts'
import { GUEST, sampleReceived } from '#fixtures/turns/turns.ts'
import { SAMPLE_FACTS } from '#fixtures/models/vendor-models.ts'
import { createApp } from '#app/app.ts'

async function setUp(tokens: Partial<(typeof testConfig)['tokens']>) {
  const ports = await testPorts()
  const { clock } = ports
  const model = scriptedModel(clock, [START, say('鬼滅の刃はいかがでしょう。'.repeat(12)), END], 'primary-id')
  const models = new Map([['primary', { ...model, facts: SAMPLE_FACTS }]])
  const config = {
    ...testConfig,
    tokens: { ...testConfig.tokens, ...tokens },
    models: { primary: { provider: 'bedrock', id: 'p' } as const },
    ladder: ['primary'],
  }
  const app = createApp({ ...ports, models, lanes: testLanes(ports, config) }, config)
  let asked = 0
  const ask = async (sessionId: string | undefined, message?: string) => {
    asked += 1
    // A little longer than the double-tap window and the rate.
    await clock.advance(30_000)
    const named = {
      message: message ?? `おすすめの漫画を教えてください。その${asked}`,
      ...(sessionId && { sessionId }),
    }
    const accepted = await app.chat(sampleReceived({ ...named, language: 'ja' }))
    const frames = collect(await app.read(GUEST, { turnId: accepted.turnId, offset: 0 }, new AbortController().signal))
    await clock.advance(1000)
    const meta = (await frames).findLast((frame) => frame.type === 'meta')
    assert.ok(meta !== undefined)
    return { sessionId: accepted.sessionId, meta }
  }
  return { app, ask, model }
}

test('a conversation gets warnings at 80 and 90 %, then names what it leaves out, and ends with what helps', async () => {
  const { app, ask } = await setUp({ inputPerSessionMax: 9000 })
  const first = await ask(undefined)
  assert.deepEqual([first.meta.warning, first.meta.degraded], [undefined, false])
  const metas = [first.meta]
  let refusal: unknown
  for (let turns = 0; turns < 60 && refusal === undefined; turns += 1) {
    const next = await ask(first.sessionId).catch((error: unknown) => void (refusal = error))
    if (next !== undefined) metas.push(next.meta)
  }
  assert.ok(refusal instanceof Refusal && refusal.code === 'QUOTA_EXCEEDED')
  assert.deepEqual([refusal.details?.['scope'], refusal.retryAfterMs], ['session-input', undefined])
  const used = metas.map(({ quota }) => quota.conversation?.input.used ?? 0)
  const warned = metas.map(({ warning }) => /この会話.*?(\d+)％/u.exec(warning ?? '')?.[1])
  const left = (tokens: number): string => String(Math.floor((100 * (9000 - tokens)) / 9000))
  const due = used.map((tokens) => (tokens >= 0.8 * 9000 ? left(tokens) : undefined))
  assert.deepEqual(warned, due)
  assert.ok(warned.some((percent) => percent !== undefined))
  const last = metas.at(-1)
  assert.equal(last?.degraded, true)
  assert.match(last?.reason ?? '', /less-history/)
  assert.match((await ask(undefined)).meta.tier, /primary/)
  await app.drain()
})

test('a message of 5,000 Japanese characters is answered by the model without history, and the answer says so', async () => {
  const { app, ask, model } = await setUp({})
  const { sessionId } = await ask(undefined)
  const message = '某古書店絶版漫画全巻捜索願。'.repeat(400).slice(0, 5000)
  const { meta } = await ask(sessionId, message)
  assert.deepEqual([meta.tier, meta.degraded], ['primary', true])
  assert.match(meta.reason ?? '', /less-history/)
  // The next call is the summary of what it left out.
  const asked = model.requests[1]
  assert.equal(asked?.messages.length, 1)
  assert.ok(messageText(asked?.messages[0]).endsWith(message))
  await app.drain()
})
