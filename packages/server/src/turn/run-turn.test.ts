// The pipeline of a turn over memory adapters: whatever breaks before the model, the shopper gets an answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Amounts } from '#domain/budget/quota.ts'
import { messageText } from '#domain/model/model-message.ts'
import { TurnAbort } from '#domain/turn/turn-abort.ts'
import type { TurnStart } from '#domain/turn/log-records.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { freeSpending } from '#fixtures/budgets/free-spending.ts'
import { plainEstimates } from '#fixtures/turns/estimates.ts'
import { testInvocation, UNSHARED } from '#fixtures/turns/invocation.ts'
import { fails, recordsOf, settleParts, testPorts, textIn, withVerbs } from '#fixtures/stores/ports.ts'
import type { TestPorts } from '#fixtures/stores/ports.ts'
import { sampleAsk, sampleSession } from '#fixtures/turns/samples.ts'
import { answering, scriptedModel } from '#fixtures/models/scripted-model.ts'
import { sampleAdmitted, sampleRung } from '#fixtures/turns/turns.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { NORMAL } from '#fixtures/turns/normal-settings.ts'
import { contextCircuits } from './context/circuits.ts'
import { createGather } from './context/gather.ts'
import { createLookUp } from './context/look-up.ts'
import { createCheckAnswer } from './answers/check-answer.ts'
import { createDeliver } from './delivery/deliver.ts'
import { createRoute } from './routing/route.ts'
import { createRunTurn } from './run-turn.ts'
import type { RunTurnParts } from './run-turn.ts'
import type { Admitted } from './turn.ts'
import { createBookLostCalls } from './settlement/book-lost-calls.ts'
import { createSettle } from './settlement/settle.ts'
import { createStreams } from './ownership/stream.ts'

async function setUp(over: Partial<RunTurnParts> = {}) {
  const ports = await testPorts()
  const config = testConfig
  const model = scriptedModel(ports.clock, answering('はい、', 'あります。'))
  const narrowed: Amounts[] = []
  const state = withVerbs(ports.budgets, {
    narrow(hold, to) {
      narrowed.push(to)
      return ports.budgets.narrow(hold, to)
    },
  })
  const runTurn = createRunTurn({
    clock: ports.clock,
    settings: NORMAL,
    gather: createGather({
      ...ports,
      circuits: contextCircuits({ ...ports, config }),
      config,
      lookUp: createLookUp({ ...ports, faq: ports.faq.entries(), contact: testConfig.store.contact }),
    }),
    route: createRoute({
      config,
      prompts: ports.prompts,
      rungs: new Map([['only', sampleRung(model)]]),
      ladder: ['only'],
      estimates: plainEstimates,
    }),
    join: async () => ({ lookup: UNSHARED, land: async () => {}, [Symbol.dispose]() {} }),
    invoke: testInvocation(ports.clock).invoke,
    deliver: createDeliver({ ...ports, config, check: createCheckAnswer(ports) }),
    settle: createSettle(settleParts(ports)),
    bookLostCalls: createBookLostCalls(settleParts(ports)),
    spending: freeSpending,
    streams: createStreams(ports.telemetry),
    budgets: state,
    estimates: plainEstimates,
    remember: () => {},
    ...over,
  })
  await ports.sessions.create(sampleSession())
  const ask = { inputTokens: 4000, outputTokens: 512, costMicroUsd: 0 }
  const answer = await ports.budgets.admit(sampleAsk({ sessionId: 'sess_1', ask }))
  assert.equal(answer.kind, 'granted')
  const scope = ports.telemetry.scope({ door: 'ws', name: 'chat' }).becomeTurn('turn_1')
  const admitted = { ...sampleAdmitted({ hold: answer.hold, message: '送料は？' }), scope }
  await ports.turnLog.open(admitted.start, 10_000)
  const outcome = async () => {
    const records = await recordsOf(ports.turnLog)
    const last = records.at(-1)
    assert.equal(last?.kind, 'turn-end')
    return { text: textIn(records), end: last.end, meta: records.find((record) => record.kind === 'meta')?.meta }
  }
  return { ports, model, narrowed, admitted, runTurn, outcome }
}

test('a question passes all stages to its settled answer', async () => {
  const { ports, admitted, runTurn, outcome } = await setUp()
  await runTurn(admitted, new AbortController())
  const { text, end } = await outcome()
  assert.deepEqual([text, end.finishReason, end.sessionVersion], ['はい、あります。', 'stop', 1])
  assert.equal(await ports.budgets.runningTurn(sampleSession()), undefined)
  assert.equal(ports.clock.timers(), 0)
})

test('each stage has a span, an attempt is a child of invocation, and the scope ends once with the turn’s outcome', async () => {
  const { ports, admitted, runTurn } = await setUp()
  await runTurn(admitted, new AbortController())
  const { spans } = ports.telemetry
  const nameOf = (id: string | undefined) => spans.find(({ trace }) => trace.spanId === id)?.name
  assert.deepEqual(
    spans.map(({ name, outcome, parentSpanId }) => [name, outcome, nameOf(parentSpanId)]),
    [
      ['context', 'completed', 'ws chat'],
      ['routing', 'completed', 'ws chat'],
      ['attempt', 'completed', 'invocation'],
      ['invocation', 'completed', 'ws chat'],
      ['delivery', 'completed', 'ws chat'],
      ['settlement', 'completed', 'ws chat'],
      ['ws chat', 'completed', undefined],
    ],
  )
  const [root] = ports.telemetry.ended
  assert.deepEqual([root?.attributes['turnId'], root?.attributes['finishReason']], ['turn_1', 'stop'])
  const attempt = spans.find(({ name }) => name === 'attempt')
  const { attributes = {} } = attempt ?? {}
  const { attempt: number, callOutcome, laneId, model, modelId } = attributes
  assert.deepEqual([number, model, modelId, laneId, callOutcome], [1, 'scripted', 'scripted', 'scripted', 'end'])
  assert.equal(root?.attributes['modelId'], 'scripted')
  const ended = ports.telemetry.logged.find(({ event }) => event === 'turn.ended')
  assert.deepEqual([ended?.within?.turnId, ended?.within?.trace.traceId], ['turn_1', admitted.scope.trace?.traceId])
})

test('before the model is asked, the hold is narrowed to what the prompt needs', async () => {
  const { admitted, runTurn, narrowed } = await setUp()
  await runTurn(admitted, new AbortController())
  assert.equal(narrowed.length, 1)
  assert.ok(narrowed[0] !== undefined && narrowed[0].inputTokens < 4000 && narrowed[0].outputTokens === 512)
})

test('the hold is narrowed while the permit is requested, and the model is asked after both', async () => {
  const ports = await testPorts()
  const { invoke, recorded } = testInvocation(ports.clock)
  const narrowing = Promise.withResolvers<boolean>()
  const state = withVerbs(ports.budgets, { narrow: () => narrowing.promise })
  const { admitted, runTurn, model } = await setUp({ budgets: state, invoke })
  const running = runTurn(admitted, new AbortController())
  await waitUntil('the permit is there', () => recorded.permits > 0)
  await new Promise(setImmediate)
  assert.equal(model.requests.length, 0)
  narrowing.resolve(true)
  await running
  assert.equal(model.requests.length, 1)
})

test('when gathering throws, the shopper still gets an answer, marked as degraded', async () => {
  const { ports, admitted, runTurn, outcome, model } = await setUp({ gather: fails })
  await runTurn(admitted, new AbortController())
  const { text, end, meta } = await outcome()
  assert.deepEqual([text, end.finishReason, meta?.tier], ['3,000円以上で無料です。', 'stop', 'faq'])
  assert.equal(meta?.degraded, true)
  assert.equal(model.requests.length, 0)
  assert.deepEqual(
    ports.telemetry.logged.filter(({ level }) => level === 'error').map(({ event }) => event),
    ['turn.prepare-failed'],
  )
  const outcomes = ports.telemetry.spans.map(({ name, outcome: ended }) => `${name} ${ended}`)
  assert.ok(outcomes.includes('context failed') && outcomes.includes('ws chat completed'), outcomes.join())
})

test('when routing throws, the shopper is still answered', async () => {
  const { admitted, runTurn, outcome } = await setUp({
    route() {
      throw new Error('defect')
    },
  })
  await runTurn(admitted, new AbortController())
  assert.equal((await outcome()).meta?.tier, 'faq')
})

test('without its hold a turn asks no model', async () => {
  const { ports, admitted, runTurn, outcome, model } = await setUp()
  await ports.budgets.release(admitted.start.hold)
  await runTurn(admitted, new AbortController())
  assert.equal(model.requests.length, 0)
  assert.equal((await outcome()).meta?.tier, 'faq')
})

test('a turn stopped before it began ends as stopped, without text', async () => {
  const { admitted, runTurn, outcome, model } = await setUp()
  const own = new AbortController()
  own.abort(new TurnAbort('stopped'))
  await runTurn(admitted, own)
  const { text, end } = await outcome()
  assert.deepEqual([text, end.finishReason, model.requests.length], ['', 'stopped', 0])
})

/**
 * The policy that turns of a tool might have: grounded like a chat, in one piece, in no conversation, and answered by a
 * model or not at all.
 */
const TOOL = { hasSession: false, mayFallBack: false, isStreamed: false, hasAnswerUsage: true } as const

test('a third kind of turn is a policy: it walks the same stages, and each does what the policy says', async () => {
  const { ports, admitted, runTurn, outcome, model } = await setUp()
  await runTurn({ ...admitted, policy: { ...admitted.policy, ...TOOL } }, new AbortController())
  const { text, end } = await outcome()
  assert.deepEqual([text, end.finishReason, end.sessionVersion], ['はい、あります。', 'stop', 0])
  assert.match(messageText(model.requests[0]?.messages.at(-1)), /^<data>/)
  assert.equal((await ports.sessions.find('sess_1'))?.version, 0)
  const ended = (await recordsOf(ports.turnLog)).find((record) => record.kind === 'text-end')
  assert.ok(ended?.outcome.answerUsage !== undefined)
})

test('a third kind of turn that no model answers has no other answer, where a chat has one', async () => {
  const { admitted, runTurn, outcome } = await setUp({ gather: fails })
  await runTurn({ ...admitted, policy: { ...admitted.policy, ...TOOL } }, new AbortController())
  const { text, end, meta } = await outcome()
  assert.deepEqual([text, end.finishReason, meta], ['', 'interrupted', undefined])
})

test('a turn that is not grounded gathers nothing', async () => {
  const { admitted, runTurn, outcome, model } = await setUp({ gather: fails })
  await runTurn({ ...admitted, policy: { ...admitted.policy, isGrounded: false } }, new AbortController())
  assert.equal((await outcome()).text, 'はい、あります。')
  assert.equal(messageText(model.requests[0]?.messages.at(-1)), '送料は？')
})

test('an answer that another owner began is continued to the same end, and both are charged', async () => {
  const { ports, admitted, runTurn, outcome } = await setUp()
  await ports.turnLog.append('turn_1', 1, [{ kind: 'text', offset: 0, text: 'はい、あ' }])
  const lost = {
    attempt: 1,
    model: 'scripted',
    tier: 'primary',
    usage: { inputTokens: 9, outputTokens: 4, estimated: true },
    costMicroUsd: 0,
    outcome: 'interrupted',
  } as const
  await runTurn({ ...admitted, begun: { text: 'はい、あ', attempts: [lost] } }, new AbortController())
  const { text, end } = await outcome()
  assert.deepEqual([text, end.finishReason, end.length], ['はい、あります。', 'stop', 8])
  const rows = await ports.ledger.ofTurn('turn_1')
  assert.deepEqual(
    rows.map(({ attempt, outcome: how }) => [attempt, how]),
    [
      [1, 'interrupted'],
      [2, 'end'],
    ],
  )
  assert.deepEqual(
    ports.telemetry.counted
      .filter(({ name }) => name === 'turn_stream_transitions_total')
      .map(({ fields }) => fields['to']),
    ['streaming', 'completing', 'completed'],
  )
})

test('a continuation that repeats the shown text and then differs ends as interrupted, with the shown text alone', async () => {
  const { ports, admitted, runTurn, outcome } = await setUp()
  const shown = 'はい、あります！在庫'
  await ports.turnLog.append('turn_1', 1, [{ kind: 'text', offset: 0, text: shown }])
  await runTurn({ ...admitted, begun: { text: shown, attempts: [] } }, new AbortController())
  const { text, end } = await outcome()
  assert.deepEqual([text, end.finishReason, end.failure], [shown, 'interrupted', 'misfit'])
})

test('settlement is retried until the store is available', async () => {
  const { ports, admitted, runTurn, outcome } = await setUp()
  const { record } = ports.ledger
  let failures = 3
  ports.ledger.record = (rows) => (failures-- > 0 ? fails() : record(rows))
  const running = runTurn(admitted, new AbortController())
  await ports.clock.advance(10_000)
  await running
  assert.equal((await outcome()).end.finishReason, 'stop')
  assert.equal((await ports.ledger.ofTurn('turn_1')).length, 1)
})

test('a turn that another node owns is not settled here', async () => {
  const { ports, admitted, runTurn } = await setUp()
  await ports.clock.advance(10_000)
  assert.equal(await ports.turnLog.takeOver('turn_1', 10_000), 2)
  await assert.rejects(runTurn(admitted, new AbortController()), TurnAbort)
  assert.deepEqual(await ports.ledger.ofTurn('turn_1'), [])
  assert.equal((await ports.sessions.find('sess_1'))?.version, 0)
})

/** Another node takes the turn over in time to ask a model. */
async function takenOver({ budgets, clock, turnLog }: TestPorts, { start }: Admitted): Promise<TurnStart> {
  await budgets.renew(start.hold, 60_000)
  await clock.advance(10_000)
  assert.equal(await turnLog.takeOver('turn_1', 10_000), 2)
  const now = clock.now()
  return { ...start, acceptedAt: now, deadlines: { firstWordBy: now + 25_000, endBy: now + 60_000 } }
}

test('when another node has taken a turn over, its lost owner books the call that the log does not have', async () => {
  const { ports, admitted, runTurn, model } = await setUp()
  const start = await takenOver(ports, admitted)
  await assert.rejects(runTurn({ ...admitted, start }, new AbortController()), TurnAbort)
  assert.equal(model.requests.length, 1)
  const rows = await ports.ledger.ofTurn('turn_1')
  assert.deepEqual(
    rows.map(({ attempt }) => attempt),
    [1],
  )
})

test('each owner of a turn numbers its calls in a range of its own', async () => {
  const { ports, admitted, runTurn } = await setUp()
  const start = await takenOver(ports, admitted)
  await runTurn({ ...admitted, start, epoch: 2, begun: { text: '', attempts: [] } }, new AbortController())
  const rows = await ports.ledger.ofTurn('turn_1')
  assert.deepEqual(
    rows.map(({ attempt }) => attempt),
    [1001],
  )
})

test('settlement is retried for as long as the log may come back, which is longer than a minute', async () => {
  const { ports, admitted, runTurn, outcome } = await setUp()
  const { record } = ports.ledger
  let isUnavailable = true
  ports.ledger.record = (rows) => (isUnavailable ? fails() : record(rows))
  const running = runTurn(admitted, new AbortController())
  await ports.clock.advance(75_000)
  isUnavailable = false
  await ports.clock.advance(5000)
  await running
  assert.equal((await outcome()).end.finishReason, 'stop')
})
