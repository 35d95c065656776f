// The call that the shop pays for: its permit, priority, cost and ledger row, for every purpose.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freeSpending } from '#fixtures/budgets/free-spending.ts'
import { answering, failure, say, scriptedModel, START, usage, END } from '#fixtures/models/scripted-model.ts'
import type { Script } from '#fixtures/models/scripted-model.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { Rejections } from '#domain/model/rejections.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { plainEstimates } from '#fixtures/turns/estimates.ts'
import { PRICED, sampleRung } from '#fixtures/turns/turns.ts'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import { textMessage } from '#domain/model/model-message.ts'
import { modelError } from '#domain/model/model-part.ts'
import type { LaneView } from '#domain/lane/lane-view.ts'
import { laneOf } from '#domain/lane/lanes-of.ts'
import { queueDefaults } from '#domain/queue/fair-queue.ts'
import type { LedgerRow } from '#ports/ledger/port.ts'
import type { Spend } from '#domain/budget/spend.ts'
import { boundedLanes } from '../invocation/bounded-lanes.ts'
import { createWaitingQueue } from '../invocation/waiting-queue.ts'
import type { Entry, WaitingQueue } from '../invocation/waiting-queue.ts'
import { briefCall } from './brief-call.ts'
import { createHouseCall } from './house-call.ts'
import type { HouseCall, HousePurpose } from './house-call.ts'

const LANE = laneOf(testConfig, 'embedded')
const PROMPT = { system: 'Be brief.', messages: [textMessage('user', 'Say hello.')] } as const

async function setUp(script: Script = answering('hello'), isCeilingReached = false) {
  const ports = await testPorts()
  const { clock } = ports
  const [rows, settled, entered]: [LedgerRow[], Spend[], Entry[]] = [[], [], []]
  const lanes = boundedLanes(ports.lanes, new Map([[LANE, 1]]))
  const queue = createWaitingQueue({ ...ports, lanes, settings: queueDefaults })
  const enter: WaitingQueue['enter'] = (lane, entry) => (entered.push(entry), queue.enter(lane, entry))
  const rejections = new Rejections(clock)
  const houseCall = createHouseCall({
    ...ports,
    rejections,
    ledger: { record: async (added) => void rows.push(...added) },
    lanes,
    queue: { enter, sizes: () => queue.sizes() },
    estimates: plainEstimates,
    spending: {
      ...freeSpending,
      reserve: async () => (isCeilingReached ? 'store-budget' : undefined),
      settle: (spend) => void settled.push(spend),
    },
    config: testConfig,
  })
  const model = scriptedModel(clock, script, 'big')
  const rung = sampleRung(model, { lane: LANE, price: PRICED })
  const { signal } = new AbortController()
  const ask = (purpose: HousePurpose, over: Partial<HouseCall> = {}) =>
    houseCall({ purpose, rung, prompt: PROMPT, waitMaxMs: 1000, endMs: 5000, signal, ...over }, (permitted) =>
      briefCall({ clock, rung, ms: 5000, signal }, { ...PROMPT, grounding: UNGROUNDED, language: 'en' }, permitted),
    )
  return { ports, lanes, queue, model, rows, settled, entered, ask }
}

test('probes go first in the queue, bulk work never enters it, and every purpose has a session of its own in the ledger', async () => {
  const { rows, entered, ask } = await setUp()
  for (const purpose of ['format-probe', 'lane-probe', 'prewarm', 'refresh', 'summary'] as const) await ask(purpose)
  assert.deepEqual(
    entered.map(({ priority, sessionId }) => [priority, sessionId]),
    [
      ['critical', 'format-probe'],
      ['critical', 'lane-probe'],
    ],
  )
  assert.deepEqual(
    rows.map(({ principalId, sessionId, outcome }) => [principalId, sessionId, outcome]),
    [
      ['shop', 'format-probe', 'probe'],
      ['shop', 'lane-probe', 'probe'],
      ['shop', 'prewarm', 'prewarm'],
      ['shop', 'refresh', 'refresh'],
      ['shop', 'summary', 'end'],
    ],
  )
})

test('zero usage for an answer with text is booked and settled by our estimate', async () => {
  const { rows, settled, ask } = await setUp([START, say('hello to all of you'), usage(0, 0), END])
  await ask('summary')
  const [row] = rows
  assert.ok(row !== undefined && row.inputTokens > 0 && row.outputTokens > 0 && row.estimated)
  assert.deepEqual(
    settled.map(({ microUsd, spender }) => [microUsd, spender]),
    [[row.costMicroUsd, 'shop']],
  )
})

test('house calls use at most the node’s connections: a second one waits', async () => {
  const { ports, lanes, model, ask } = await setUp([{ waitMs: 500 }, ...answering('hello')])
  const both = Promise.all([ask('lane-probe'), ask('format-probe')])
  await ports.clock.advance(100)
  assert.equal(model.requests.length, 1)
  await ports.clock.advance(2000)
  assert.deepEqual(
    (await both).map(({ kind }) => kind),
    ['made', 'made'],
  )
  assert.equal(lanes.seen(LANE).inFlight, 0)
})

test('on an open lane, or one full for too long, no call is made, and the reason is returned', async () => {
  const { ports, lanes, model, rows, settled, ask } = await setUp()
  await lanes.permit(LANE, { id: 'other', ask: { kind: 'first' } })
  const late = ask('lane-probe')
  await ports.clock.advance(2000)
  assert.deepEqual(await late, { kind: 'skipped', why: 'saturated' })
  await lanes.operate(LANE, 'force-open', 'test')
  await lanes.report(LANE, 'other', 'success')
  assert.deepEqual(await ask('format-probe'), { kind: 'skipped', why: 'circuit-open' })
  assert.deepEqual([model.requests.length, rows.length, settled.length], [0, 0, 0])
})

test('beyond the ceiling no model is asked, and cap and permit are released', async () => {
  const { lanes, model, rows, ask } = await setUp(undefined, true)
  const said: string[] = []
  const hold = { settle: async () => void said.push('settled'), release: async () => void said.push('released') }
  assert.deepEqual(await ask('summary', { cap: { hold: async () => hold } }), { kind: 'skipped', why: 'ceiling' })
  assert.deepEqual(await ask('summary', { cap: { hold: async () => undefined } }), { kind: 'skipped', why: 'cap' })
  assert.deepEqual([said, model.requests.length, rows.length, lanes.seen(LANE).inFlight], [['released'], 0, 0, 0])
})

test('a call that the provider refused costs nothing, has no ledger row, and counts on its lane', async () => {
  const { lanes, rows, settled, ask } = await setUp([failure('unavailable')])
  const released: string[] = []
  const hold = { settle: async () => {}, release: async () => void released.push('released') }
  await ask('summary', { cap: { hold: async () => hold } })
  assert.deepEqual([rows.length, settled[0]?.microUsd, released], [0, 0, ['released']])
  assert.equal(lanes.seen(LANE).recent.failures, 1)
})

test('a failed call of the shop is logged with what the vendor said; a format probe reports itself', async () => {
  const fault = { status: 401, code: 'invalid_api_key', message: 'Incorrect API key provided.', requestId: 'req_1' }
  const { ports, rows, ask } = await setUp([modelError({ class: 'access-denied', message: 'as it came', fault })])
  await ask('format-probe')
  await ask('refresh')
  const lines = ports.telemetry.logged
    .filter(({ event }) => event === 'model.attempt-failed')
    .map(({ fields }) => fields)
  assert.deepEqual(
    lines.map((fields) => [
      fields.purpose,
      fields.class,
      fields.vendorStatus,
      fields.vendorCode,
      fields.vendorRequestId,
    ]),
    [['refresh', 'access-denied', 401, 'invalid_api_key', 'req_1']],
  )
  assert.deepEqual(rows, [])
})

/** A lane as its controller shows it under some pressure, and at rest again. */
async function underPressure(seen: Partial<LaneView>, waiting = 0) {
  const parts = await setUp()
  const { ports, lanes, queue } = parts
  const [atRest, sizes] = [lanes.seen, queue.sizes]
  lanes.seen = (lane) => ({ ...atRest(lane), ...seen })
  queue.sizes = () => new Map([[LANE, waiting]])
  const rest = () => void ([lanes.seen, queue.sizes] = [atRest, sizes])
  const skipped = () =>
    ports.telemetry.counted.filter(({ name }) => name === 'house_calls_skipped_total').map(({ fields }) => fields)
  return { ...parts, rest, skipped }
}

const recent = { calls: 9, failures: 0, retries: 0, shed: 1 }
const PRESSURES: Readonly<Record<string, readonly [Partial<LaneView>, number?]>> = {
  'is paced': [{ pace: 2 }],
  'is limited': [{ level: 'slight', limit: 10, inFlight: 2 }],
  'is nearly full': [{ limit: 10, inFlight: 8 }],
  recovers: [{ phase: 'recovering', level: 'recovery' }],
  'turned a call away': [{ recent }],
  'has a waiting turn': [{}, 1],
}

for (const [what, [seen, waiting]] of Object.entries(PRESSURES))
  test(`while the lane ${what} no bulk call is made, probes are, and bulk calls resume when it is at rest`, async () => {
    const { model, ask, rest, skipped } = await underPressure(seen, waiting)
    for (const purpose of ['prewarm', 'refresh', 'summary'] as const)
      assert.deepEqual(await ask(purpose), { kind: 'skipped', why: 'saturated' })
    assert.equal(model.requests.length, 0)
    assert.deepEqual(
      skipped(),
      ['prewarm', 'refresh', 'summary'].map((purpose) => ({ purpose, reason: 'saturated' })),
    )
    assert.equal((await ask('lane-probe')).kind, 'made')
    rest()
    assert.equal((await ask('summary')).kind, 'made')
  })

test('a bulk call is no probe of a lane that was out, and does not count as shed', async () => {
  const { lanes, model, ask, rest } = await underPressure({ phase: 'half-open', level: 'recovery' })
  assert.deepEqual(await ask('refresh'), { kind: 'skipped', why: 'circuit-open' })
  rest()
  await lanes.permit(LANE, { id: 'other', ask: { kind: 'first' } })
  assert.deepEqual(await ask('refresh'), { kind: 'skipped', why: 'saturated' })
  assert.deepEqual([model.requests.length, lanes.seen(LANE).recent.shed], [0, 0])
})
