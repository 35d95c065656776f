// The contract of budgets. `make` returns an empty store and its clock.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleAsk, sampleLimits, TODAY } from '#fixtures/turns/samples.ts'
import { amounts, GENEROUS, granted, guests, NOTHING, quotaOf } from '#fixtures/budgets/budgets.ts'
import type { MakeBudgets } from '#fixtures/budgets/budgets.ts'
import { budgetsHoldContract } from './holds.contract.ts'
import { budgetsCarryOverContract } from './carry-over.contract.ts'
import { budgetsResetContract } from './reset.contract.ts'

export function budgetsContract(name: string, make: MakeBudgets): void {
  admitting(name, make)
  repeating(name, make)
  claiming(name, make)
  limitingRates(name, make)
  budgetsHoldContract(name, make)
  budgetsResetContract(name, make)
  budgetsCarryOverContract(name, make)
}

function admitting(name: string, make: MakeBudgets): void {
  test(`${name}: an admission holds the requested amounts and returns the quota`, async (context) => {
    const { budgets: state } = await make(context)
    const answer = await state.admit(sampleAsk())
    assert.deepEqual(answer, {
      kind: 'granted',
      hold: {
        id: 'turn_1',
        principalId: 'guest_1',
        sessionId: 'sess_of_turn_1',
        day: TODAY,
        granted: amounts(1000, 500, 10_000),
      },
      quota: {
        tier: 'free',
        resetsAt: TODAY.endsAt,
        used: NOTHING,
        reserved: amounts(1000, 500, 10_000),
        limit: sampleLimits().day,
        requestsPerMinute: { used: 1, limit: 10, resetMs: 60_000 },
        conversation: { used: { inputTokens: 0, outputTokens: 0 }, limit: sampleLimits().session },
      },
    })
    assert.ok(answer.kind === 'granted')
    const { conversation: _, ...ofDay } = answer.quota
    assert.deepEqual(await quotaOf(state), ofDay)
    assert.equal(await state.runningTurn(guests('sess_of_turn_1')), 'turn_1')
  })

  test(`${name}: one running turn per session: a second is refused with the id of the first`, async (context) => {
    const { budgets: state } = await make(context)
    const hold = await granted(state, { sessionId: 'sess_1' })
    const second = sampleAsk({ turnId: 'turn_2', sessionId: 'sess_1' })
    assert.deepEqual(await state.admit(second), { kind: 'session-busy', turnId: 'turn_1' })
    await state.settle(hold, NOTHING, { claimMs: 0 })
    assert.equal(await state.runningTurn(guests('sess_1')), undefined)
    assert.equal((await state.admit(second)).kind, 'granted')
  })

  test(`${name}: of many concurrent admissions to one session one is granted`, async (context) => {
    const { budgets: state } = await make(context)
    const asks = Array.from({ length: 20 }, (_, index) =>
      sampleAsk({ turnId: `turn_${index}`, sessionId: 'sess_1', limits: GENEROUS }),
    )
    const answers = await Promise.all(asks.map((ask) => state.admit(ask)))
    assert.equal(answers.filter(({ kind }) => kind === 'granted').length, 1)
    assert.equal(answers.filter(({ kind }) => kind === 'session-busy').length, 19)
  })

  test(`${name}: principals do not share rates, budgets or keys`, async (context) => {
    const { budgets: state } = await make(context)
    await granted(state)
    const other = { turnId: 'turn_2', principalId: 'guest_2' }
    const idempotency = { ...sampleAsk().idempotency, fingerprint: 'another' }
    await granted(state, { ...other, idempotency })
    assert.deepEqual((await quotaOf(state, 'guest_2')).reserved, amounts(1000, 500, 10_000))
    assert.equal((await quotaOf(state, 'guest_2')).requestsPerMinute.used, 1)
    assert.equal((await quotaOf(state, 'guest_3')).requestsPerMinute.used, 0)
  })
}

function repeating(name: string, make: MakeBudgets): void {
  test(`${name}: repeating an admission gives the same hold and takes nothing again`, async (context) => {
    const { budgets: state } = await make(context)
    const first = await state.admit(sampleAsk())
    assert.deepEqual(await state.admit(sampleAsk()), first)
    assert.deepEqual(await state.admit(sampleAsk({ ask: amounts(1, 1, 1) })), first)
    assert.equal((await quotaOf(state)).requestsPerMinute.used, 1)
    await state.narrow(guests('turn_1'), amounts(10, 64, 0))
    const again = await state.admit(sampleAsk())
    assert.deepEqual(again.kind === 'granted' && again.hold, first.kind === 'granted' && first.hold)
  })

  test(`${name}: the same key and body is a duplicate of the running turn, another body is refused`, async (context) => {
    const { budgets: state } = await make(context)
    await granted(state, { sessionId: 'sess_1' })
    const { idempotency } = sampleAsk()
    const again = await state.admit(sampleAsk({ turnId: 'turn_2', idempotency }))
    assert.deepEqual(again, { kind: 'duplicate', turnId: 'turn_1', sessionId: 'sess_1' })
    const reused = { ...idempotency, fingerprint: 'another' }
    assert.deepEqual(await state.admit(sampleAsk({ turnId: 'turn_2', idempotency: reused })), { kind: 'key-reused' })
    assert.equal((await quotaOf(state)).requestsPerMinute.used, 1)
  })

  test(`${name}: a duplicate is recognised before the session's turn and the rates are checked`, async (context) => {
    const { budgets: state } = await make(context)
    const limits = sampleLimits({ requestsPerMinute: 1 })
    await granted(state, { sessionId: 'sess_1', limits })
    const again = sampleAsk({ turnId: 'turn_2', sessionId: 'sess_1', limits, idempotency: sampleAsk().idempotency })
    assert.equal((await state.admit(again)).kind, 'duplicate')
    const other = sampleAsk({ turnId: 'turn_3', sessionId: 'sess_1', limits })
    assert.equal((await state.admit(other)).kind, 'session-busy')
  })

  test(`${name}: of two concurrent taps one is granted and the other is its duplicate`, async (context) => {
    const { budgets: state } = await make(context)
    const { idempotency } = sampleAsk()
    const taps = ['turn_a', 'turn_b'].map((turnId) =>
      state.admit(sampleAsk({ turnId, sessionId: 'sess_1', idempotency })),
    )
    const answers = await Promise.all(taps)
    assert.deepEqual(answers[0]?.kind, 'granted')
    assert.deepEqual(answers[1], { kind: 'duplicate', turnId: 'turn_a', sessionId: 'sess_1' })
  })

  test(`${name}: a claim lasts the requested time, also when the turn ends sooner or its owner dies`, async (context) => {
    const { budgets: state, clock } = await make(context)
    const settled = await granted(state)
    await state.settle(settled, NOTHING)
    await granted(state, { turnId: 'turn_dies', leaseMs: 1000 })
    const again = (turnId: string) =>
      sampleAsk({ turnId: `${turnId}_again`, idempotency: sampleAsk({ turnId }).idempotency })
    await clock.advance(4999)
    assert.equal((await state.admit(again('turn_1'))).kind, 'duplicate')
    assert.equal((await state.admit(again('turn_dies'))).kind, 'duplicate')
    await clock.advance(1)
    assert.equal((await state.admit(again('turn_1'))).kind, 'granted')
    assert.equal((await state.admit(again('turn_dies'))).kind, 'granted')
  })

  test(`${name}: settlement can end a claim sooner or later than requested`, async (context) => {
    const { budgets: state, clock } = await make(context)
    const hold = await granted(state)
    const again = sampleAsk({ turnId: 'turn_2', idempotency: sampleAsk().idempotency })
    await state.settle(hold, NOTHING, { claimMs: 30_000 })
    await clock.advance(29_999)
    assert.equal((await state.admit(again)).kind, 'duplicate')
    await clock.advance(1)
    const second = await state.admit(again)
    assert.ok(second.kind === 'granted')
    await state.settle(second.hold, NOTHING, { claimMs: 1000 })
    await clock.advance(1000)
    assert.equal((await state.admit({ ...again, turnId: 'turn_3' })).kind, 'granted')
  })

  test(`${name}: a late settlement does not change a key that now belongs to another turn`, async (context) => {
    const { budgets: state, clock } = await make(context)
    const hold = await granted(state, { leaseMs: 1000 })
    await clock.advance(5000)
    const { idempotency } = sampleAsk()
    await granted(state, { turnId: 'turn_2', sessionId: 'sess_2', idempotency })
    await state.settle(hold, NOTHING, { claimMs: 0 })
    const third = await state.admit(sampleAsk({ turnId: 'turn_3', idempotency }))
    assert.deepEqual(third, { kind: 'duplicate', turnId: 'turn_2', sessionId: 'sess_2' })
  })
}

function claiming(name: string, make: MakeBudgets): void {
  const ask = sampleAsk()
  /** Granted by a node that could not reach this store. */
  const elsewhere = { id: 'turn_2', principalId: 'guest_1', sessionId: 'sess_2', day: TODAY, granted: ask.ask }
  const duplicate = { kind: 'duplicate', turnId: 'turn_2', sessionId: 'sess_2' } as const

  test(`${name}: looking up a key changes nothing`, async (context) => {
    const { budgets: state } = await make(context)
    assert.equal(await state.claimed(ask), undefined)
    await granted(state)
    assert.deepEqual(await state.claimed(ask), {
      kind: 'duplicate',
      turnId: 'turn_1',
      sessionId: 'sess_of_turn_1',
    })
    const other = { ...ask, idempotency: { ...ask.idempotency, fingerprint: 'another' } }
    assert.deepEqual(await state.claimed(other), { kind: 'key-reused' })
    assert.equal(await state.claimed({ ...ask, principalId: 'guest_2' }), undefined)
    await state.release(guests('turn_1'))
    assert.equal(await state.claimed(ask), undefined)
  })

  test(`${name}: a turn granted elsewhere claims its key, and is charged once when it is settled`, async (context) => {
    const { budgets: state, clock } = await make(context)
    await state.claim(elsewhere, ask.idempotency)
    await state.claim(elsewhere, ask.idempotency)
    assert.deepEqual(await state.admit(ask), duplicate)
    assert.deepEqual(await state.claimed(ask), duplicate)
    assert.deepEqual((await quotaOf(state)).reserved, NOTHING)
    assert.equal((await state.settle(elsewhere, amounts(10, 5, 100), { claimMs: 30_000 })).charged, true)
    assert.equal((await state.settle(elsewhere, amounts(10, 5, 100), { claimMs: 30_000 })).charged, false)
    assert.deepEqual((await quotaOf(state)).used, amounts(10, 5, 100))
    assert.deepEqual(await state.claimed(ask), duplicate)
    await clock.advance(30_000)
    assert.equal(await state.claimed(ask), undefined)
  })

  test(`${name}: a turn granted elsewhere takes over a key, and releasing one turn leaves the other`, async (context) => {
    const { budgets: state } = await make(context)
    await granted(state)
    await state.claim(elsewhere, ask.idempotency)
    await state.release(guests('turn_1'))
    assert.deepEqual(await state.claimed(ask), duplicate)
    await state.release(guests('turn_2'))
    assert.equal(await state.claimed(ask), undefined)
    assert.equal(
      (await state.settle(elsewhere, amounts(1, 1, 1), { claimMs: 0 })).charged,
      true,
      'what was spent is charged',
    )
  })
}

function limitingRates(name: string, make: MakeBudgets): void {
  test(`${name}: the user's rate refuses beyond its burst and returns when to retry`, async (context) => {
    const { budgets: state, clock } = await make(context)
    for (let index = 0; index < 5; index += 1) await granted(state, { turnId: `turn_${index}` })
    const ask = sampleAsk({ turnId: 'turn_more' })
    const refused = await state.admit(ask)
    assert.equal(refused.kind === 'rate-limited' && refused.scope, 'user-rate')
    const waitMs = refused.kind === 'rate-limited' ? refused.retryAfterMs : assert.fail()
    await clock.advance(waitMs - 1)
    assert.equal((await state.admit(ask)).kind, 'rate-limited')
    await clock.advance(1)
    assert.equal((await state.admit(ask)).kind, 'granted')
  })

  test(`${name}: requests per minute are a true sliding window`, async (context) => {
    const { budgets: state, clock } = await make(context)
    const limits = sampleLimits({ requestsPerMinute: 2 })
    await granted(state, { turnId: 'turn_1', limits })
    await clock.advance(59_000)
    await granted(state, { turnId: 'turn_2', limits })
    const third = sampleAsk({ turnId: 'turn_3', limits })
    const refused = await state.admit(third)
    assert.equal(refused.kind === 'rate-limited' && refused.scope, 'requests-per-minute')
    assert.equal(refused.kind === 'rate-limited' && refused.retryAfterMs, 1000)
    await clock.advance(1000)
    assert.equal((await state.admit(third)).kind, 'granted')
    const fourth = await state.admit(sampleAsk({ turnId: 'turn_4', limits }))
    assert.equal(fourth.kind === 'rate-limited' && fourth.retryAfterMs, 59_000)
  })

  test(`${name}: messages per day are refused until the day ends, and the next day starts at zero`, async (context) => {
    const { budgets: state } = await make(context)
    const limits = sampleLimits({ messagesPerDay: 2 })
    for (const turnId of ['turn_1', 'turn_2']) await granted(state, { turnId, limits })
    const refused = await state.admit(sampleAsk({ turnId: 'turn_3', limits }))
    assert.equal(refused.kind === 'rate-limited' && refused.scope, 'messages-per-day')
    assert.equal(refused.kind === 'rate-limited' && refused.retryAfterMs, 12 * 3_600_000)
    const day = { key: '2026-11-05', endsAt: TODAY.endsAt + 24 * 3_600_000 }
    assert.equal((await state.admit(sampleAsk({ turnId: 'turn_3', limits, day }))).kind, 'granted')
  })

  test(`${name}: a release returns the user's rate, unless it has refilled by itself`, async (context) => {
    const { budgets: state, clock } = await make(context)
    const limits = sampleLimits({ userRate: { perSecond: 1, burst: 2 } })
    const kindOf = async (turnId: string) => (await state.admit(sampleAsk({ turnId, limits }))).kind
    for (const turnId of ['turn_1', 'turn_2']) await granted(state, { turnId, limits, leaseMs: 60_000 })
    await state.release(guests('turn_1'))
    assert.deepEqual([await kindOf('turn_3'), await kindOf('turn_4')], ['granted', 'rate-limited'])
    await clock.advance(3000)
    assert.deepEqual([await kindOf('turn_5'), await kindOf('turn_6')], ['granted', 'granted'])
    await state.release(guests('turn_2'))
    assert.equal(await kindOf('turn_7'), 'rate-limited')
  })

  test(`${name}: a refusal takes nothing, not even from the rates`, async (context) => {
    const { budgets: state } = await make(context)
    const limits = sampleLimits({ requestsPerMinute: 3, messagesPerDay: 3 })
    const poor = sampleLimits({ ...limits, session: { inputTokens: 0, outputTokens: 0 } })
    for (let index = 0; index < 10; index += 1) {
      const refused = await state.admit(sampleAsk({ turnId: `turn_${index}`, limits: poor }))
      assert.equal(refused.kind, 'quota-exceeded')
    }
    assert.deepEqual((await quotaOf(state)).reserved, NOTHING)
    for (let index = 0; index < 3; index += 1) await granted(state, { turnId: `turn_${index}`, limits })
  })
}
