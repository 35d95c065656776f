// Makes summaries in the background: at the shop's cost, within its cap, one at a time, and without harm to turns.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageText } from '#domain/model/model-message.ts'
import type { Config } from '#config/config.ts'
import { dayOf } from '#domain/budget/day.ts'
import { genericCounter } from '#domain/estimator/token-counter.ts'
import { laneOf } from '#domain/lane/lanes-of.ts'
import { queueDefaults } from '#domain/queue/fair-queue.ts'
import type { LedgerRow } from '#ports/ledger/port.ts'
import { Rejections } from '#domain/model/rejections.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { freeSpending } from '#fixtures/budgets/free-spending.ts'
import { plainEstimates } from '#fixtures/turns/estimates.ts'
import { fails, hangs, testPorts, withVerbs } from '#fixtures/stores/ports.ts'
import type { TestPorts } from '#fixtures/stores/ports.ts'
import { sampleLimits, sampleSession, sampleStoredTurn } from '#fixtures/turns/samples.ts'
import { answering, END, failure, say, scriptedModel, START, usage } from '#fixtures/models/scripted-model.ts'
import type { ModelStep } from '#fixtures/models/scripted-model.ts'
import { PRICED, sampleRouted, sampleRung } from '#fixtures/turns/turns.ts'
import { createWaitingQueue } from '../invocation/waiting-queue.ts'
import { createHouseCall } from '../house-calls/house-call.ts'
import { createSummaries } from './summaries.ts'
import { createSummaryCap } from './summary-cap.ts'

interface Over {
  readonly config?: Partial<Config['summaries']>
  readonly ports?: Partial<TestPorts>
  readonly withoutModel?: true
}

async function setUp(steps: readonly ModelStep[] = answering('ホラーは', '苦手。'), over: Over = {}) {
  const ports = await testPorts()
  const rows: LedgerRow[] = []
  const ledger = withVerbs(ports.ledger, {
    record(more) {
      rows.push(...more)
      return ports.ledger.record(more)
    },
  })
  const model = scriptedModel(ports.clock, steps, 'economy-id')
  const rung = sampleRung(model, {
    name: 'economy',
    tier: 'economy',
    price: PRICED,
    lane: laneOf(testConfig, 'embedded'),
  })
  const line = createWaitingQueue({ ...ports, settings: queueDefaults })
  const config = { ...testConfig, summaries: { ...testConfig.summaries, ...over.config } }
  const houseCall = createHouseCall({
    ...ports,
    rejections: new Rejections(ports.clock),
    spending: freeSpending,
    queue: line,
    ledger,
    estimates: plainEstimates,
    config,
  })
  const summaries = createSummaries({
    ...ports,
    ...over.ports,
    houseCall,
    capFor: createSummaryCap({ budgets: ports.budgets, config }),
    config,
    estimates: plainEstimates,
    rung: over.withoutModel === true ? undefined : rung,
  })
  const remember = (forgottenUpTo: number, sessionId = 'sess_1', upTo = 0) => {
    const routed = sampleRouted({ forgottenUpTo, summary: { text: '', upTo, at: 0 } })
    summaries.remember({ ...routed, start: { ...routed.start, sessionId } })
  }
  const summaryOf = async (sessionId = 'sess_1') => (await ports.sessions.find(sessionId))?.summary
  return { ports, model, rows, summaries, remember, summaryOf }
}

async function talk({ sessions }: TestPorts, turns: number, id = 'sess_1'): Promise<void> {
  await sessions.create(sampleSession({ id }))
  for (let version = 0; version < turns; version += 1) {
    const texts = { question: `質問${version + 1}。`, answer: `答え${version + 1}。` }
    await sessions.append(id, version, sampleStoredTurn({ turnId: `${id}_${version}`, ...texts }))
  }
}

test('the economy model summarises trimmed turns and a few more, and the shop is charged', async () => {
  const { ports, model, rows, remember, summaryOf } = await setUp()
  await talk(ports, 12)
  remember(2)
  await ports.clock.advance(0)
  assert.deepEqual(await summaryOf(), { text: 'ホラーは苦手。', upTo: 6, at: ports.clock.now() })
  const [asked] = model.requests
  assert.match(messageText(asked?.messages[0]), /質問1。[^]*答え6。/u)
  assert.doesNotMatch(messageText(asked?.messages[0]), /質問7|summarySoFar/u)
  assert.equal(asked?.maxOutputTokens, 150)
  assert.equal(rows.length, 1)
  const { turnId, at, ...row } = rows[0]!
  assert.match(turnId, /^summary_/)
  assert.equal(at, ports.clock.now())
  assert.deepEqual(row, {
    attempt: 1,
    principalId: 'shop',
    sessionId: 'summary',
    day: dayOf(at, testConfig.store.timeZone).key,
    model: 'economy-id',
    tier: 'economy',
    inputTokens: 20,
    outputTokens: 2,
    estimated: false,
    costMicroUsd: 90,
    outcome: 'end',
  })
})

test('the next summary extends the previous one when trimmed turns are not covered', async () => {
  const { ports, model, remember, summaryOf } = await setUp()
  await talk(ports, 18)
  await ports.sessions.summarise('sess_1', 6, 'これまでの話')
  remember(5, 'sess_1', 6)
  remember(5)
  await ports.clock.advance(0)
  assert.equal(model.requests.length, 0)
  remember(7, 'sess_1', 6)
  await ports.clock.advance(0)
  assert.equal((await summaryOf())?.upTo, 11)
  const text = messageText(model.requests[0]?.messages[0])
  assert.match(text, /\{"summarySoFar":"これまでの話"\}\n\{"shopper":"質問7。"[^]*質問11。/u)
  assert.doesNotMatch(text, /質問6。|質問12。/u)
})

test('the newest turn is never summarised', async () => {
  const { ports, remember, summaryOf } = await setUp()
  await talk(ports, 4)
  remember(3)
  await ports.clock.advance(0)
  assert.equal((await summaryOf())?.upTo, 3)
})

test('a failed call leaves no summary, and its use is booked', async () => {
  const broken = [START, say('半分'), usage(20, 1), failure('stream-broken')]
  const cases: readonly [readonly ModelStep[], readonly string[]][] = [
    [broken, ['stream-broken']],
    [[failure('throttled')], []],
    [[START, 'hang'], ['timeout']],
    [[START, usage(20, 1), { type: 'message-end', stopReason: 'blocked' }], ['blocked']],
    [answering(' '), ['end']],
  ]
  for (const [steps, outcomes] of cases) {
    const { ports, rows, remember, summaryOf } = await setUp(steps)
    await talk(ports, 12)
    remember(2)
    await ports.clock.advance(testConfig.summaries.deadlineMs)
    assert.equal(await summaryOf(), undefined)
    assert.deepEqual(
      rows.map(({ outcome }) => outcome),
      outcomes,
    )
    assert.equal(ports.clock.timers(), 0)
  }
})

test('after a failure no summary is made for a minute', async () => {
  const { ports, model, remember } = await setUp([failure('throttled')])
  for (const id of ['sess_1', 'sess_2']) await talk(ports, 12, id)
  for (const id of ['sess_1', 'sess_2']) remember(2, id)
  await ports.clock.advance(59_000)
  remember(2)
  await ports.clock.advance(0)
  assert.equal(model.requests.length, 1)
  await ports.clock.advance(1000)
  remember(2)
  await ports.clock.advance(0)
  assert.equal(model.requests.length, 2)
})

test('beyond the shop’s daily cap no model is asked, and nothing stays held', async () => {
  // At these prices a call uses 4500 and may use about as much again: the day's money is enough for one.
  const dear = [START, say('要約'), usage(1000, 100), END]
  const { ports, model, remember } = await setUp(dear, { config: { microUsdPerDay: 5000 } })
  for (const id of ['sess_1', 'sess_2', 'sess_3']) await talk(ports, 12, id)
  const limits = sampleLimits({ day: { inputTokens: 1e9, outputTokens: 1e9, costMicroUsd: 5000 } })
  const quota = () => ports.budgets.quota('shop', limits, dayOf(ports.clock.now(), testConfig.store.timeZone))
  for (const id of ['sess_1', 'sess_2', 'sess_3']) remember(2, id)
  await ports.clock.advance(0)
  assert.equal(model.requests.length, 1)
  const { used, reserved } = await quota()
  assert.deepEqual([used.costMicroUsd, reserved.costMicroUsd], [4500, 0])
  const none = await setUp(undefined, { config: { microUsdPerDay: 0 } })
  await talk(none.ports, 12)
  none.remember(2)
  await none.ports.clock.advance(0)
  assert.equal(none.model.requests.length, 0)
})

test('one summary at a time; a conversation is queued once, and beyond the limit not at all', async () => {
  const { ports, model, remember, summaryOf } = await setUp([{ waitMs: 1000 }, ...answering('要約')], {
    config: { queueMax: 2 },
  })
  for (const id of ['sess_1', 'sess_2', 'sess_3']) await talk(ports, 12, id)
  for (const id of ['sess_1', 'sess_1', 'sess_2', 'sess_3']) remember(2, id)
  await ports.clock.advance(500)
  assert.equal(model.requests.length, 1)
  await ports.clock.advance(5000)
  assert.equal(model.requests.length, 2)
  assert.equal((await summaryOf('sess_2'))?.text, '要約')
  assert.equal(await summaryOf('sess_3'), undefined)
  assert.equal(ports.telemetry.counted.filter(({ name }) => name === 'session_summaries_dropped_total').length, 1)
  remember(2, 'sess_3')
  await ports.clock.advance(2000)
  assert.equal((await summaryOf('sess_3'))?.text, '要約')
})

test('an unavailable store costs only the summary', async () => {
  const { ports } = await setUp()
  const sessions = withVerbs(ports.sessions, { find: fails })
  const { model, remember, summaries } = await setUp(undefined, { ports: { sessions } })
  remember(2)
  await ports.clock.advance(0)
  assert.equal(model.requests.length, 0)
  await summaries.stop()
})

test('a store that never answers does not block the shutdown', async () => {
  const { ports } = await setUp()
  const sessions = withVerbs(ports.sessions, { find: hangs })
  const { remember, summaries, ports: own } = await setUp(undefined, { ports: { sessions } })
  remember(2)
  const stopped = summaries.stop()
  await own.clock.advance(1000)
  await stopped
})

test('stopping ends the call in flight, books it, and starts no more', async () => {
  const { ports, model, rows, remember, summaries } = await setUp([START, 'hang'])
  for (const id of ['sess_1', 'sess_2']) await talk(ports, 12, id)
  remember(2)
  remember(2, 'sess_2')
  await ports.clock.advance(0)
  await summaries.stop()
  remember(3, 'sess_2')
  await ports.clock.advance(0)
  assert.deepEqual([model.requests.length, model.aborts.length, rows.length], [1, 1, 1])
  assert.equal(ports.clock.timers(), 0)
})

test('when switched off, no summary is made', async () => {
  const { ports, model, remember, summaryOf } = await setUp(undefined, { config: { enabled: false } })
  await talk(ports, 12)
  remember(2)
  await ports.clock.advance(0)
  assert.deepEqual([model.requests.length, await summaryOf()], [0, undefined])
})

test('without a vendor’s model the summary is extracted, free of charge', async () => {
  const { ports, rows, remember, summaryOf } = await setUp(undefined, { withoutModel: true })
  await talk(ports, 12)
  remember(2)
  await ports.clock.advance(0)
  const summary = await summaryOf()
  assert.match(summary?.text ?? '', /^質問1。 → 答え1。\n[^]*質問6。 → 答え6。$/u)
  assert.ok(genericCounter.text(summary?.text ?? '') <= 150)
  assert.deepEqual(rows, [])
})

test('while the model’s lane is open no summary is made, and nothing is held or booked', async () => {
  const { ports, model, rows, remember, summaryOf } = await setUp()
  await talk(ports, 12)
  await ports.lanes.operate(laneOf(testConfig, 'embedded'), 'force-open', 'test')
  remember(2)
  await ports.clock.advance(0)
  assert.deepEqual([await summaryOf(), model.requests.length, rows.length], [undefined, 0, 0])
})

test('at a full lane no summary is made; the next turn of the conversation gets one as soon as there is room', async () => {
  const { ports, model, remember, summaryOf } = await setUp()
  await talk(ports, 12)
  const lane = laneOf(testConfig, 'embedded')
  let isFull = true
  const { permit } = ports.lanes
  ports.lanes.permit = async (name, ask) => (isFull ? { kind: 'refused', why: 'saturated' } : permit(name, ask))
  remember(2)
  await ports.clock.advance(1000)
  assert.deepEqual([await summaryOf(), model.requests.length], [undefined, 0])
  isFull = false
  remember(2)
  await ports.clock.advance(1000)
  assert.equal((await summaryOf())?.upTo, 6)
  assert.equal(ports.lanes.seen(lane).inFlight, 0)
})

test('a summary call reports to its lane, and returns its permit', async () => {
  const { ports, remember } = await setUp()
  await talk(ports, 12)
  remember(2)
  await ports.clock.advance(0)
  const { inFlight, recent } = await ports.lanes.peek(laneOf(testConfig, 'embedded'))
  assert.deepEqual([inFlight, recent.calls, recent.failures], [0, 1, 0])
})
