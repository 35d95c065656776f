// Continues turns whose owner was lost, from their log alone.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { textMessage } from '#domain/model/model-message.ts'
import { recordedRoute } from '#domain/routing/route-choice.ts'
import { quotaView } from '#domain/budget/quota-view.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import type { TurnMeta } from '#domain/turn/log-records.ts'
import type { TurnStart } from '#domain/turn/log-records.ts'
import type { LogEntry } from '#ports/turn-log/port.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { plainEstimates } from '#fixtures/turns/estimates.ts'
import { recordsOf, settleParts, testPorts, withVerbs } from '#fixtures/stores/ports.ts'
import type { TestPorts } from '#fixtures/stores/ports.ts'
import { fullTurnRecord, sampleAsk, sampleOutcome, sampleSession } from '#fixtures/turns/samples.ts'
import type { StartChanges } from '#fixtures/turns/samples.ts'
import { PRICED, sampleAdmitted, sampleQuota } from '#fixtures/turns/turns.ts'
import { plainLimits } from '#fixtures/budgets/plain-limits.ts'
import { createRecover } from './recover.ts'
import { createSettle } from '../settlement/settle.ts'
import type { Admitted } from '../turn.ts'

const { leaseMs, holdMs } = testConfig.turns

function meta(over: Partial<TurnMeta> = {}): Extract<LogEntry, { readonly kind: 'meta' }> {
  const said = { tier: 'primary', model: 'model-1', degraded: false, confidence: 1 } as const
  return { kind: 'meta', meta: { ...said, products: [], quota: quotaView(sampleQuota()), ...over } }
}
const text = (said: string, offset = 0): LogEntry => ({ kind: 'text', offset, text: said })
const call = {
  kind: 'attempt-start' as const,
  attempt: {
    attempt: 1,
    model: 'model-1',
    tier: 'primary' as const,
    estimatedInputTokens: 70,
    offset: 0,
    prompt: 'bookseller-1.5f3a9c21',
  },
} satisfies LogEntry

async function setUp() {
  const ports = await testPorts()
  await ports.sessions.create(sampleSession())
  const leave = async (turn: StartChanges, ...entries: readonly LogEntry[]) => {
    const { start } = sampleAdmitted({ turnId: 'turn_1', ...turn })
    await ports.turnLog.open(start, leaseMs)
    if (entries.length > 0) await ports.turnLog.append(start.turnId, 1, entries)
  }
  /** Like `leave`, with its hold. */
  const leaveHeld = async (turnId: string, ...entries: readonly LogEntry[]) => {
    const answer = await ports.budgets.admit(sampleAsk({ turnId, sessionId: 'sess_1', leaseMs: holdMs }))
    assert.equal(answer.kind, 'granted')
    await leave({ turnId, hold: answer.hold }, ...entries)
  }
  const endOf = async (turnId = 'turn_1') => {
    const last = (await recordsOf(ports.turnLog, turnId)).at(-1)
    assert.equal(last?.kind, 'turn-end')
    return last
  }
  const resumed: Admitted[] = []
  const run = (admitted: Admitted) => void resumed.push(admitted)
  return { ports, leave, leaveHeld, endOf, resumed, recover: recoverOver(ports, { run }) }
}

const ANSWER_TOKENS = 80
const TYPICAL = { answerTokens: () => ANSWER_TOKENS }

function recoverOver(
  ports: TestPorts,
  over: { isOurs?: (turnId: string) => boolean; room?: () => number; run?: (admitted: Admitted) => void } = {},
) {
  const run = () => assert.fail('this turn cannot be continued')
  const settle = createSettle(settleParts(ports))
  const parts = {
    ...ports,
    config: testConfig,
    settle,
    priceOf: () => PRICED,
    estimates: plainEstimates,
    typical: TYPICAL,
  }
  const limits = plainLimits()
  return createRecover({ ...parts, principalLimits: limits, isOurs: () => false, room: () => 1000, run, ...over })
}

test('a turn lost during a hedge is booked with both calls, and its text belongs to the one that sent it', async () => {
  const { ports, leaveHeld, resumed, recover } = await setUp()
  const hedge = { ...call.attempt, attempt: 2, model: 'model-2', tier: 'economy', isHedge: true } as const
  const beside: LogEntry = { kind: 'attempt-start', attempt: hedge }
  await leaveHeld('turn_1', call, beside, meta({ model: 'model-2', tier: 'economy' }), text('進撃の巨人'))
  await ports.clock.advance(leaseMs)
  assert.equal(await recover(), 1)
  const lost = resumed[0]?.begun?.attempts ?? []
  assert.deepEqual(
    lost.map(({ attempt, model, outcome, paidBy, usage }) => [attempt, model, outcome, paidBy, usage.inputTokens]),
    [
      [1, 'model-1', 'interrupted', 'shop', 70],
      [2, 'model-2', 'interrupted', undefined, 70],
    ],
  )
  assert.deepEqual(
    lost.map(({ usage }) => usage.outputTokens),
    // The one without a word in full: what its vendor bills is not known.
    [ANSWER_TOKENS, 6],
  )
  // Recorded in the log: another takeover books neither again.
  const ends = (await recordsOf(ports.turnLog)).filter(({ kind }) => kind === 'attempt-end')
  assert.equal(ends.length, 2)
})

test('a turn whose owner was lost is continued from the shown text', async () => {
  const { ports, leaveHeld, resumed, recover } = await setUp()
  await leaveHeld('turn_1', call, meta(), text('進撃'), text('の巨人', 2))
  await ports.clock.advance(leaseMs)
  assert.equal(await recover(), 1)
  assert.deepEqual(
    resumed.map(({ epoch, start, begun }) => [epoch, start.turnId, begun?.text, begun?.meta?.model]),
    [[2, 'turn_1', '進撃の巨人', 'model-1']],
  )
  const [lost] = resumed[0]?.begun?.attempts ?? []
  assert.deepEqual([lost?.usage.inputTokens, lost?.usage.estimated, lost?.outcome], [70, true, 'interrupted'])
  assert.equal(lost?.prompt, 'bookseller-1.5f3a9c21')
  assert.equal(await ports.budgets.runningTurn({ id: 'sess_1', principalId: 'guest_1' }), 'turn_1')
})

test('a turn lost before any text is run again', async () => {
  const { ports, leaveHeld, resumed, recover } = await setUp()
  await leaveHeld('turn_1')
  await ports.clock.advance(leaseMs)
  assert.equal(await recover(), 1)
  assert.deepEqual(resumed[0]?.begun, { text: '', attempts: [] })
})

test('a turn that is lost twice is booked once for each call, by number', async () => {
  const { ports, leaveHeld, resumed, recover } = await setUp()
  await leaveHeld('turn_1', call, meta(), text('進撃'))
  await ports.clock.advance(leaseMs)
  await recover()
  const again: LogEntry = { ...call, attempt: { ...call.attempt, attempt: 2, offset: 2 } }
  await ports.turnLog.append('turn_1', 2, [again, text('の巨人', 2)])
  await ports.clock.advance(leaseMs)
  await recover()
  assert.deepEqual(
    resumed[1]?.begun?.attempts.map(({ attempt, usage }) => [attempt, usage.inputTokens]),
    [
      [1, 70],
      [2, 70],
    ],
  )
})

test('ended calls are not estimated again', async () => {
  const { ports, leaveHeld, resumed, recover } = await setUp()
  const usage = { inputTokens: 1, outputTokens: 0, estimated: false }
  const record = { attempt: 1, model: 'model-1', tier: 'primary', usage, costMicroUsd: 3, outcome: 'timeout' } as const
  await leaveHeld('turn_1', call, { kind: 'attempt-end', record })
  await ports.clock.advance(leaseMs)
  await recover()
  assert.deepEqual(resumed[0]?.begun?.attempts, [record])
})

for (const [why, turn, waitMs] of [
  ['its time is over', {}, 120_000],
  ['its money is no longer held', {}, leaseMs],
  [
    'it was a caller’s own prompt, whose connection is gone',
    { completion: { system: '', messages: [textMessage('user', 'hi')], models: ['only'] } },
    leaseMs,
  ],
] as const) {
  test(`a turn that cannot be continued, because ${why}, ends as interrupted with the shown text`, async () => {
    const { ports, leave, endOf, recover } = await setUp()
    await leave(turn, call, meta(), text('進撃'), text('の巨人', 2))
    await ports.clock.advance(waitMs)
    assert.equal(await recover(), 1)
    const { end, epoch } = await endOf()
    assert.deepEqual([epoch, end.finishReason, end.length, end.model], [2, 'interrupted', 5, 'model-1'])
    assert.equal(end.sha256, createHash('sha256').update('進撃の巨人').digest('hex'))
    const [row] = await ports.ledger.ofTurn('turn_1')
    const tokens = plainEstimates.counterFor(['model-1']).text('進撃の巨人')
    assert.deepEqual([row?.estimated, row?.inputTokens, row?.outputTokens], [true, 70, tokens])
    assert.ok((row?.costMicroUsd ?? 0) > 0)
    const record = await ports.turnRecords.find('turn_1')
    assert.deepEqual(
      [record?.finishReason, record?.costMicroUsd, record?.kind, record?.epoch],
      ['interrupted', row?.costMicroUsd, 'completion' in turn ? 'completion' : 'chat', 2],
    )
  })
}

test('the record of an interrupted turn has the route that the log has, without exposures if the answer was cached', async () => {
  const route = recordedRoute(fullTurnRecord(), false)
  const { routing, weighed } = route
  for (const [entries, expected] of [
    [[{ ...call, route }], routing],
    [[{ ...call, route }, meta(), text('進撃')], routing],
    [[{ ...meta({ tier: 'cached', cached: true }), route }, text('進撃')], recordedRoute(route, true).routing],
  ] as const) {
    const { ports, leave, recover } = await setUp()
    await leave({}, ...entries)
    await ports.clock.advance(leaseMs)
    await recover()
    const record = await ports.turnRecords.find('turn_1')
    assert.deepEqual([record?.routing, record?.weighed], [expected, weighed])
  }
})

test('a turn that has brought down several owners is not given to another', async () => {
  const { ports, leaveHeld, endOf, resumed, recover } = await setUp()
  await leaveHeld('turn_1', meta(), text('進撃'))
  for (let owners = 1; owners <= 4; owners += 1) {
    await ports.clock.advance(leaseMs)
    await recover()
  }
  assert.equal(resumed.length, 3)
  assert.equal((await endOf()).end.finishReason, 'interrupted')
})

test('a turn that runs in this process stays with it, however long the process was paused', async () => {
  const { ports, leave } = await setUp()
  await leave({}, meta(), text('進撃'))
  await ports.clock.advance(leaseMs)
  assert.equal(await recoverOver(ports, { isOurs: (turnId) => turnId === 'turn_1' })(), 0)
  assert.ok(await ports.turnLog.renew('turn_1', 1, leaseMs))
})

test('one scan takes over all orphans', async () => {
  const { ports, leave, recover } = await setUp()
  for (let index = 0; index < 250; index += 1) await leave({ turnId: `turn_${index}` }, meta(), text('進撃'))
  await ports.clock.advance(leaseMs)
  assert.equal(await recover(), 250)
  assert.deepEqual(await ports.turnLog.orphans(1), [])
})

test('a turn with complete text is only settled, with its own end', async () => {
  const { ports, leaveHeld, endOf, recover, resumed } = await setUp()
  const routing = { exposures: [{ experiment: 'prompt', arm: 'short' }], unit: 'guest_1' }
  const outcome = sampleOutcome({ finishReason: 'length', routing })
  await leaveHeld('turn_1', meta(), text('hi'), { kind: 'text-end', outcome })
  await ports.clock.advance(leaseMs)
  assert.equal(await recover(), 1)
  assert.equal((await endOf()).end.finishReason, 'length')
  assert.deepEqual(resumed, [])
  assert.equal((await recordsOf(ports.turnLog)).filter(({ kind }) => kind === 'text-end').length, 1)
  assert.deepEqual((await ports.turnRecords.find('turn_1'))?.routing, routing)
})

test('a cut FAQ answer is charged to no model', async () => {
  const { ports, leave, recover } = await setUp()
  await leave({}, meta({ tier: 'faq', model: 'faq', degraded: true }), text('3,000円以上で'))
  await ports.clock.advance(leaseMs)
  await recover()
  assert.deepEqual(
    (await ports.ledger.ofTurn('turn_1')).map((row) => [row.attempt, row.tier, row.outputTokens]),
    [[0, 'faq', 0]],
  )
})

test('a text written in one piece keeps its end, even when the turn cannot be continued', async () => {
  const { ports, leave, endOf, recover } = await setUp()
  await leave({}, meta({ tier: 'message', model: 'message', degraded: true, reason: 'deferred' }), text('承りました。'))
  await ports.clock.advance(leaseMs)
  await recover()
  assert.equal((await endOf()).end.finishReason, 'deferred')
})

test('a live owner’s turn and an ended one are not taken over', async () => {
  const { ports, leave, recover } = await setUp()
  await leave({}, meta(), text('hi'))
  await ports.clock.advance(leaseMs - 1)
  assert.equal(await recover(), 0)
  await ports.turnLog.renew('turn_1', 1, leaseMs)
  await ports.clock.advance(leaseMs - 1)
  assert.equal(await recover(), 0)
  assert.equal((await recordsOf(ports.turnLog)).length, 3)
  await ports.clock.advance(1)
  assert.deepEqual([await recover(), await recover()], [1, 0])
})

test('only as many turns are taken over as there is room for; the others stay for other nodes', async () => {
  const { ports, leave } = await setUp()
  for (const turnId of ['turn_1', 'turn_2', 'turn_3']) await leave({ turnId }, meta(), text('進撃'))
  await ports.clock.advance(leaseMs)
  let room = 2
  assert.equal(await recoverOver(ports, { room: () => room-- })(), 2)
  assert.equal((await ports.turnLog.orphans(10)).length, 1)
})

test('of two concurrent scans one takes a turn over', async () => {
  const { ports, leave, recover } = await setUp()
  await leave({}, meta(), text('hi'))
  await ports.clock.advance(leaseMs)
  const ended = await Promise.all([recover(), recoverOver(ports)()])
  assert.deepEqual(ended.toSorted(), [0, 1])
  assert.equal((await recordsOf(ports.turnLog)).filter(({ kind }) => kind === 'turn-end').length, 1)
  assert.equal((await ports.sessions.find('sess_1'))?.version, 1)
})

test('one damaged turn does not block the others', async () => {
  const { ports, leave, endOf } = await setUp()
  await leave({ turnId: 'turn_1' }, meta(), text('hi'))
  await leave({ turnId: 'turn_2' }, meta(), text('ho'))
  await ports.clock.advance(leaseMs)
  const turnLog = withVerbs(ports.turnLog, {
    read: async (turnId, afterSeq) => (turnId === 'turn_1' ? [] : ports.turnLog.read(turnId, afterSeq)),
  })
  assert.equal(await recoverOver({ ...ports, turnLog })(), 1)
  await endOf('turn_2')
  assert.deepEqual(
    ports.telemetry.logged.filter(({ level }) => level === 'error').map(({ event }) => event),
    ['turn.takeover-failed'],
  )
})

const TRACE = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', sampled: true }

test('a takeover has a trace of its own, with a link to that of the lost owner, and ends once', async () => {
  const { ports, leave, recover } = await setUp()
  await leave({ trace: TRACE }, meta(), text('進撃'))
  await ports.clock.advance(leaseMs)
  assert.equal(await recover(), 1)
  assert.deepEqual(
    ports.telemetry.ended.map(({ attributes, links, name, outcome, parentSpanId }) => {
      return [name, outcome, attributes['turnId'], attributes['requestId'], links, parentSpanId]
    }),
    [['takeover turn', 'completed', 'turn_1', 'req_1', [TRACE], undefined]],
  )
  assert.notEqual(ports.telemetry.ended[0]?.trace.traceId, TRACE.traceId)
  const [event] = ports.telemetry.ended[0]?.events ?? []
  assert.deepEqual([event?.name, event?.attributes], ['turn.taken-over', { epoch: 2, continued: false, textLength: 2 }])
  const logged = ports.telemetry.logged.find(({ event }) => event === 'turn.taken-over')
  assert.equal(logged?.within?.trace.traceId, ports.telemetry.ended[0]?.trace.traceId)
})

test('a turn that is run again is given the scope of its takeover, and a record without a trace has no link', async () => {
  const { ports, leaveHeld, recover, resumed } = await setUp()
  await leaveHeld('turn_1', meta(), text('進撃'))
  await ports.clock.advance(leaseMs)
  await recover()
  assert.deepEqual(ports.telemetry.ended, [])
  resumed[0]?.scope.end('completed')
  assert.deepEqual(
    ports.telemetry.ended.map(({ attributes, links }) => [attributes['turnId'], links]),
    [['turn_1', []]],
  )
})

test('a takeover that fails, or that another node made first, ends its scope', async () => {
  for (const [append, outcome] of [
    [async () => false, 'left'],
    [() => Promise.reject(new Error('the store is down')), 'failed'],
  ] as const) {
    const { ports, leave } = await setUp()
    await leave({}, meta(), text('進撃'))
    await ports.clock.advance(leaseMs)
    assert.equal(await recoverOver({ ...ports, turnLog: withVerbs(ports.turnLog, { append }) })(), 0)
    assert.deepEqual(
      ports.telemetry.ended.map((ended) => ended.outcome),
      [outcome],
    )
  }
})

test('a turn of a kind that only a newer version knows keeps its epoch, and other turns are taken over', async () => {
  const { ports, leave, recover, endOf } = await setUp()
  const newer = { ...sampleAdmitted({ turnId: 'turn_newer' }).start, kind: 'batch' } as unknown as TurnStart
  await ports.turnLog.open(newer, leaseMs)
  await leave({ turnId: 'turn_1' }, meta(), text('ho'))
  await ports.clock.advance(leaseMs)
  assert.equal(await recover(), 1)
  await endOf('turn_1')
  assert.equal(await ports.turnLog.takeOver('turn_newer', leaseMs), 2)
  assert.deepEqual(
    ports.telemetry.logged.filter(({ level }) => level === 'error'),
    [],
  )
})

test('a takeover that another owner settled first is left to it, and is no error', async () => {
  const { ports, leave } = await setUp()
  await leave({}, meta(), text('hi'))
  await ports.clock.advance(leaseMs)
  const turnLog = withVerbs(ports.turnLog, { confirm: async () => false })
  assert.equal(await recoverOver({ ...ports, turnLog })(), 0)
  assert.deepEqual(
    ports.telemetry.ended.map(({ outcome }) => outcome),
    ['left'],
  )
  assert.deepEqual(
    ports.telemetry.logged.filter(({ level }) => level === 'error'),
    [],
  )
})

test('a takeover ends its turn while conversations are unavailable, and notes that it is not written', async () => {
  const { ports, leaveHeld, endOf } = await setUp()
  const outcome = sampleOutcome()
  await leaveHeld('turn_1', meta(), text('hi'), { kind: 'text-end', outcome })
  await ports.clock.advance(leaseMs)
  const append = () => Promise.reject(new StoreUnavailable('no answer'))
  const recover = recoverOver({ ...ports, sessions: withVerbs(ports.sessions, { append }) })
  assert.equal(await recover(), 1)
  assert.equal((await endOf()).end.finishReason, outcome.finishReason)
  assert.deepEqual(await ports.turnLog.unwritten(0, 10), ['turn_1'])
})
