// The part of the budgets' contract about holds; `budgetsContract` runs it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleAsk, sampleLimits, TODAY } from '#fixtures/turns/samples.ts'
import { amounts, GENEROUS, granted, guests, NOTHING, quotaOf } from '#fixtures/budgets/budgets.ts'
import type { MakeBudgets } from '#fixtures/budgets/budgets.ts'
import type { AdmissionAsk, Budgets } from './port.ts'

export function budgetsHoldContract(name: string, make: MakeBudgets): void {
  budgeting(name, make)
  holding(name, make)
}

function budgeting(name: string, make: MakeBudgets): void {
  const refusalScope = async (budgets: Budgets, over: Partial<AdmissionAsk>) => {
    const answer = await budgets.admit(sampleAsk({ turnId: 'turn_asked', limits: GENEROUS, ...over }))
    return answer.kind === 'quota-exceeded' ? answer.scope : answer.kind
  }

  test(`${name}: a grant is the rest of the budget when that is less than requested`, async (context) => {
    const { budgets: state } = await make(context)
    await granted(state, {
      ask: amounts(9500, 4800, 999_000),
      limits: sampleLimits({ session: { inputTokens: 99_999, outputTokens: 99_999 } }),
    })
    const second = await granted(state, { turnId: 'turn_2' })
    assert.deepEqual(second.granted, amounts(500, 200, 1000))
    assert.equal(await refusalScope(state, {}), 'day-input')
  })

  test(`${name}: each part of the day's budget refuses by itself`, async (context) => {
    for (const [limit, scope] of [
      [{ ...sampleLimits().day, inputTokens: 1000 }, 'day-input'],
      [{ ...sampleLimits().day, outputTokens: 563 }, 'day-output'],
      [{ ...sampleLimits().day, costMicroUsd: 10_000 }, 'day-cost'],
    ] as const) {
      const { budgets: state } = await make(context)
      const limits = { ...GENEROUS, day: limit }
      await granted(state, { limits })
      assert.equal(await refusalScope(state, { limits }), scope)
    }
  })

  test(`${name}: a session has its own budget, which does not end with the day`, async (context) => {
    const { budgets: state } = await make(context)
    const limits = { ...GENEROUS, session: { inputTokens: 1500, outputTokens: 600 } }
    const hold = await granted(state, { sessionId: 'sess_1', limits })
    await state.settle(hold, amounts(1000, 540, 0), { claimMs: 0 })
    assert.equal(await refusalScope(state, { sessionId: 'sess_1', limits }), 'session-output')
    const day = { key: '2026-11-05', endsAt: TODAY.endsAt + 24 * 3_600_000 }
    assert.equal(await refusalScope(state, { sessionId: 'sess_1', limits, day }), 'session-output')
    assert.equal(await refusalScope(state, { sessionId: 'sess_2', limits }), 'granted')
  })

  test(`${name}: a grant returns the use of its session, also when it is repeated`, async (context) => {
    const { budgets: state } = await make(context)
    const conversation = { used: { inputTokens: 0, outputTokens: 0 }, limit: GENEROUS.session }
    const hold = await granted(state, { sessionId: 'sess_1', limits: GENEROUS })
    await state.settle(hold, amounts(700, 120, 0), { claimMs: 0 })
    const ask = sampleAsk({ turnId: 'turn_2', sessionId: 'sess_1', limits: GENEROUS })
    const used = { inputTokens: 700, outputTokens: 120 }
    for (const answer of [await state.admit(ask), await state.admit(ask)]) {
      assert.ok(answer.kind === 'granted')
      assert.deepEqual(answer.quota.conversation, { ...conversation, used })
    }
    const other = await state.admit(sampleAsk({ turnId: 'turn_3', sessionId: 'sess_2', limits: GENEROUS }))
    assert.ok(other.kind === 'granted')
    assert.deepEqual(other.quota.conversation, conversation)
  })

  test(`${name}: a hold of one day does not count against another`, async (context) => {
    const { budgets: state } = await make(context)
    await granted(state)
    const day = { key: '2026-11-05', endsAt: TODAY.endsAt + 24 * 3_600_000 }
    assert.deepEqual((await state.quota('guest_1', sampleLimits(), day)).reserved, NOTHING)
    await granted(state, { turnId: 'turn_2', day, ask: amounts(200, 100, 0) })
    assert.deepEqual((await state.quota('guest_1', sampleLimits(), day)).reserved, amounts(200, 100, 0))
    assert.deepEqual((await quotaOf(state)).reserved, amounts(1000, 500, 10_000))
  })

  test(`${name}: a hundred concurrent admissions never hold more than the budget`, async (context) => {
    const { budgets: state } = await make(context)
    const asks = Array.from({ length: 100 }, (_, index) =>
      sampleAsk({ turnId: `turn_${index}`, limits: { ...GENEROUS, messagesPerDay: 1000 } }),
    )
    const answers = await Promise.all(asks.map((ask) => state.admit(ask)))
    assert.equal(answers.filter(({ kind }) => kind === 'granted').length, 10)
    assert.deepEqual((await quotaOf(state)).reserved, amounts(10_000, 5000, 100_000))
  })

  test(`${name}: a settlement is charged to the day of admission, however late`, async (context) => {
    const { budgets: state, clock } = await make(context)
    const hold = await granted(state, { leaseMs: 24 * 3_600_000 })
    await clock.advance(13 * 3_600_000)
    await state.settle(hold, amounts(900, 100, 5000), { claimMs: 0 })
    assert.deepEqual((await quotaOf(state)).used, amounts(900, 100, 5000))
    const day = { key: '2026-11-05', endsAt: TODAY.endsAt + 24 * 3_600_000 }
    assert.deepEqual((await state.quota('guest_1', sampleLimits(), day)).used, NOTHING)
  })
}

function holding(name: string, make: MakeBudgets): void {
  test(`${name}: settling replaces the hold by the use, once`, async (context) => {
    const { budgets: state } = await make(context)
    const hold = await granted(state)
    assert.deepEqual(await state.settle(hold, amounts(700, 120, 4000), { claimMs: 0 }), {
      charged: true,
      overage: false,
    })
    assert.deepEqual(await state.settle(hold, amounts(700, 120, 4000), { claimMs: 0 }), {
      charged: false,
      overage: false,
    })
    const quota = await quotaOf(state)
    assert.deepEqual(quota.used, amounts(700, 120, 4000))
    assert.deepEqual(quota.reserved, NOTHING)
    assert.equal(await state.narrow(guests('turn_1'), NOTHING), false)
    assert.equal(await state.renew(guests('turn_1'), 1000), false)
  })

  test(`${name}: of many concurrent settlements one is charged`, async (context) => {
    const { budgets: state } = await make(context)
    const hold = await granted(state)
    const results = await Promise.all(
      Array.from({ length: 10 }, () => state.settle(hold, amounts(1, 1, 1), { claimMs: 0 })),
    )
    assert.equal(results.filter(({ charged }) => charged).length, 1)
    assert.deepEqual((await quotaOf(state)).used, amounts(1, 1, 1))
  })

  test(`${name}: use beyond the hold is charged completely and flagged`, async (context) => {
    const { budgets: state } = await make(context)
    const hold = await granted(state)
    assert.deepEqual(await state.settle(hold, amounts(1000, 501, 0), { claimMs: 0 }), { charged: true, overage: true })
    assert.deepEqual((await quotaOf(state)).used, amounts(1000, 501, 0))
  })

  test(`${name}: narrowing frees what the prompt does not need and never raises a hold`, async (context) => {
    const { budgets: state } = await make(context)
    const hold = await granted(state)
    assert.equal(await state.narrow(guests('turn_1'), amounts(300, 9999, 2000)), true)
    assert.deepEqual((await quotaOf(state)).reserved, amounts(300, 500, 2000))
    assert.equal(await state.narrow(guests('turn_1'), amounts(1000, 400, 10_000)), true)
    assert.deepEqual((await quotaOf(state)).reserved, amounts(300, 400, 2000))
    assert.deepEqual(await state.settle(hold, amounts(301, 0, 0), { claimMs: 0 }), { charged: true, overage: true })
    assert.equal(await state.narrow(guests('turn_unknown'), NOTHING), false)
  })

  test(`${name}: a hold is raised for a further call of a model, once, and only where every scope has room`, async (context) => {
    const { budgets: state, clock } = await make(context)
    const limits = sampleLimits({
      day: amounts(3000, 1500, 20_000),
      session: { inputTokens: 2500, outputTokens: 1100 },
    })
    const hold = await granted(state, { limits })
    await state.narrow(hold, amounts(300, 500, 2000))
    assert.equal(await state.extend(hold, amounts(700, 1000, 100), limits), true)
    assert.equal(await state.extend(hold, amounts(700, 1000, 100), limits), true)
    assert.deepEqual((await quotaOf(state)).reserved, amounts(700, 1000, 2000))
    const other = await granted(state, { turnId: 'turn_2', limits, ask: amounts(1000, 100, 10_000) })
    const refused = [
      amounts(2001, 0, 0),
      amounts(0, 1401, 0),
      amounts(0, 0, 10_001),
      // Refused by the session, whose limits are lower than the rest of the day.
      amounts(0, 1101, 0),
    ]
    for (const to of refused) assert.equal(await state.extend(hold, to, limits), false)
    assert.deepEqual((await quotaOf(state)).reserved, amounts(1700, 1100, 12_000))
    assert.equal(await state.extend(hold, amounts(2000, 1100, 10_000), limits), true)
    assert.deepEqual(await state.settle(hold, amounts(2000, 1100, 10_000), { claimMs: 0 }), {
      charged: true,
      overage: false,
    })
    assert.equal(await state.extend(hold, NOTHING, limits), false)
    assert.equal(await state.extend({ ...other, id: 'turn_unknown' }, NOTHING, limits), false)
    await clock.advance(10_000)
    assert.equal(await state.extend(other, NOTHING, limits), false)
  })

  test(`${name}: a day over its limit grants no more, and existing holds stay`, async (context) => {
    const { budgets: state } = await make(context)
    const over = await granted(state)
    const hold = await granted(state, { turnId: 'turn_2' })
    await state.settle(over, amounts(10_001, 1, 1), { claimMs: 0 })
    assert.equal(await state.extend(hold, amounts(1001, 0, 0), sampleLimits()), false)
    assert.equal(await state.extend(hold, amounts(1000, 600, 0), sampleLimits()), true)
  })

  test(`${name}: a hold that is not renewed expires`, async (context) => {
    const { budgets: state, clock } = await make(context)
    await granted(state, { sessionId: 'sess_1' })
    await clock.advance(9999)
    assert.equal(await state.runningTurn(guests('sess_1')), 'turn_1')
    assert.equal(await state.renew(guests('turn_1'), 10_000), true)
    await clock.advance(9999)
    assert.deepEqual((await quotaOf(state)).reserved, amounts(1000, 500, 10_000))
    await clock.advance(1)
    assert.deepEqual((await quotaOf(state)).reserved, NOTHING)
    assert.equal(await state.runningTurn(guests('sess_1')), undefined)
    assert.equal(await state.renew(guests('turn_1'), 10_000), false)
    assert.equal(await state.narrow(guests('turn_1'), NOTHING), false)
    assert.equal((await state.admit(sampleAsk({ turnId: 'turn_2', sessionId: 'sess_1' }))).kind, 'granted')
  })

  test(`${name}: a renewal never shortens a hold`, async (context) => {
    const { budgets: state, clock } = await make(context)
    await granted(state, { sessionId: 'sess_1' })
    assert.equal(await state.renew(guests('turn_1'), 1), true)
    await clock.advance(9999)
    assert.equal(await state.runningTurn(guests('sess_1')), 'turn_1')
  })

  test(`${name}: settling after the hold expired charges once and is flagged when anything was used`, async (context) => {
    const { budgets: state, clock } = await make(context)
    const used = await granted(state)
    const unused = await granted(state, { turnId: 'turn_2' })
    await clock.advance(10_000)
    assert.deepEqual(await state.settle(used, amounts(5, 5, 5), { claimMs: 0 }), { charged: true, overage: true })
    assert.deepEqual(await state.settle(used, amounts(5, 5, 5), { claimMs: 0 }), { charged: false, overage: true })
    assert.deepEqual(await state.settle(unused, NOTHING, { claimMs: 0 }), { charged: true, overage: false })
    assert.deepEqual((await quotaOf(state)).used, amounts(5, 5, 5))
  })

  test(`${name}: an unknown hold is charged once`, async (context) => {
    const { budgets: state } = await make(context)
    const hold = {
      id: 'turn_lost',
      principalId: 'guest_1',
      sessionId: 'sess_1',
      day: TODAY,
      granted: amounts(10, 64, 0),
    }
    assert.deepEqual(await state.settle(hold, amounts(5, 5, 5), { claimMs: 0 }), { charged: true, overage: true })
    assert.deepEqual(await state.settle(hold, amounts(5, 5, 5), { claimMs: 0 }), { charged: false, overage: true })
    assert.deepEqual((await quotaOf(state)).used, amounts(5, 5, 5))
  })

  test(`${name}: a release undoes the admission: hold, key, session and rates`, async (context) => {
    const { budgets: state } = await make(context)
    const limits = sampleLimits({ requestsPerMinute: 1, messagesPerDay: 1, userRate: { perSecond: 0.001, burst: 1 } })
    await granted(state, { sessionId: 'sess_1', limits })
    await state.release(guests('turn_1'))
    await state.release(guests('turn_1'))
    await state.release(guests('turn_unknown'))
    const quota = await quotaOf(state)
    assert.deepEqual([quota.used, quota.reserved, quota.requestsPerMinute.used], [NOTHING, NOTHING, 0])
    assert.equal(await state.runningTurn(guests('sess_1')), undefined)
    await granted(state, { turnId: 'turn_2', sessionId: 'sess_1', limits, idempotency: sampleAsk().idempotency })
  })

  test(`${name}: use is charged once, also after a release`, async (context) => {
    const { budgets: state } = await make(context)
    const hold = await granted(state)
    await state.release(guests('turn_1'))
    assert.deepEqual(await state.settle(hold, amounts(3, 2, 1), { claimMs: 0 }), { charged: true, overage: true })
    await state.release(guests('turn_1'))
    assert.deepEqual(await state.settle(hold, amounts(3, 2, 1), { claimMs: 0 }), { charged: false, overage: true })
    const { reserved, used } = await quotaOf(state)
    assert.deepEqual([used, reserved], [amounts(3, 2, 1), NOTHING])
  })

  test(`${name}: a release after the settlement changes nothing: neither its charge nor its key`, async (context) => {
    const { budgets: state } = await make(context)
    const hold = await granted(state)
    await state.settle(hold, amounts(1, 1, 1), { claimMs: 30_000 })
    await state.release(guests('turn_1'))
    assert.deepEqual((await quotaOf(state)).used, amounts(1, 1, 1))
    const again = sampleAsk({ turnId: 'turn_2', idempotency: sampleAsk().idempotency })
    const sessionId = 'sess_of_turn_1'
    assert.deepEqual(await state.admit(again), { kind: 'duplicate', turnId: 'turn_1', sessionId })
  })

  test(`${name}: a key whose answer was deleted can be used again; hold and charge stay`, async (context) => {
    const { budgets: state } = await make(context)
    const { idempotency } = sampleAsk()
    const hold = await granted(state)
    await state.forgetClaim(guests('turn_1'))
    await state.forgetClaim(guests('turn_unknown'))
    assert.deepEqual((await quotaOf(state)).reserved, hold.granted)
    assert.equal(await state.claimed(sampleAsk()), undefined)
    await state.settle(hold, amounts(1, 1, 1), { claimMs: 30_000 })
    const second = await granted(state, { turnId: 'turn_2', idempotency })
    await state.settle(second, amounts(1, 1, 1), { claimMs: 30_000 })
    // The key belongs to another turn now.
    await state.forgetClaim(guests('turn_1'))
    assert.equal((await state.claimed(sampleAsk()))?.kind, 'duplicate')
    await state.forgetClaim(guests('turn_2'))
    assert.equal(await state.claimed(sampleAsk()), undefined)
    assert.deepEqual((await quotaOf(state)).used, amounts(2, 2, 2))
  })

  test(`${name}: a released admission can be made again`, async (context) => {
    const { budgets: state } = await make(context)
    await granted(state)
    await state.release(guests('turn_1'))
    const hold = await granted(state)
    assert.deepEqual(await state.settle(hold, amounts(1, 1, 1), { claimMs: 0 }), { charged: true, overage: false })
  })

  test(`${name}: counters are stored for two days after their day, then removed by later calls`, async (context) => {
    const { budgets: state, clock } = await make(context)
    const hold = await granted(state)
    await state.settle(hold, amounts(1, 1, 1), { claimMs: 0 })
    await clock.advance(12 * 3_600_000 + 47 * 3_600_000)
    const later = { key: '2026-11-06', endsAt: TODAY.endsAt + 48 * 3_600_000 }
    await granted(state, { turnId: 'turn_2', day: later })
    assert.deepEqual((await quotaOf(state)).used, amounts(1, 1, 1))
    await clock.advance(2 * 3_600_000)
    await granted(state, { turnId: 'turn_3', day: later })
    assert.deepEqual((await quotaOf(state)).used, NOTHING)
  })
}
