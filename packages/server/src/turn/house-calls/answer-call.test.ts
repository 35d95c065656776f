// Makes an answer for the cache: by the first model, once, at the shop's cost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freeSpending } from '#fixtures/budgets/free-spending.ts'
import { answering, failure, scriptedModel } from '#fixtures/models/scripted-model.ts'
import type { Script } from '#fixtures/models/scripted-model.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { Rejections } from '#domain/model/rejections.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { plainEstimates } from '#fixtures/turns/estimates.ts'
import { PRICED, sampleRouted, sampleRung } from '#fixtures/turns/turns.ts'
import { laneOf } from '#domain/lane/lanes-of.ts'
import { TypicalTimes } from '#domain/model/typical-times.ts'
import { queueDefaults } from '#domain/queue/fair-queue.ts'
import type { LedgerRow } from '#ports/ledger/port.ts'
import { createWaitingQueue } from '../invocation/waiting-queue.ts'
import type { Routed } from '../turn.ts'
import { createHouseCall } from './house-call.ts'
import { createCheckAnswer } from '../answers/check-answer.ts'
import { createAnswerCall } from './answer-call.ts'

async function setUp(script: Script) {
  const ports = await testPorts()
  const rows: LedgerRow[] = []
  const learnt: number[] = []
  const houseCall = createHouseCall({
    ...ports,
    rejections: new Rejections(ports.clock),
    ledger: { record: async (added) => void rows.push(...added) },
    queue: createWaitingQueue({ ...ports, settings: queueDefaults }),
    estimates: plainEstimates,
    spending: freeSpending,
    config: testConfig,
  })
  const model = scriptedModel(ports.clock, script, 'big')
  const rung = sampleRung(model, { lane: laneOf(testConfig, 'embedded'), price: PRICED })
  const estimates = { observe: (_model: string, _prompt: unknown, tokens: number) => void learnt.push(tokens) }
  const typical = new TypicalTimes(ports.clock)
  const check = createCheckAnswer(ports)
  const call = createAnswerCall({
    ...ports,
    houseCall,
    estimates,
    typical,
    config: testConfig,
    check,
    firstOf: () => rung,
  })
  return { model, rung, rows, learnt, refresh: (routed: Routed) => call(routed, { purpose: 'refresh' }), call }
}

/** A prompt that was not shortened. */
function whole(over: Parameters<typeof sampleRouted>[0]) {
  const routed = sampleRouted(over)
  const { hold } = routed.start
  const granted = { ...hold.granted, inputTokens: testConfig.tokens.inputPerRequestMax }
  return { ...routed, start: { ...routed.start, hold: { ...hold, granted } } }
}

test('the answer is complete, booked under its own session, and its usage teaches the estimator', async () => {
  const { rung, rows, learnt, refresh } = await setUp(answering('あり', 'ます。'))
  const made = await refresh(whole({ ladder: [rung] }))
  assert.ok(made.kind === 'answered')
  assert.deepEqual([made.text, made.outcome.finishReason, made.outcome.attempts.length], ['あります。', 'stop', 1])
  assert.deepEqual(
    rows.map(({ sessionId, outcome, principalId }) => [sessionId, outcome, principalId]),
    [['refresh', 'refresh', 'shop']],
  )
  assert.deepEqual(learnt, [rows[0]?.inputTokens])
})

test('a model that fails is asked once and gives no answer', async () => {
  const { model, rung, rows, refresh } = await setUp([failure('unavailable')])
  assert.deepEqual(await refresh(whole({ ladder: [rung] })), { kind: 'unanswered' })
  assert.deepEqual([model.requests.length, rows.length], [1, 0])
})

test('an answer that could not be cached is not requested', async () => {
  const { model, rung, refresh } = await setUp(answering('はい'))
  assert.deepEqual(await refresh(sampleRouted({ ladder: [] })), { kind: 'unanswered' })
  assert.deepEqual(await refresh({ ...whole({ ladder: [rung] }), cutShort: ['history'] }), { kind: 'unanswered' })
  assert.equal(model.requests.length, 0)
})

test('what the store contradicts is in the outcome, so that the answer is not cached', async () => {
  const { rung, refresh } = await setUp(answering('『鬼滅の刃』は1巻600円です。'))
  const made = await refresh(whole({ ladder: [rung] }))
  assert.ok(made.kind === 'answered')
  assert.deepEqual(made.outcome.mismatches, [{ kind: 'price', productId: 'kimetsu-no-yaiba' }])
})

test('a purpose without budget asks no model, and says why', async () => {
  const { model, rung, rows, call } = await setUp(answering('はい'))
  const cap = { hold: async () => undefined }
  assert.deepEqual(await call(whole({ ladder: [rung] }), { purpose: 'prewarm', cap }), { kind: 'skipped', why: 'cap' })
  assert.deepEqual([model.requests.length, rows.length], [0, 0])
})
