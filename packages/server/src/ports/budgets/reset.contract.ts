// The part of the budgets' contract about resets by an operator and the spending alarm; `budgetsContract` runs it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amounts, GENEROUS, granted, NOTHING, quotaOf } from '#fixtures/budgets/budgets.ts'
import type { MakeBudgets } from '#fixtures/budgets/budgets.ts'
import { sampleAsk, TODAY } from '#fixtures/turns/samples.ts'

export function budgetsResetContract(name: string, make: MakeBudgets): void {
  const ofDay = { principalId: 'guest_1', day: TODAY }
  const ofSession = { principalId: 'guest_1', sessionId: 'sess_1' }

  test(`${name}: a reset day counts from zero again, and frees no hold`, async (context) => {
    const { budgets: state } = await make(context)
    const first = await granted(state, { sessionId: 'sess_1' })
    await state.settle(first, amounts(700, 120, 4000), { claimMs: 0 })
    const held = await granted(state, { turnId: 'turn_2', sessionId: 'sess_2', ask: amounts(500, 200, 1000) })
    assert.deepEqual(await state.reset(ofDay), amounts(700, 120, 4000))
    const { used, reserved } = await quotaOf(state)
    assert.deepEqual([used, reserved], [NOTHING, amounts(500, 200, 1000)])
    // Later use is charged in full.
    assert.deepEqual(await state.settle(held, amounts(400, 100, 900), { claimMs: 0 }), {
      charged: true,
      overage: false,
    })
    assert.deepEqual((await quotaOf(state)).used, amounts(400, 100, 900))
    // The first turn is not charged again.
    assert.deepEqual(await state.settle(first, amounts(700, 120, 4000), { claimMs: 0 }), {
      charged: false,
      overage: false,
    })
    assert.deepEqual((await quotaOf(state)).used, amounts(400, 100, 900))
  })

  test(`${name}: a reset without use changes nothing, and a repeat changes nothing more`, async (context) => {
    const { budgets: state } = await make(context)
    assert.deepEqual(await state.reset(ofDay), NOTHING)
    assert.deepEqual(await state.reset(ofSession), NOTHING)
    await state.settle(await granted(state), amounts(1, 2, 3), { claimMs: 0 })
    assert.deepEqual(await state.reset({ ...ofDay, principalId: 'guest_2' }), NOTHING)
    assert.deepEqual(await state.reset(ofDay), amounts(1, 2, 3))
    assert.deepEqual(await state.reset(ofDay), NOTHING)
  })

  test(`${name}: a reset day's messages are those of the holds`, async (context) => {
    const { budgets: state } = await make(context)
    const limits = { ...GENEROUS, messagesPerDay: 2 }
    await state.settle(await granted(state, { limits, sessionId: 'sess_1' }), NOTHING, { claimMs: 0 })
    const held = await granted(state, { limits, turnId: 'turn_2', sessionId: 'sess_2' })
    const next = async (turnId: string) => (await state.admit(sampleAsk({ limits, turnId }))).kind
    assert.equal(await next('turn_3'), 'rate-limited')
    await state.reset(ofDay)
    assert.deepEqual([await next('turn_4'), await next('turn_5')], ['granted', 'rate-limited'])
    await state.release(held)
    assert.deepEqual([await next('turn_6'), await next('turn_7')], ['granted', 'rate-limited'])
  })

  test(`${name}: a reset session has its tokens again, and the day's use stays`, async (context) => {
    const { budgets: state } = await make(context)
    const limits = { ...GENEROUS, session: { inputTokens: 1000, outputTokens: 1000 } }
    await state.settle(await granted(state, { limits, sessionId: 'sess_1' }), amounts(1000, 10, 5), { claimMs: 0 })
    const next = sampleAsk({ limits, turnId: 'turn_2', sessionId: 'sess_1' })
    const refused = await state.admit(next)
    assert.deepEqual([refused.kind, 'scope' in refused && refused.scope], ['quota-exceeded', 'session-input'])
    assert.deepEqual(await state.reset(ofSession), amounts(1000, 10, 0))
    assert.equal((await state.admit(next)).kind, 'granted')
    assert.deepEqual((await quotaOf(state)).used, amounts(1000, 10, 5))
  })

  test(`${name}: only the charge that crosses the alarm reports it`, async (context) => {
    const { budgets: state } = await make(context)
    const charge = async (turnId: string, costMicroUsd: number) => {
      const hold = await granted(state, { limits: GENEROUS, turnId, sessionId: turnId })
      return (await state.settle(hold, amounts(1, 1, costMicroUsd), { claimMs: 0, alarmMicroUsd: 1000 })).alarm === true
    }
    assert.equal(await charge('turn_1', 1000), false)
    assert.equal(await charge('turn_2', 0), false)
    assert.equal(await charge('turn_3', 1), true)
    assert.equal(await charge('turn_4', 500), false)
    const hold = await granted(state, { limits: GENEROUS, turnId: 'turn_3', sessionId: 'turn_3' })
    assert.deepEqual(await state.settle(hold, amounts(1, 1, 1), { claimMs: 0, alarmMicroUsd: 1000 }), {
      charged: false,
      overage: false,
    })
  })
}
