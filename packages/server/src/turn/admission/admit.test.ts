// Admits a question, or refuses it with a reason and at no cost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '#domain/refusal.ts'
import { tierLimits } from '#domain/budget/tier-limits.ts'
import { genericCounter } from '#domain/estimator/token-counter.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { fails, recordsOf, withVerbs } from '#fixtures/stores/ports.ts'
import { sampleSession, TODAY } from '#fixtures/turns/samples.ts'
import { GUEST, sampleReceived, STRANGER } from '#fixtures/turns/turns.ts'
import type { Received } from '../turn.ts'
import { admitOver, admitted, ceilingMicroUsd, refusal, setUpAdmission as setUp } from '#fixtures/turns/admission.ts'

test('an admitted question is durable: its log is open, its money is held, its new session exists', async () => {
  const { ports, admit, quota } = await setUp()
  const { start } = await admitted(admit, { message: '  泣ける\n漫画 ' + 'あ'.repeat(60) })
  assert.deepEqual(
    (await recordsOf(ports.turnLog, start.turnId)).map(({ kind }) => kind),
    ['start'],
  )
  const session = await ports.sessions.find(start.sessionId)
  assert.deepEqual([session?.principalId, session?.version], [GUEST.id, 0])
  assert.equal(session?.title, `泣ける 漫画 ${'あ'.repeat(33)}`)
  assert.equal(await ports.budgets.runningTurn({ id: start.sessionId, principalId: start.principal.id }), start.turnId)
  assert.equal((await quota()).reserved.outputTokens, 512)
})

test('the scope of the request becomes the turn’s, and its trace is in the first record', async () => {
  const { ports, admit } = await setUp()
  const scope = ports.telemetry.scope({ door: 'ws', name: 'chat', requestId: 'r1' })
  const turn = await admitted(admit, { scope })
  const [first] = await recordsOf(ports.turnLog, turn.start.turnId)
  assert.ok(first?.kind === 'start')
  assert.deepEqual(first.start.trace, scope.trace)
  scope.end('disconnected')
  assert.equal(ports.telemetry.ended.length, 0)
  turn.scope.end('completed')
  assert.deepEqual(ports.telemetry.ended[0]?.attributes, { door: 'ws', requestId: 'r1', turnId: turn.start.turnId })
})

test('a repeat leaves its scope to the door, and without a trace none is recorded', async () => {
  const { ports, admit } = await setUp()
  const { start } = await admitted(admit)
  assert.equal(start.trace, undefined)
  const scope = ports.telemetry.scope({ door: 'ws', name: 'chat' })
  assert.equal((await admit(sampleReceived({ scope }))).kind, 'duplicate')
  scope.end('completed')
  assert.equal(ports.telemetry.ended.length, 1)
})

test('the deadlines are those of the door', async () => {
  const { ports, admit } = await setUp()
  const now = ports.clock.now()
  const stream = await admitted(admit)
  const rest = await admitted(admit, { route: 'rest', message: 'other' })
  assert.deepEqual(stream.start.deadlines, { firstWordBy: now + 25_000, endBy: now + 120_000 })
  assert.deepEqual(rest.start.deadlines, { firstWordBy: now + 20_000, endBy: now + 25_000 })
})

test('the hold is the tier’s ceiling, or less when less was requested, never more', async () => {
  const { admit } = await setUp()
  const granted = async (over: Partial<Received>) => (await admitted(admit, over)).start.hold.granted
  assert.equal((await granted({ maxTokens: 100 })).outputTokens, 100)
  const { inputTokens, outputTokens, costMicroUsd: cost } = await granted({ maxTokens: 9999, message: 'other' })
  assert.deepEqual([inputTokens, outputTokens, cost], [4000, 512, ceilingMicroUsd(4000, 512)])
})

test('a double tap joins the same turn and holds nothing more', async () => {
  const { admit, quota } = await setUp()
  const { start } = await admitted(admit)
  assert.deepEqual(await admit(sampleReceived()), {
    kind: 'duplicate',
    turnId: start.turnId,
    sessionId: start.sessionId,
  })
  assert.equal((await quota()).reserved.outputTokens, 512)
})

test('keys of different principals are independent', async () => {
  const { admit } = await setUp()
  const mine = await admitted(admit, { idempotencyKey: 'k1' })
  const theirs = await admitted(admit, { idempotencyKey: 'k1', principal: STRANGER })
  assert.notEqual(mine.start.turnId, theirs.start.turnId)
})

test('the same key with another body is INVALID_REQUEST', async () => {
  const { admit } = await setUp()
  await admitted(admit, { idempotencyKey: 'k1' })
  const other = admit(sampleReceived({ idempotencyKey: 'k1', message: 'something else' }))
  await assert.rejects(other, refusal('INVALID_REQUEST', { field: 'idempotencyKey' }))
})

test('a second question during an answer is SESSION_BUSY and names the running turn', async () => {
  const { admit } = await setUp()
  const { start } = await admitted(admit)
  const second = admit(sampleReceived({ sessionId: start.sessionId, message: 'and another thing' }))
  await assert.rejects(second, refusal('SESSION_BUSY', { turnId: start.turnId }))
})

test('the eleventh question in a minute is RATE_LIMITED with the time to wait', async () => {
  const { ports, admit } = await setUp()
  for (let index = 0; index < 10; index += 1) {
    await admitted(admit, { message: `question ${index}` })
    await ports.clock.advance(1000)
  }
  await assert.rejects(admit(sampleReceived({ message: 'question 11' })), (error: unknown) => {
    assert.ok(error instanceof Refusal)
    assert.deepEqual(
      [error.code, error.details, error.retryAfterMs],
      ['RATE_LIMITED', { scope: 'requests-per-minute' }, 50_000],
    )
    assert.equal(error.quota?.requestsPerMinute.used, 10)
    return true
  })
})

test('a spent day’s budget is QUOTA_EXCEEDED until the day ends', async () => {
  const { ports, admit } = await setUp()
  const { start } = await admitted(admit)
  await ports.budgets.settle(start.hold, { inputTokens: 0, outputTokens: 50_000, costMicroUsd: 0 }, { claimMs: 0 })
  await assert.rejects(admit(sampleReceived({ message: 'more' })), (error: unknown) => {
    assert.ok(error instanceof Refusal)
    const resetsAt = isoTime(TODAY.endsAt)
    assert.deepEqual(
      [error.code, error.details],
      ['QUOTA_EXCEEDED', { scope: 'day-output', retryable: false, resetsAt }],
    )
    assert.equal(error.retryAfterMs, TODAY.endsAt - ports.clock.now())
    return true
  })
})

test('a spent session’s budget is QUOTA_EXCEEDED without a retry time, because waiting does not help', async () => {
  const { ports, admit } = await setUp()
  const { start } = await admitted(admit)
  await ports.budgets.settle(start.hold, { inputTokens: 50_000, outputTokens: 10, costMicroUsd: 0 }, { claimMs: 0 })
  await assert.rejects(admit(sampleReceived({ sessionId: start.sessionId, message: 'more' })), (error: unknown) => {
    assert.ok(error instanceof Refusal)
    assert.deepEqual(
      [error.code, error.details, error.retryAfterMs],
      ['QUOTA_EXCEEDED', { scope: 'session-input', retryable: false }, undefined],
    )
    return true
  })
})

test('another principal’s session is NOT_FOUND, like one that never existed', async () => {
  const { ports, admit, quota } = await setUp()
  await ports.sessions.create(sampleSession({ principalId: STRANGER.id }))
  for (const sessionId of ['sess_1', 'sess_none']) {
    await assert.rejects(admit(sampleReceived({ sessionId })), refusal('NOT_FOUND', { field: 'sessionId' }))
  }
  assert.equal((await quota()).requestsPerMinute.used, 0)
})

test('a session idle for more than a day is SESSION_EXPIRED', async () => {
  const { ports, admit } = await setUp()
  await ports.sessions.create(sampleSession())
  await ports.clock.advance(24 * 3_600_000)
  await admitted(admit, { sessionId: 'sess_1' })
  await ports.clock.advance(1)
  await assert.rejects(admit(sampleReceived({ sessionId: 'sess_1', message: 'late' })), refusal('SESSION_EXPIRED'))
})

test('an outdated baseVersion is VERSION_CONFLICT and releases everything', async () => {
  const { ports, admit, quota } = await setUp()
  await ports.sessions.create(sampleSession())
  const conflict = admit(sampleReceived({ sessionId: 'sess_1', baseVersion: 3 }))
  await assert.rejects(conflict, refusal('VERSION_CONFLICT', { field: 'baseVersion', version: 0 }))
  const { reserved, requestsPerMinute } = await quota()
  assert.deepEqual([reserved.outputTokens, requestsPerMinute.used], [0, 0])
  assert.equal(await ports.budgets.runningTurn({ id: 'sess_1', principalId: 'guest_1' }), undefined)
  await admitted(admit, { sessionId: 'sess_1', baseVersion: 0 })
})

test('everything is released when the log cannot be opened, and the question can be sent again', async () => {
  const { ports, admit, quota } = await setUp()
  const broken = admitOver({ ...ports, turnLog: withVerbs(ports.turnLog, { open: fails }) })
  await assert.rejects(broken(sampleReceived()), /the store is down/)
  assert.equal((await quota()).reserved.outputTokens, 0)
  await admitted(admit)
})

test('a claim whose owner died before its log was open is undone and claimed again', async () => {
  const { ports, admit, quota } = await setUp()
  // The turn is granted, and then its owner stops.
  const dying = admitOver({ ...ports, turnLog: withVerbs(ports.turnLog, { open: () => new Promise<never>(() => {}) }) })
  void dying(sampleReceived())
  await ports.clock.advance(0)
  const again = admit(sampleReceived())
  await ports.clock.advance(9000)
  assert.equal((await again).kind, 'admitted')
  assert.equal((await quota()).reserved.outputTokens, 512)
})

test('a duplicate waits until its turn’s log is open', async () => {
  const { ports, admit } = await setUp()
  const slowOpen = withVerbs(ports.turnLog, {
    async open(start, leaseMs) {
      await ports.clock.sleep(300)
      return ports.turnLog.open(start, leaseMs)
    },
  })
  const first = admitOver({ ...ports, turnLog: slowOpen })(sampleReceived())
  await ports.clock.advance(0)
  const second = admit(sampleReceived())
  await ports.clock.advance(1000)
  assert.deepEqual([(await first).kind, (await second).kind], ['admitted', 'duplicate'])
})

test('an invalid message is refused before any lookup', async () => {
  const { ports, quota } = await setUp()
  const admit = admitOver({ ...ports, sessions: withVerbs(ports.sessions, { find: fails }) })
  await assert.rejects(admit(sampleReceived({ message: '', sessionId: 'sess_1' })), refusal('INVALID_REQUEST'))
  assert.equal((await quota()).requestsPerMinute.used, 0)
})

test('without the session store a question is still admitted, and marked as unsaved', async () => {
  const { ports } = await setUp()
  await ports.sessions.create(sampleSession())
  const unavailable = admitOver({ ...ports, sessions: withVerbs(ports.sessions, { find: fails, create: fails }) })
  const known = await admitted(unavailable, { sessionId: 'sess_1', baseVersion: 7 })
  assert.deepEqual([known.start.sessionId, known.start.unsaved], ['sess_1', 'unchecked'])
  const begun = await admitted(unavailable, { message: 'another' })
  assert.equal(begun.start.unsaved, 'new')
  assert.notEqual(await ports.turnLog.start(begun.start.turnId), undefined)
})

test('the owner of a session stays unchecked when the store comes back during admission', async () => {
  const { ports } = await setUp()
  await ports.sessions.create(sampleSession({ principalId: STRANGER.id }))
  let reads = 0
  const sessions = withVerbs(ports.sessions, {
    find: (id) => ((reads += 1) === 1 ? fails() : ports.sessions.find(id)),
  })
  const { start } = await admitted(admitOver({ ...ports, sessions }), { sessionId: 'sess_1' })
  assert.equal(start.unsaved, 'unchecked')
})

test('a guest’s turn holds amounts of its networks too, and a conflict or a failed log releases all of them', async () => {
  const { ports, admit } = await setUp()
  const { start } = await admitted(admit, { network: 'net_1' })
  assert.deepEqual([start.networkHold?.principalId, start.networkHold?.granted], ['net_1', start.hold.granted])
  await ports.sessions.create(sampleSession())
  const left = async () => {
    const of = ['net_2', 'net_wide', GUEST.id].map((id) =>
      ports.budgets.quota(id, tierLimits(testConfig, 'free'), TODAY),
    )
    return (await Promise.all(of)).map(({ reserved, requestsPerMinute }) => [
      reserved.outputTokens,
      requestsPerMinute.used,
    ])
  }
  const before = await left()
  const network = 'net_2.net_wide'
  const outdated = { sessionId: 'sess_1', baseVersion: 3, network, message: 'another' }
  await assert.rejects(admit(sampleReceived(outdated)), refusal('VERSION_CONFLICT'))
  assert.deepEqual(await left(), before)
  const unopened = admitOver({ ...ports, turnLog: withVerbs(ports.turnLog, { open: fails }) })
  await assert.rejects(unopened(sampleReceived({ network, message: 'a third' })), /the store is down/)
  assert.deepEqual(await left(), before)
  const { start: wider } = await admitted(admit, { network, message: 'a fourth' })
  assert.deepEqual([wider.networkHold?.principalId, wider.wideNetwork], ['net_2', 'net_wide'])
})

test('a message of 5,000 Japanese characters is admitted, and the hold covers its guarded estimate', async () => {
  const { admit, quota } = await setUp()
  const message = '某古書店絶版漫画全巻捜索願。'.repeat(400).slice(0, 5000)
  const { start } = await admitted(admit, { message })
  const ceiling = genericCounter.text(message) + testConfig.tokens.systemShare + testConfig.tokens.safetyShare
  assert.ok(ceiling > testConfig.tokens.inputPerRequestMax)
  assert.equal(start.hold.granted.inputTokens, Math.ceil(ceiling * 1.2))
  assert.equal((await quota()).reserved.inputTokens, Math.ceil(ceiling * 1.2))
  const short = await admitted(admit, { message: '泣ける漫画' })
  assert.equal(short.start.hold.granted.inputTokens, testConfig.tokens.inputPerRequestMax)
})

test('the page, the language of the interface and an explicit wish are in the first record', async () => {
  const { ports, admit } = await setUp()
  const page = { productId: 'berserk', path: '/series/berserk' }
  const { start } = await admitted(admit, { message: '😀', interfaceLanguage: 'ja', page })
  assert.deepEqual([start.page, start.interfaceLanguage, start.language], [page, 'ja', 'ja'])
  assert.equal('languageWish' in start, false)
  const [first] = await recordsOf(ports.turnLog, start.turnId)
  assert.deepEqual(first?.kind === 'start' && first.start, start)
  const wished = await admitted(admit, { message: '在庫は？', language: 'en', interfaceLanguage: 'ja' })
  assert.deepEqual([wished.start.languageWish, wished.start.language], ['en', 'en'])
})
