// The configured ladder: prices from the models' facts, fallbacks after the model that names them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testConfig, testLanes } from '#fixtures/stores/wire-test.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { answering, failure, scriptedModel } from '#fixtures/models/scripted-model.ts'
import { collect } from '#fixtures/time/streams.ts'
import { GUEST, PRICED, sampleReceived } from '#fixtures/turns/turns.ts'
import { SAMPLE_FACTS } from '#fixtures/models/vendor-models.ts'
import type { Config } from '#config/config.ts'
import { createApp } from './app.ts'
import { NO_SCOPE } from '#ports/telemetry/plain-scope.ts'

test('a model’s fallback is asked before the rest of the ladder, and what it used is charged at its price', async () => {
  const ports = await testPorts()
  const { clock } = ports
  const primary = scriptedModel(clock, [failure('invalid')], 'primary-id')
  const spare = { ...scriptedModel(clock, answering('は', 'い'), 'spare-id'), facts: SAMPLE_FACTS }
  const economy = scriptedModel(clock, answering('never'), 'economy-id')
  const vendor = (id: string) => ({ provider: 'bedrock', id }) as const
  const config = {
    ...testConfig,
    models: { primary: { ...vendor('p'), fallbacks: ['spare'] }, economy: vendor('e'), spare: vendor('s') },
    ladder: ['primary', 'economy'],
  }
  const models = new Map(Object.entries({ primary, economy, spare }))
  const app = createApp({ ...ports, models, lanes: testLanes(ports, config) }, config)
  const { turnId } = await app.chat(sampleReceived())
  const frames = collect(await app.read(GUEST, { turnId, offset: 0 }, new AbortController().signal))
  await clock.advance(1000)
  const done = (await frames).find((frame) => frame.type === 'done')
  assert.deepEqual([done?.model, done?.usage.inputTokens, done?.usage.outputTokens], ['spare-id', 20, 2])
  const { inputMicroUsdPerMillion, outputMicroUsdPerMillion } = PRICED
  assert.equal(done?.costMicroUsd, (20 * inputMicroUsdPerMillion + 2 * outputMicroUsdPerMillion) / 1_000_000)
  assert.equal(economy.requests.length, 0)
  await app.drain()
})

const FROM = { network: '192.0.2.1' }
const MIA = { by: 'mia', reason: 'a test' }

test('an operator sees every lane with its models and the last action; reading changes nothing', async () => {
  const ports = await testPorts()
  const app = createApp(ports, testConfig)
  const lane = (await app.admin.lanes())[0]?.lane ?? ''
  assert.deepEqual((await app.admin.lanes())[0]?.models, ['embedded'])
  assert.equal((await app.admin.operateLane(lane, 'force-open', MIA)).by, 'mia')
  assert.equal((await app.admin.lanes())[0]?.operator?.by, 'mia')
  for (let reads = 0; reads < 3; reads += 1) assert.equal((await app.admin.lanes())[0]?.operator?.action, 'force-open')
  await app.admin.operateLane(lane, 'reset', MIA)
  assert.equal((await app.admin.lanes())[0]?.phase, 'closed')
  const audit = await app.admin.audit({ limit: 10 })
  assert.deepEqual(
    audit.map(({ action, by, reason }) => [action, by, reason]),
    [
      ['lane-reset', 'mia', 'a test'],
      ['lane-forced-open', 'mia', 'a test'],
    ],
  )
  await assert.rejects(app.admin.operateLane('nobody', 'reset', MIA), { code: 'NOT_FOUND' })
  await app.drain()
})

test('a blocked principal is refused before anything is taken, and its running turn continues', async () => {
  const ports = await testPorts()
  const app = createApp(ports, testConfig)
  const { turnId } = await app.chat(sampleReceived())
  await app.admin.block({ target: GUEST.id, callerAddress: '' }, MIA)
  const refused = { code: 'FORBIDDEN', details: { reason: 'blocked' } }
  await assert.rejects(app.chat(sampleReceived({ requestId: 'r2', message: '別の質問' })), refused)
  await assert.rejects(
    app.complete({ principal: GUEST, requestId: 'r3', model: 'auto', system: '', messages: [], scope: NO_SCOPE }),
    refused,
  )
  const frames = collect(await app.read(GUEST, { turnId, offset: 0 }, new AbortController().signal))
  await ports.clock.advance(1000)
  assert.equal((await frames).at(-1)?.type, 'done')
  assert.equal((await app.sessions(GUEST)).sessions.length, 1)
  await app.admin.unblock(GUEST.id, MIA)
  assert.equal((await app.chat(sampleReceived({ requestId: 'r4', message: '別の質問' }))).duplicate, false)
  await app.drain()
})

test('a blocked principal adds nothing and asks for no person, and still reads, exports and erases what is theirs', async () => {
  const ports = await testPorts()
  const app = createApp(ports, testConfig)
  const { sessionId, turnId } = await app.chat(sampleReceived())
  await ports.clock.advance(1000)
  const add = () => app.commerce.addToCart(GUEST, { productId: 'one-piece', volumes: [1] }, FROM)
  await add()
  await app.admin.block({ target: GUEST.id, callerAddress: '' }, MIA)
  for (const act of [
    add,
    () => app.commerce.setCartItem(GUEST, 'one-piece:1', { quantity: 2 }),
    () => app.commerce.checkout(GUEST, { idempotencyKey: 'k', version: 1, totalYen: 1 }, FROM),
    () => app.setFeedback(GUEST, turnId, { value: 'down' }),
    () => app.cardOpened(GUEST, turnId, { productId: 'one-piece' }),
    () => app.askForPerson(GUEST, sessionId, FROM),
  ])
    await assert.rejects(act(), { code: 'FORBIDDEN', details: { reason: 'blocked' } }, String(act))
  assert.equal((await app.commerce.cart(GUEST)).count, 1)
  assert.equal((await app.session(GUEST, sessionId)).turns.length, 1)
  assert.equal((await app.exportMe(GUEST)).conversations.length, 1)
  const erased = await app.eraseMe(GUEST)
  assert.deepEqual([erased.conversations, erased.cartItems], [1, 1])
  await app.drain()
})

test('in maintenance new turns are refused, and running ones continue', async () => {
  const ports = await testPorts()
  const app = createApp(ports, testConfig)
  const { turnId } = await app.chat(sampleReceived())
  assert.equal((await app.admin.setMaintenance(true, MIA)).action, 'setting-set')
  assert.equal(app.admin.maintenance()?.by, 'mia')
  const refused = { code: 'MAINTENANCE' }
  await assert.rejects(app.chat(sampleReceived({ requestId: 'r2', message: '別の質問' })), refused)
  await assert.rejects(
    app.complete({ principal: GUEST, requestId: 'r3', model: 'auto', system: '', messages: [], scope: NO_SCOPE }),
    refused,
  )
  const frames = collect(await app.read(GUEST, { turnId, offset: 0 }, new AbortController().signal))
  await ports.clock.advance(1000)
  assert.equal((await frames).at(-1)?.type, 'done')
  await app.admin.setMaintenance(false, MIA)
  assert.equal(app.admin.maintenance(), null)
  await app.drain()
})

test('with every lane of the ladder open clients are asked to pause only where nothing else can answer', async () => {
  const models: Config['models'] = { primary: { provider: 'bedrock', id: 'a' } }
  const vendors = { ...testConfig, models, ladder: ['primary'] }
  for (const [config, hasResponder, action] of [
    [vendors, false, 'pause'],
    [vendors, true, 'none'],
    [{ ...vendors, deferred: { ...vendors.deferred, countMax: 0 } }, true, 'pause'],
  ] as const) {
    const ports = await testPorts()
    const primary = scriptedModel(ports.clock, answering('a'))
    const responder = hasResponder ? { responder: scriptedModel(ports.clock, answering('b')) } : {}
    const app = createApp(
      { ...ports, ...responder, models: new Map([['primary', primary]]), lanes: testLanes(ports, config) },
      config,
    )
    app.start()
    const lane = (await app.admin.lanes())[0]?.lane ?? ''
    await app.admin.operateLane(lane, 'force-open', MIA)
    await ports.clock.advance(1000)
    assert.equal(app.pressure.now.action, action)
    await app.admin.operateLane(lane, 'reset', MIA)
    await ports.clock.advance(1000)
    assert.equal(app.pressure.now.action, 'none')
    await app.drain()
  }
})

test('a drained app has written the records of the last turns', async () => {
  const ports = await testPorts()
  const app = createApp(ports, testConfig)
  const { turnId } = await app.chat(sampleReceived())
  await ports.clock.advance(100)
  await app.drain()
  const record = await ports.turnRecords.find(turnId)
  assert.deepEqual([record?.principalId, record?.finishReason], [GUEST.id, 'stop'])
})
