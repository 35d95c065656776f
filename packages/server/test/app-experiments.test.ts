// Experiments over the whole pipeline in memory: what an arm changes, what is recorded, what is cached, and that nothing is there
// while none runs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TurnRecord } from '#domain/turn-records/turn-record.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { runningExperiments } from '#domain/experiments/running-experiments.ts'
import type { Config } from '#config/config.ts'
import { testConfig, testLanes } from '#fixtures/stores/wire-test.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import type { TestPorts } from '#fixtures/stores/ports.ts'
import { answering, scriptedModel } from '#fixtures/models/scripted-model.ts'
import { collect } from '#fixtures/time/streams.ts'
import { sampleReceived } from '#fixtures/turns/turns.ts'
import { createApp } from '#app/app.ts'

const author = { by: 'aki', reason: 'a test' }
const signal = () => new AbortController().signal
const vendor = (id: string) => ({ provider: 'bedrock', id }) as const
const armPrompts = { version: 'short-1.0', texts: { ja: '短く。<data>', en: 'Be short. <data>' } }
const CHANGE = {
  prompts: '/prompts/short',
  temperature: 0.9,
  maxTokens: 100,
  routing: true,
  levels: { simple: 'economy', moderate: 'economy', complex: 'economy' },
}

const experiments: Config['experiments'] = {
  holdoutShare: 0.2,
  list: {
    short: {
      arms: { control: { weight: 1 }, short: { weight: 1, change: CHANGE } },
      outcome: 'thumbs-up',
      guard: { errorShareMax: 0.1, turnsMin: 3 },
    },
  },
}

async function setUp() {
  const memory = await testPorts()
  const { unitOf } = memory.turnRecords
  /** How units are read, and how often they were. */
  const units = { find: unitOf, reads: 0 }
  const counted = (id: string) => {
    units.reads += 1
    return units.find(id)
  }
  const ports = { ...memory, turnRecords: { ...memory.turnRecords, unitOf: counted } }
  const { clock } = ports
  const models = {
    primary: scriptedModel(clock, answering('は', 'い'), 'primary-id'),
    economy: scriptedModel(clock, answering('短い'), 'economy-id'),
  }
  const config = {
    ...testConfig,
    models: { primary: vendor('p'), economy: vendor('e') },
    ladder: ['primary', 'economy'],
    experiments,
  }
  const open = (from: TestPorts, ofArm = armPrompts) =>
    createApp(
      {
        ...from,
        models: new Map(Object.entries(models)),
        lanes: testLanes(from, config),
        armPrompts: new Map([[CHANGE.prompts, ofArm]]),
      },
      config,
    )
  const app = open(ports)
  let asks = 0
  async function ask(principal: Principal, message = '鬼滅の刃はありますか？', by = app): Promise<TurnRecord> {
    asks += 1
    const { turnId } = await by.chat(sampleReceived({ principal, message, idempotencyKey: `key-${asks}` }))
    const frames = collect(await by.read(principal, { turnId, offset: 0 }, signal()))
    await clock.advance(2000)
    await frames
    await clock.advance(1000)
    const record = await ports.turnRecords.find(turnId)
    assert.ok(record)
    return record
  }
  async function guestIn(arm: string, number = 0): Promise<Principal> {
    const { experiments: states } = (await ports.admin.overrides())!
    const running = runningExperiments(config.experiments, states, new Map([[CHANGE.prompts, armPrompts]]))!
    const ids = Array.from({ length: 200 }, (_, index) => `guest_${index}`)
    const id = ids.filter((one) => (running.armsOf(one)[0]?.arm ?? 'none') === arm)[number]
    return { id: id!, kind: 'guest', tier: 'free' }
  }
  return { app, ask, clock, guestIn, models, open, ports, units }
}

test('while none runs, nothing is read and nothing is recorded', async () => {
  const { app, ask, models, units } = await setUp()
  const record = await ask({ id: 'user:id:1', kind: 'user', tier: 'free' })
  assert.deepEqual([record.routing, record.model, units.reads], [undefined, 'primary-id', 0])
  assert.equal(models.primary.requests[0]?.temperature, testConfig.tokens.temperature)
  await app.drain()
})

test('an arm has its prompt, model, temperature and longest answer; control and holdout have the configured ones', async () => {
  const { app, ask, guestIn, models } = await setUp()
  await app.admin.startExperiment('short', author)
  for (const arm of ['control', 'holdout']) {
    const guest = await guestIn(arm)
    const { routing, ...record } = await ask(guest)
    assert.deepEqual(routing, { exposures: [{ experiment: 'short', arm }], unit: guest.id })
    assert.equal(record.model, 'primary-id')
    const request = models.primary.requests.at(-1)
    assert.deepEqual([request?.temperature, record.isDegraded], [testConfig.tokens.temperature, false])
    assert.notEqual(record.promptVersion, armPrompts.version)
  }
  const guest = await guestIn('short')
  const { routing, ...record } = await ask(guest)
  assert.deepEqual(routing?.exposures, [{ experiment: 'short', arm: 'short' }])
  assert.equal(routing.choice?.first, 'economy')
  assert.deepEqual([record.model, record.isDegraded, record.promptVersion], ['economy-id', false, 'short-1.0'])
  const [request] = models.economy.requests
  assert.deepEqual([request?.temperature, request?.maxOutputTokens, request?.system], [0.9, 100, '短く。<data>'])
  await app.drain()
})

test('arms are cached apart, and a cached answer is no exposure', async () => {
  const { app, ask, guestIn, models } = await setUp()
  await app.admin.startExperiment('short', author)
  const asked = () => [models.primary.requests.length, models.economy.requests.length]
  assert.equal((await ask(await guestIn('control'))).isCached, false)
  const cached = await ask(await guestIn('control', 1))
  assert.deepEqual([cached.isCached, cached.routing?.exposures, asked()], [true, [], [1, 0]])
  const other = await ask(await guestIn('short'))
  assert.deepEqual([other.isCached, other.model, asked()], [false, 'economy-id', [1, 1]])
  assert.equal((await ask(await guestIn('short', 1))).isCached, true)
  assert.deepEqual((await ask(await guestIn('holdout'))).isCached, false)
  assert.deepEqual(asked(), [2, 1])
  await app.drain()
})

test('an arm is the same on another node and after a restart', async () => {
  const { app, ask, guestIn, open, ports } = await setUp()
  await app.admin.startExperiment('short', author)
  const guest = await guestIn('short')
  const here = await ask(guest, '鬼滅の刃の一巻は？')
  const other = open(ports)
  const there = await ask(guest, '鬼滅の刃の二巻は？', other)
  assert.deepEqual(there.routing?.exposures, here.routing?.exposures)
  await app.drain()
  await other.drain()
})

test('edited prompts of an arm pause the experiment until it is started again', async () => {
  const { app, ask, guestIn, open, ports } = await setUp()
  await app.admin.startExperiment('short', author)
  const guest = await guestIn('short')
  const restarted = open(ports, { ...armPrompts, version: 'short-1.1' })
  assert.equal((await restarted.admin.experiments())[0]?.state, 'changed')
  assert.equal((await ask(guest, '鬼滅の刃の一巻は？', restarted)).routing, undefined)
  await restarted.admin.startExperiment('short', author)
  const { promptVersion, routing } = await ask(guest, '鬼滅の刃の二巻は？', restarted)
  assert.deepEqual([promptVersion, routing?.exposures[0]?.arm], ['short-1.1', 'short'])
  await app.drain()
  await restarted.drain()
})

test('a guest who signs in keeps the arm, and the unit', async () => {
  const { app, ask, guestIn } = await setUp()
  await app.admin.startExperiment('short', author)
  for (const arm of ['short', 'control', 'holdout']) {
    const guest = await guestIn(arm, 2)
    await ask(guest, `鬼滅の刃の一巻は？ ${arm}`)
    const user: Principal = { id: `user:id:${arm}`, kind: 'user', tier: 'free' }
    await app.adopt(guest.id, user)
    const { routing } = await ask(user, `鬼滅の刃の二巻は？ ${arm}`)
    assert.deepEqual([routing?.exposures, routing?.unit], [[{ experiment: 'short', arm }], guest.id])
  }
  await app.drain()
})

test('a user whose unit is not known in time is in no arm, and the unit is read once a minute', async () => {
  const { app, ask, clock, units } = await setUp()
  await app.admin.startExperiment('short', author)
  const user: Principal = { id: 'user:id:1', kind: 'user', tier: 'free' }
  const { find } = units
  units.find = () => new Promise(() => {})
  assert.equal((await ask(user, '一')).routing, undefined)
  units.find = find
  units.reads = 0
  for (const message of ['二', '三']) assert.equal((await ask(user, message)).routing?.unit, user.id)
  assert.equal(units.reads, 1)
  await clock.advance(60_000)
  await ask(user, '四')
  assert.equal(units.reads, 2)
  await app.drain()
})

test('after a stop everyone gets the configured settings, and the report stays', async () => {
  const { app, ask, guestIn } = await setUp()
  await app.admin.startExperiment('short', author)
  const guest = await guestIn('short')
  await ask(guest)
  await app.admin.stopExperiment('short', author)
  const record = await ask(guest, '鬼滅の刃の二巻は？')
  assert.deepEqual([record.routing, record.model], [undefined, 'primary-id'])
  const { arms, units } = await app.admin.experimentReport('short')
  assert.deepEqual([units, arms.find(({ arm }) => arm === 'short')?.turns], [1, 1])
  await app.drain()
})

test('the guard stops a failing arm, whose units get control’s settings without an exposure', async () => {
  const { app, ask, clock, guestIn, ports } = await setUp()
  await app.admin.startExperiment('short', author)
  const [failing, fine] = [await guestIn('short'), await guestIn('control')]
  const [bad, good] = [await ask(failing, '鬼滅の刃の一巻は？'), await ask(fine, '鬼滅の刃の一巻は？')]
  const other = ({ routing, ...turn }: TurnRecord, unit: string) => {
    return { ...turn, turnId: unit, routing: { ...routing!, unit } }
  }
  const more = [1, 2, 3].flatMap((number) => [
    { ...other(bad, `bad-${number}`), failure: 'overload' },
    other(good, `good-${number}`),
  ])
  await ports.turnRecords.add(more)
  app.start()
  await clock.advance(180_000)
  const [line] = await app.admin.audit({ limit: 1, subject: 'short' })
  assert.deepEqual([line?.action, line?.by], ['arm-stopped', 'guard'])
  const record = await ask(failing, '鬼滅の刃の九巻は？')
  assert.deepEqual([record.routing, record.model], [undefined, 'primary-id'])
  const { routing } = await ask(fine, '鬼滅の刃の九巻は？')
  assert.deepEqual(routing?.exposures, [{ experiment: 'short', arm: 'control' }])
  await app.drain()
})

test('erasing a person removes the person’s exposures from the report', async () => {
  const { app, ask, guestIn } = await setUp()
  await app.admin.startExperiment('short', author)
  const [one, other] = [await guestIn('short'), await guestIn('short', 1)]
  await ask(one, '鬼滅の刃の一巻は？')
  await ask(other, '鬼滅の刃の二巻は？')
  assert.equal((await app.admin.experimentReport('short')).units, 2)
  await app.eraseMe(one)
  assert.equal((await app.admin.experimentReport('short')).units, 1)
  await app.drain()
})
