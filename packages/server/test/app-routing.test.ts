// Questions on their routes, over the whole pipeline in memory: which model is asked, and what the answer says about it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MetaFrame } from '@mangaassist/protocol'
import { embeddedModel } from '#adapters/embedded/model.ts'
import { createApp } from '#app/app.ts'
import type { Config } from '#config/config.ts'
import { testConfig, testLanes } from '#fixtures/stores/wire-test.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { answering, failure, scriptedModel } from '#fixtures/models/scripted-model.ts'
import type { Script } from '#fixtures/models/scripted-model.ts'
import { collect } from '#fixtures/time/streams.ts'
import { GUEST, sampleReceived } from '#fixtures/turns/turns.ts'
import { plainScope } from '#ports/telemetry/plain-scope.ts'
import { SAMPLE_FACTS } from '#fixtures/models/vendor-models.ts'

const SIMPLE = '鬼滅の刃は何巻まで出ていますか？'
const COMPLEX =
  '鬼滅の刃とワンピースを、絵柄、テーマ、長さ、値段の点で詳しく比べて、予算5000円で中学生の娘への贈り物にどちらが良いか、理由も三つ挙げて説明してください。'

interface Options {
  readonly routing?: Partial<Config['routing']>
  readonly economy?: Script
  readonly primary?: Script
}

async function setUp({ routing = {}, economy = answering('はい', '。'), primary = answering('ええ', '。') }: Options) {
  const ports = await testPorts()
  const { clock, turnRecords } = ports
  const vendor = (id: string) => ({ provider: 'bedrock', id }) as const
  const config: Config = {
    ...testConfig,
    models: { primary: vendor('p'), economy: vendor('e') },
    ladder: ['primary', 'economy'],
    routing: { ...testConfig.routing, enabled: true, ...routing },
  }
  const scripted = {
    primary: { ...scriptedModel(clock, primary, 'primary-id'), facts: SAMPLE_FACTS },
    economy: { ...scriptedModel(clock, economy, 'economy-id'), facts: SAMPLE_FACTS },
  }
  const models = new Map(Object.entries(scripted))
  const responder = embeddedModel({ clock, tokensPerSecond: 0 })
  const app = createApp({ ...ports, models, responder, lanes: testLanes(ports, config) }, config)
  let sessionId: string | undefined
  /** The next question of the one conversation. */
  async function ask(message: string, over: { readonly isNew?: boolean } = {}) {
    // Longer than the double-tap window and the rate.
    await clock.advance(30_000)
    const inSession = sessionId === undefined || over.isNew === true ? {} : { sessionId }
    const accepted = await app.chat(sampleReceived({ message, ...inSession, scope: plainScope(ports.telemetry) }))
    sessionId = accepted.sessionId
    const { turnId } = accepted
    const frames = collect(await app.read(GUEST, { turnId, offset: 0 }, new AbortController().signal))
    await clock.advance(5000)
    const meta = (await frames).findLast((frame): frame is MetaFrame => frame.type === 'meta')
    const done = (await frames).findLast((frame) => frame.type === 'done')
    assert.ok(meta !== undefined && done !== undefined)
    const text = (await frames).map((frame) => (frame.type === 'chunk' ? frame.text : '')).join('')
    return { ...meta, turnId, text, costMicroUsd: done.costMicroUsd }
  }
  const calls = () => [scripted.economy.requests.length, scripted.primary.requests.length]
  return { app, ask, calls, clock, telemetry: ports.telemetry, turnRecords }
}

test('a simple question is asked of the economy model and is not degraded, a complex one of the primary', async () => {
  const { app, ask, calls, telemetry, turnRecords } = await setUp({})
  const simple = await ask(SIMPLE)
  assert.deepEqual([simple.model, simple.tier, simple.degraded, simple.confidence], ['economy-id', 'economy', false, 1])
  assert.deepEqual([simple.route?.first, simple.route?.rule], ['economy', 'complexity'])
  assert.match(simple.route?.why ?? '', /^economy: (?:simple|moderate)/)
  const complex = await ask(COMPLEX, { isNew: true })
  assert.deepEqual(
    [complex.model, complex.route?.first, complex.route?.complexity],
    ['primary-id', 'primary', 'complex'],
  )
  assert.deepEqual(calls(), [1, 1])
  const routed = telemetry.counted.filter(({ name }) => name === 'turn_routed_total').map(({ fields }) => fields)
  assert.deepEqual(routed, [
    { first: 'economy', rule: 'complexity' },
    { first: 'primary', rule: 'complexity' },
  ])
  const ended = telemetry.logged.find(({ event }) => event === 'turn.ended')
  assert.deepEqual([ended?.fields['routeFirst'], ended?.fields['routeWhy']], ['economy', simple.route?.why])
  assert.equal((await turnRecords.find(simple.turnId))?.routing?.choice?.why, simple.route?.why)
  await app.drain()
})

test('the primary answers for a throttled economy model, and is not degraded', async () => {
  const { app, ask } = await setUp({ economy: [failure('throttled')] })
  const { confidence, degraded, model, reason, route } = await ask(SIMPLE)
  assert.deepEqual([model, degraded, confidence, reason], ['primary-id', false, 1, undefined])
  assert.equal(route?.first, 'economy')
  await app.drain()
})

test('the economy model answers for a throttled primary, degraded as without routing', async () => {
  const { app, ask } = await setUp({ primary: [failure('throttled')] })
  const { degraded, model, reason } = await ask(COMPLEX)
  assert.deepEqual([model, degraded, reason], ['economy-id', true, 'throttled'])
  await app.drain()
})

test('after a complaint about the answer the primary is asked, and the answer’s record says that it was asked again', async () => {
  const { app, ask, clock, turnRecords } = await setUp({})
  const first = await ask(SIMPLE)
  const next = await ask('その答えは間違っています。')
  assert.deepEqual([next.model, next.route?.rule], ['primary-id', 'escalated'])
  await clock.advance(1000)
  assert.deepEqual((await turnRecords.find(first.turnId))?.received, { followedUp: true, askedAgain: true })
  assert.equal((await turnRecords.find(next.turnId))?.routing?.escalation, 'complaint')
  // The answer after the complaint is not complained about.
  assert.equal((await ask('ワンピースは何巻まで出ていますか？')).route?.first, 'economy')
  await app.drain()
})

test('a question that is asked again goes to the primary, and one after it by its complexity', async () => {
  const { app, ask, clock, turnRecords } = await setUp({})
  const first = await ask(SIMPLE)
  const again = await ask('鬼滅の刃は何巻まで出てますか')
  assert.deepEqual(
    [again.model, again.route?.why],
    ['primary-id', 'primary: escalated, the last question was asked again'],
  )
  await clock.advance(1000)
  assert.deepEqual((await turnRecords.find(first.turnId))?.received, { followedUp: true, askedAgain: true })
  assert.equal((await turnRecords.find(again.turnId))?.routing?.escalation, 'asked-again')
  assert.equal((await ask('ワンピースは何巻まで出ていますか？')).route?.first, 'economy')
  await app.drain()
})

test('after a thumb down, or an answer that the store contradicts, the primary is asked', async () => {
  const { app, ask, clock, turnRecords } = await setUp({
    economy: { calls: [answering('はい。'), answering('『鬼滅の刃』は全99巻です。'), answering('はい。')] },
  })
  const first = await ask(SIMPLE)
  await clock.advance(1000)
  assert.ok(await turnRecords.setFeedback(first.turnId, { value: 'down', at: clock.now() }))
  const second = await ask('ワンピースは何巻まで出ていますか？')
  assert.deepEqual(
    [second.model, second.route?.why],
    ['primary-id', 'primary: escalated, a thumb down for the last answer'],
  )
  const wrong = await ask(SIMPLE)
  assert.equal(wrong.model, 'economy-id')
  const third = await ask('ワンピースは完結していますか？')
  assert.deepEqual(
    [third.model, third.route?.why],
    ['primary-id', 'primary: escalated, the store contradicted the last answer'],
  )
  await app.drain()
})

test('what needs no model is answered by the responder at no cost, where the shop allows it', async () => {
  const price = '鬼滅の刃はいくらですか？'
  const allowed = await setUp({ routing: { withoutModel: ['price', 'faq'] } })
  const answer = await allowed.ask(price)
  assert.deepEqual(
    [answer.tier, answer.degraded, answer.confidence, answer.reason, answer.costMicroUsd],
    ['embedded', false, 1, undefined, 0],
  )
  assert.deepEqual([answer.route?.first, answer.route?.rule], ['embedded', 'no-model'])
  assert.match(answer.text, /円/)
  const again = await allowed.ask(price, { isNew: true })
  assert.deepEqual([again.tier, again.cached], ['embedded', undefined])
  assert.deepEqual(allowed.calls(), [0, 0])
  await allowed.app.drain()
  const not = await setUp({})
  assert.equal((await not.ask(price)).tier, 'economy')
  await not.app.drain()
})

test('the same question finds the answer of its own route in the cache', async () => {
  const { app, ask, calls } = await setUp({})
  const question = '鬼滅の刃ってどんな話ですか？'
  const first = await ask(question)
  const again = await ask(question, { isNew: true })
  assert.deepEqual([first.model, again.tier, again.model], ['economy-id', 'cached', 'economy-id'])
  assert.equal(again.route?.first, 'economy')
  assert.deepEqual(calls(), [1, 0])
  await app.drain()
})

test('an answer of the model above is not cached as the route’s own', async () => {
  const { app, ask } = await setUp({ economy: { calls: [[failure('invalid')], answering('はい。')] } })
  const question = '鬼滅の刃ってどんな話ですか？'
  assert.equal((await ask(question)).model, 'primary-id')
  const again = await ask(question, { isNew: true })
  assert.deepEqual([again.model, again.tier], ['economy-id', 'economy'])
  await app.drain()
})

test('with routing off every question is asked of the ladder’s top, and no route is named', async () => {
  const { app, ask, calls, telemetry, turnRecords, clock } = await setUp({ routing: { enabled: false } })
  const simple = await ask(SIMPLE)
  await ask('その答えは間違っています。')
  assert.deepEqual([simple.model, 'route' in simple], ['primary-id', false])
  assert.deepEqual(calls(), [0, 2])
  await clock.advance(1000)
  assert.equal((await turnRecords.find(simple.turnId))?.routing, undefined)
  const ended = telemetry.logged.find(({ event }) => event === 'turn.ended')
  assert.ok(ended)
  assert.equal(ended.fields['routeFirst'], undefined)
  assert.ok(telemetry.counted.every(({ name }) => name !== 'turn_routed_total'))
  await app.drain()
})

const AKI = { by: 'aki', reason: 'a test' }

test('while an operator has switched routing off, the ladder is asked in its own order', async () => {
  const { app, ask, calls } = await setUp({})
  await app.admin.setSetting({ name: 'routing', value: false }, AKI)
  const off = await ask(SIMPLE)
  assert.deepEqual([off.model, off.route, calls()], ['primary-id', undefined, [0, 1]])
  await app.admin.setSetting({ name: 'routing', value: null }, AKI)
  assert.equal((await ask('ワンピースは何巻まで出ていますか？', { isNew: true })).model, 'economy-id')
  await app.drain()
})

test('in the reduced mode no model of a vendor is asked, whatever the route, and the answer says why', async () => {
  const { app, ask, calls } = await setUp({})
  await app.admin.setSetting({ name: 'mode', value: 'reduced' }, AKI)
  for (const question of [SIMPLE, COMPLEX, 'カレーの作り方を教えて']) {
    const said = await ask(question, { isNew: true })
    assert.deepEqual([said.degraded, said.reason, said.costMicroUsd], [true, 'reduced', 0], question)
  }
  assert.deepEqual(calls(), [0, 0])
  await app.drain()
})
