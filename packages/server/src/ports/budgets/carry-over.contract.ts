// The part of the budgets' contract about conversations that a user adopts from a guest; `budgetsContract` runs it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleAsk, sampleLimits, TODAY } from '#fixtures/turns/samples.ts'
import { amounts, GENEROUS, granted, NOTHING } from '#fixtures/budgets/budgets.ts'
import type { MakeBudgets } from '#fixtures/budgets/budgets.ts'

export function budgetsCarryOverContract(name: string, make: MakeBudgets): void {
  const limits = { ...GENEROUS, session: { inputTokens: 1500, outputTokens: 600 } }
  const session = { id: 'sess_1', principalId: 'user:one', inheritedFrom: 'guest_1' }
  const asUser = { principalId: 'user:one', sessionId: 'sess_1', limits }

  test(`${name}: a session's use moves to its new owner once, and the day's use stays`, async (context) => {
    const { budgets: state } = await make(context)
    const hold = await granted(state, { sessionId: 'sess_1', limits })
    await state.settle(hold, amounts(1000, 100, 70), { claimMs: 0 })
    for (let times = 0; times < 3; times += 1) assert.equal(await state.carryOver(session), undefined)
    const next = await granted(state, { ...asUser, turnId: 'turn_2' })
    assert.deepEqual(next.granted, amounts(500, 500, 10_000))
    await state.settle(next, amounts(500, 300, 5), { claimMs: 0 })
    assert.equal(await state.carryOver(session), undefined)
    const refused = await state.admit(sampleAsk({ ...asUser, turnId: 'turn_3' }))
    assert.equal(refused.kind === 'quota-exceeded' && refused.scope, 'session-input')
    const used = async (id: string) => (await state.quota(id, sampleLimits(), TODAY)).used
    assert.deepEqual([await used('guest_1'), await used('user:one')], [amounts(1000, 100, 70), amounts(500, 300, 5)])
  })

  test(`${name}: the new owner waits until the former owner's turn has ended, and that turn's use counts`, async (context) => {
    const { budgets: state } = await make(context)
    const hold = await granted(state, { sessionId: 'sess_1', limits })
    assert.equal(await state.carryOver(session), 'turn_1')
    assert.equal(await state.runningTurn(session), 'turn_1')
    await state.settle(hold, amounts(1400, 100, 0), { claimMs: 0 })
    assert.equal(await state.carryOver(session), undefined)
    assert.equal(await state.runningTurn(session), undefined)
    const next = await granted(state, { ...asUser, turnId: 'turn_2' })
    assert.equal(next.granted.inputTokens, 100)
    assert.equal(await state.runningTurn(session), 'turn_2')
    assert.equal(await state.carryOver(session), undefined, 'for its own turn the owner need not wait')
  })

  test(`${name}: a turn that lost its owner and is settled late still counts for the session`, async (context) => {
    const { budgets: state, clock } = await make(context)
    const hold = await granted(state, { sessionId: 'sess_1', limits, leaseMs: 1000 })
    await clock.advance(1000)
    assert.equal(await state.carryOver(session), undefined)
    await state.settle(hold, amounts(1200, 100, 0), { claimMs: 0 })
    assert.equal(await state.carryOver(session), undefined)
    assert.equal((await granted(state, { ...asUser, turnId: 'turn_2' })).granted.inputTokens, 300)
  })

  test(`${name}: a session without use is carried over unchanged`, async (context) => {
    const { budgets: state } = await make(context)
    assert.equal(await state.carryOver(session), undefined)
    assert.deepEqual((await state.quota('user:one', sampleLimits(), TODAY)).used, NOTHING)
    assert.equal((await granted(state, { ...asUser, turnId: 'turn_2' })).granted.inputTokens, 1000)
  })
}
