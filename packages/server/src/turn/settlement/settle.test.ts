// Settles a turn: once, however often it is run.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textMessage } from '#domain/model/model-message.ts'
import { tierLimits } from '#domain/budget/tier-limits.ts'
import type { Spend } from '#domain/budget/spend.ts'
import type { AttemptRecord } from '#domain/turn/log-records.ts'
import { TurnAbort } from '#domain/turn/turn-abort.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { fails, recordsOf, settleParts, testPorts, withVerbs } from '#fixtures/stores/ports.ts'
import type { TestPorts } from '#fixtures/stores/ports.ts'
import { NOON } from '#fixtures/time/manual-clock.ts'
import { sampleAsk, sampleOutcome, sampleSession, sampleStoredTurn, TODAY } from '#fixtures/turns/samples.ts'
import { GUEST, sampleAdmitted, sampleDelivered } from '#fixtures/turns/turns.ts'
import { createSettle } from './settle.ts'
import { plainScope } from '#ports/telemetry/plain-scope.ts'

const attempt = (over: Partial<AttemptRecord> = {}): AttemptRecord => ({
  attempt: 1,
  model: 'model-1',
  tier: 'primary',
  usage: { inputTokens: 100, outputTokens: 40, estimated: false },
  costMicroUsd: 900,
  outcome: 'end',
  ...over,
})

async function setUp(over: Partial<TestPorts> = {}) {
  const ports = { ...(await testPorts()), ...over }
  await ports.sessions.create(sampleSession())
  const answer = await ports.budgets.admit(sampleAsk({ sessionId: 'sess_1', limits: tierLimits(testConfig, 'free') }))
  assert.equal(answer.kind, 'granted')
  const { start } = sampleAdmitted({ hold: answer.hold })
  await ports.turnLog.open(start, 10_000)
  const quota = () => ports.budgets.quota(GUEST.id, tierLimits(testConfig, 'free'), TODAY)
  const state = async () => ({
    session: await ports.sessions.find('sess_1'),
    turns: await ports.sessions.recentTurns('sess_1', 10),
    quota: await quota(),
    rows: await ports.ledger.ofTurn('turn_1'),
    records: await recordsOf(ports.turnLog),
    running: await ports.budgets.runningTurn({ id: 'sess_1', principalId: GUEST.id }),
  })
  const scope = plainScope(ports.telemetry)
  return { ports, scope, start, settle: createSettle(settleParts(ports)), state }
}

const twice = sampleOutcome({ attempts: [attempt({ outcome: 'timeout' }), attempt({ attempt: 2, tier: 'economy' })] })

test('session, budget and ledger have the turn, and its end agrees with them', async () => {
  const { settle, start, state } = await setUp()
  await settle(sampleDelivered({ start, outcome: twice }))
  const { session, turns, quota, rows, records, running } = await state()
  assert.deepEqual([session?.version, turns[0]?.answer, running], [1, 'hi', undefined])
  assert.deepEqual(quota.used, { inputTokens: 200, outputTokens: 80, costMicroUsd: 1800 })
  assert.equal(quota.reserved.outputTokens, 0)
  assert.deepEqual(
    rows.map((row) => [row.attempt, row.tier, row.outcome, row.day]),
    [
      [1, 'primary', 'timeout', TODAY.key],
      [2, 'economy', 'end', TODAY.key],
    ],
  )
  const last = records.at(-1)
  assert.equal(last?.kind, 'turn-end')
  assert.deepEqual(last.end.usage, { inputTokens: 200, outputTokens: 80, estimated: false })
  assert.deepEqual([last.end.costMicroUsd, last.end.sessionVersion], [1800, 1])
  assert.deepEqual(last.end.timings, { ttftMs: 100, totalMs: 200, tokensPerSecond: 800 })
})

test('a caller’s end has the usage of its answer, and every call is charged and booked', async () => {
  const { settle, start, state } = await setUp()
  const answerUsage = { inputTokens: 60, outputTokens: 25, estimated: false }
  await settle(sampleDelivered({ start, outcome: { ...twice, answerUsage } }))
  const { quota, rows, records } = await state()
  assert.deepEqual(quota.used, { inputTokens: 200, outputTokens: 80, costMicroUsd: 1800 })
  assert.equal(rows.length, 2)
  const last = records.at(-1)
  assert.ok(last?.kind === 'turn-end')
  assert.deepEqual([last.end.usage, last.end.costMicroUsd], [answerUsage, 1800])
})

test('a caller’s own prompt is charged and booked, and stored in no conversation', async () => {
  const { ports, start, settle, state } = await setUp()
  const completion = { system: '', messages: [textMessage('user', 'hi')], models: ['only'] } as const
  await settle(
    sampleDelivered({
      start: { ...start, kind: 'completion', completion },
      outcome: sampleOutcome({ attempts: [attempt()] }),
    }),
  )
  const { turns, rows, quota } = await state()
  assert.deepEqual([turns.length, rows.length, quota.used.costMicroUsd], [0, 1, 900])
  assert.equal((await ports.turnRecords.find('turn_1'))?.kind, 'completion')
})

test('a second settlement changes nothing', async () => {
  const { settle, start, state } = await setUp()
  await settle(sampleDelivered({ start, outcome: twice }))
  const before = await state()
  await assert.rejects(settle(sampleDelivered({ start, outcome: twice })), TurnAbort)
  assert.deepEqual(await state(), before)
})

test('nothing is booked for a turn of another owner, or before its text is in the shared log', async () => {
  const { ports, start, state } = await setUp()
  const before = await state()
  for (const [confirm, refused] of [
    [async () => false, TurnAbort],
    [fails, /the store is down/],
  ] as const) {
    const settle = createSettle(settleParts({ ...ports, turnLog: withVerbs(ports.turnLog, { confirm }) }))
    await assert.rejects(settle(sampleDelivered({ start, outcome: twice })), refused)
    assert.deepEqual(await state(), before)
  }
})

test('a settlement that broke halfway is finished by the next run, and nothing counts twice', async () => {
  const { ports, start, state } = await setUp()
  const broken = createSettle(settleParts({ ...ports, ledger: withVerbs(ports.ledger, { record: fails }) }))
  await assert.rejects(broken(sampleDelivered({ start, outcome: twice })), /the store is down/)
  assert.notEqual((await state()).records.at(-1)?.kind, 'turn-end')
  await createSettle(settleParts(ports))(sampleDelivered({ start, outcome: twice }))
  const { quota, rows, turns, records } = await state()
  assert.deepEqual([quota.used.outputTokens, rows.length, turns.length, records.at(-1)?.kind], [80, 2, 1, 'turn-end'])
})

test('a turn is appended at the session’s current version when that has changed meanwhile', async () => {
  const { ports, scope, settle, start, state } = await setUp()
  await ports.sessions.append('sess_1', 0, sampleStoredTurn({ turnId: 'turn_other' }))
  await settle(sampleDelivered({ start, scope }))
  const { session, turns, records } = await state()
  assert.equal(session?.version, 2)
  assert.deepEqual(
    turns.map(({ turnId }) => turnId),
    ['turn_other', 'turn_1'],
  )
  const last = records.at(-1)
  assert.ok(last?.kind === 'turn-end' && last.end.sessionVersion === 2)
  assert.deepEqual(
    ports.telemetry.counted.map(({ name }) => name),
    ['session_version_conflict_total'],
  )
})

test('the append is given up when the version always changes, and the turn still ends', async () => {
  const ports = await testPorts()
  let version = 0
  const sessions = withVerbs(ports.sessions, { append: async () => ({ kind: 'conflict', version: (version += 1) }) })
  const { settle, start, state } = await setUp({ sessions })
  await settle(sampleDelivered({ start }))
  assert.equal((await state()).records.at(-1)?.kind, 'turn-end')
  assert.equal(version, 20)
})

test('a session deleted meanwhile is not restored, and the turn is still settled', async () => {
  const { ports, settle, start, state } = await setUp()
  await ports.sessions.remove('sess_1')
  await settle(sampleDelivered({ start, outcome: twice }))
  const { session, quota, rows, records } = await state()
  assert.equal(session, undefined)
  assert.deepEqual([quota.used.outputTokens, rows.length, records.at(-1)?.kind], [80, 2, 'turn-end'])
})

test('an answer without a model has a ledger row without use', async () => {
  const { settle, start, state } = await setUp()
  await settle(sampleDelivered({ start, outcome: sampleOutcome({ tier: 'faq', model: 'faq' }) }))
  const { rows, quota } = await state()
  assert.deepEqual(
    rows.map((row) => [row.attempt, row.tier, row.costMicroUsd]),
    [[0, 'faq', 0]],
  )
  assert.equal(quota.used.outputTokens, 0)
})

test('an estimate anywhere makes the total an estimate', async () => {
  const { settle, start, state } = await setUp()
  const guessed = attempt({ attempt: 2, usage: { inputTokens: 1, outputTokens: 1, estimated: true } })
  await settle(sampleDelivered({ start, outcome: sampleOutcome({ attempts: [attempt(), guessed] }) }))
  const { records, rows } = await state()
  const last = records.at(-1)
  assert.ok(last?.kind === 'turn-end' && last.end.usage.estimated)
  assert.deepEqual(
    rows.map((row) => row.estimated),
    [false, true],
  )
})

test('a call that was left for another model is the shop’s: the allowance and the end have the one that answered', async () => {
  const { ports, scope, start, state } = await setUp()
  const spent: [string, string, number][] = []
  const spending = {
    settle: ({ id, microUsd, spender }: Spend) => void spent.push([id, spender, microUsd]),
  }
  const settle = createSettle({ ...settleParts(ports), spending })
  const attempts = [
    attempt({ outcome: 'cancelled', paidBy: 'shop' }),
    attempt({ attempt: 2, tier: 'economy', costMicroUsd: 50 }),
  ]
  await settle({ ...sampleDelivered({ start, outcome: sampleOutcome({ attempts }) }), scope })
  const { quota, rows, records } = await state()
  assert.deepEqual(quota.used, { inputTokens: 100, outputTokens: 40, costMicroUsd: 50 })
  assert.deepEqual(
    rows.map(({ attempt: number, costMicroUsd, principalId, sessionId }) => [
      number,
      principalId,
      sessionId,
      costMicroUsd,
    ]),
    [
      [1, 'shop', 'left-call', 900],
      [2, GUEST.id, 'sess_1', 50],
    ],
  )
  const end = records.at(-1)
  assert.equal(end?.kind === 'turn-end' && end.end.costMicroUsd, 50)
  // The ceilings have both.
  assert.deepEqual(spent, [
    ['turn_1', 'guest', 50],
    ['turn_1:beside', 'shop', 900],
  ])
})

test('the times of a call and the words of its vendor are not in the ledger', async () => {
  const { settle, start, state } = await setUp()
  const story = { startedAt: 1, tookMs: 2, firstWordMs: 1, reasoningTokens: 5, fault: { status: 401 } }
  await settle(sampleDelivered({ start, outcome: sampleOutcome({ attempts: [attempt(story)] }) }))
  const [row = {}] = (await state()).rows
  for (const field of Object.keys(story)) assert.ok(!(field in row), field)
})

test('use beyond the hold counts as an overage, flagged in the turn’s last row', async () => {
  const { ports, scope, settle, start, state } = await setUp()
  const overshot = attempt({ attempt: 2, usage: { inputTokens: 100, outputTokens: 600, estimated: false } })
  await settle(sampleDelivered({ start, scope, outcome: sampleOutcome({ attempts: [attempt(), overshot] }) }))
  assert.deepEqual(
    ports.telemetry.counted.map(({ name }) => name).filter((name) => name.startsWith('budget_')),
    ['budget_overage_total'],
  )
  assert.deepEqual(
    (await state()).rows.map(({ overage }) => overage),
    [undefined, true],
  )
})

test('an overage is in the ledger even when the node died between budget and ledger', async () => {
  const { ports, start, state } = await setUp()
  const overshot = attempt({ usage: { inputTokens: 100, outputTokens: 600, estimated: false } })
  const delivered = sampleDelivered({ start, outcome: sampleOutcome({ attempts: [overshot] }) })
  const broken = createSettle(settleParts({ ...ports, ledger: withVerbs(ports.ledger, { record: fails }) }))
  await assert.rejects(broken(delivered), /the store is down/)
  await createSettle(settleParts(ports))(delivered)
  assert.deepEqual(
    (await state()).rows.map(({ overage }) => overage),
    [true],
  )
})

test('ledger rows have the user tier, the cache, the estimate by part and the version of the prompt', async () => {
  const { settle, start, state } = await setUp()
  const estimate = { system: 20, retrieval: 40, history: 10, message: 25, total: 104 }
  const call = attempt({ cacheReadTokens: 60, cacheWriteTokens: 8, estimate, prompt: 'bookseller-1.5f3a9c21' })
  await settle(sampleDelivered({ start, outcome: sampleOutcome({ attempts: [call] }) }))
  const [row] = (await state()).rows
  assert.deepEqual(
    [row?.userTier, row?.cacheReadTokens, row?.cacheWriteTokens, row?.estimate, row?.prompt],
    ['free', 60, 8, estimate, 'bookseller-1.5f3a9c21'],
  )
})

test('a user’s spending beyond the alarm is logged once, without the user', async () => {
  const { ports, scope, settle, start } = await setUp()
  const dear = attempt({ costMicroUsd: 10_000_001 })
  const delivered = sampleDelivered({ start, scope, outcome: sampleOutcome({ attempts: [dear] }) })
  await settle(delivered)
  await assert.rejects(settle(delivered), TurnAbort)
  const alarms = ports.telemetry.logged.filter(({ event }) => event === 'alarm.user-spend')
  assert.deepEqual(
    alarms.map(({ level, fields }) => [level, fields]),
    [['warn', { turnId: 'turn_1', day: start.hold.day.key, alarmMicroUsd: 10_000_000 }]],
  )
  assert.equal(ports.telemetry.counted.filter(({ name }) => name === 'alarm_user_spend_total').length, 1)
})

test('a turn without text has no time to first text', async () => {
  const { settle, start, state } = await setUp()
  await settle(
    sampleDelivered({ start, text: '', outcome: sampleOutcome({ firstWordAt: null, length: 0, endedAt: NOON + 50 }) }),
  )
  const last = (await state()).records.at(-1)
  assert.ok(last?.kind === 'turn-end')
  assert.deepEqual(last.end.timings, { ttftMs: null, totalMs: 50, tokensPerSecond: 0 })
})

test('a guest’s use is charged to the network’s account too, once', async () => {
  const { ports, settle, start } = await setUp()
  const limits = tierLimits(testConfig, 'free')
  const answer = await ports.budgets.admit(sampleAsk({ turnId: 'turn_1.net', principalId: 'net_1', limits }))
  assert.ok(answer.kind === 'granted')
  const delivered = sampleDelivered({ start: { ...start, networkHold: answer.hold }, outcome: twice })
  await settle(delivered)
  await assert.rejects(settle(delivered), TurnAbort)
  const { used, reserved } = await ports.budgets.quota('net_1', limits, TODAY)
  assert.deepEqual([used.costMicroUsd, reserved.costMicroUsd], [1800, 0])
})

test('a settled turn is recorded with its story, and the ledger has none of it', async () => {
  const { ports, start } = await setUp()
  const settle = createSettle(settleParts(ports))
  const [made = attempt()] = twice.attempts
  const began = { why: 'first', lane: 'primary@tokyo' } as const
  await settle(sampleDelivered({ start, outcome: sampleOutcome({ ...twice, attempts: [{ ...made, began }] }) }))
  const record = await ports.turnRecords.find('turn_1')
  assert.deepEqual([record?.kind, record?.node, record?.epoch], ['chat', 'node_1', 1])
  assert.deepEqual([record?.calls?.[0]?.why, record?.stages], ['first', { settlementMs: 0 }])
  const [row] = await ports.ledger.ofTurn('turn_1')
  assert.ok(row !== undefined && !('began' in row))
})

test('the turn has one log line with everything about it, and nothing personal', async () => {
  const { ports, scope, settle, start } = await setUp()
  const failed = attempt({
    usage: { inputTokens: 0, outputTokens: 0, estimated: false },
    costMicroUsd: 0,
    outcome: 'access-denied',
    fault: { status: 401 },
  })
  const spoke = attempt({ attempt: 2, cacheReadTokens: 30, reasoningTokens: 7, name: 'economy' })
  const story = {
    reason: 'access-denied',
    modelName: 'economy',
    missing: ['retrieval'],
    queuedMs: 250,
    deltas: 8,
    frames: 3,
  }
  const times = { firstWordAt: start.acceptedAt + 500, endedAt: start.acceptedAt + 1500 }
  const outcome = sampleOutcome({ attempts: [failed, spoke], isDegraded: true, ...story, ...times })
  await settle(sampleDelivered({ start, scope, outcome }))
  const lines = ports.telemetry.logged.filter(({ event }) => event === 'turn.ended')
  assert.equal(lines.length, 1)
  const fields = lines[0]?.fields ?? {}
  const expected = {
    turnId: start.turnId,
    clientRequestId: start.requestId,
    sessionId: start.sessionId,
    user: `acct_${start.principal.id.length}`,
    userTier: start.principal.tier,
    kind: 'chat',
    door: start.route,
    model: 'economy',
    reason: 'access-denied',
    degraded: true,
    missing: 'retrieval',
    inputTokens: 100,
    outputTokens: 40,
    cacheReadTokens: 30,
    reasoningTokens: 7,
    costMicroUsd: spoke.costMicroUsd,
    firstWordMs: 500,
    totalMs: 1500,
    queuedMs: 250,
    tokensPerSecond: 40,
    deltas: 8,
    frames: 3,
    attempts: 2,
    failedAttempts: 1,
    node: 'node_1',
    settledElsewhere: false,
  }
  for (const [field, value] of Object.entries(expected)) assert.equal(fields[field], value, field)
  const line = JSON.stringify(lines)
  assert.ok(!line.includes(start.principal.id) && !line.includes(start.message))
})

test('what a turn used and cost is counted once, however often it is settled, and so is its time', async () => {
  const { ports, scope, settle, start } = await setUp()
  const times = { firstWordAt: start.acceptedAt + 500, endedAt: start.acceptedAt + 1500, modelName: 'economy' }
  const outcome = sampleOutcome({ attempts: [attempt({ name: 'economy' })], ...times })
  const delivered = sampleDelivered({ start, scope, outcome })
  await settle(delivered)
  await settle(delivered).catch(() => {})
  const used = ports.telemetry.counted.filter(({ name }) => name.startsWith('model_'))
  assert.deepEqual(
    used.map(({ by, fields }) => [fields['model'], fields['kind'] ?? fields['payer'], by]),
    [
      ['economy', 'input', 100],
      ['economy', 'output', 40],
      ['economy', start.principal.kind, 900],
    ],
  )
  const { observed } = ports.telemetry
  const duration = observed.find(({ name }) => name === 'turn_duration_seconds')
  assert.deepEqual([duration?.value, duration?.fields['model'], duration?.fields['outcome']], [1.5, 'economy', 'stop'])
  assert.equal(observed.find(({ name }) => name === 'model_output_tokens_per_second')?.value, 40)
})
