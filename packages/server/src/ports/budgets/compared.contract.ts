// The part of the budgets' contract about days that must be compared with the ledger: of stores that can lose a part of their data.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleAsk, TODAY } from '#fixtures/turns/samples.ts'
import { amounts, GENEROUS, granted, quotaOf } from '#fixtures/budgets/budgets.ts'
import type { MakeBudgets } from '#fixtures/budgets/budgets.ts'
import type { Budgets } from './port.ts'

const ofToday = { principalId: 'guest_1', day: TODAY, messages: 0 }

export function budgetsComparedContract(name: string, make: MakeBudgets): void {
  const asked = async (state: Budgets, turnId: string, epoch: string) => {
    const ask = sampleAsk({ limits: GENEROUS, turnId, sessionId: turnId, idempotency: keyOf(turnId) })
    return (await state.admitCompared(ask, epoch))?.kind
  }
  const keyOf = (turnId: string) => ({ ...sampleAsk().idempotency, key: turnId })

  test(`${name}: a day is granted from only after it was compared in the epoch`, async (context) => {
    const { budgets: state } = await make(context)
    assert.equal(await asked(state, 'turn_1', 'epoch_1'), undefined)
    await state.markCompared({ ...ofToday, epoch: 'epoch_1' })
    assert.equal(await asked(state, 'turn_1', 'epoch_1'), 'granted')
    assert.equal(await asked(state, 'turn_1', 'epoch_2'), 'granted', 'it was granted before')
    assert.equal(await asked(state, 'turn_2', 'epoch_2'), undefined)
    const other = { ...TODAY, key: '2026-11-05' }
    assert.equal(await state.admitCompared(sampleAsk({ turnId: 'turn_3', day: other }), 'epoch_1'), undefined)
    await state.markCompared({ ...ofToday, epoch: 'epoch_2' })
    assert.equal(await asked(state, 'turn_2', 'epoch_2'), 'granted')
    assert.equal(
      (await state.admit(sampleAsk({ limits: GENEROUS, turnId: 'turn_4', sessionId: 'turn_4' }))).kind,
      'granted',
    )
  })

  test(`${name}: a day that is not compared takes nothing; a charge, a repeat and a claim do not wait for it`, async (context) => {
    const { budgets: state } = await make(context)
    const hold = await granted(state, {
      limits: GENEROUS,
      turnId: 'turn_1',
      sessionId: 'turn_1',
      idempotency: keyOf('a'),
    })
    await state.settle(hold, amounts(10, 5, 3))
    const repeat = sampleAsk({ limits: GENEROUS, turnId: 'turn_2', idempotency: keyOf('a') })
    assert.equal((await state.admitCompared(repeat, 'epoch_1'))?.kind, 'duplicate')
    assert.equal(await asked(state, 'turn_3', 'epoch_1'), undefined)
    const { reserved, used } = await quotaOf(state)
    assert.deepEqual([used, reserved], [amounts(10, 5, 3), amounts(0, 0, 0)])
    await state.markCompared({ ...ofToday, epoch: 'epoch_1' })
    assert.deepEqual((await quotaOf(state)).used, amounts(10, 5, 3))
  })

  test(`${name}: a charge from the ledger leaves a turn that is held to its owner`, async (context) => {
    const { budgets: state, clock } = await make(context)
    const hold = await granted(state, { limits: GENEROUS, leaseMs: 1000 })
    const byLedger = () => state.settle(hold, amounts(1, 1, 1), { unlessHeld: true })
    assert.equal((await byLedger()).charged, false)
    await state.settle(hold, amounts(10, 5, 3))
    assert.equal((await byLedger()).charged, false)
    const lost = await granted(state, { limits: GENEROUS, turnId: 'turn_2', sessionId: 'sess_2', leaseMs: 1000 })
    await clock.advance(1001)
    assert.equal((await state.settle(lost, amounts(1, 1, 1), { unlessHeld: true })).charged, true)
    assert.deepEqual((await quotaOf(state)).used, amounts(11, 6, 4))
  })

  test(`${name}: the messages that the ledger knows count, and never fewer than before`, async (context) => {
    const { budgets: state } = await make(context)
    const limits = { ...GENEROUS, messagesPerDay: 3 }
    const kindOf = async (turnId: string) => {
      const ask = sampleAsk({ limits, turnId, sessionId: turnId, idempotency: keyOf(turnId) })
      return (await state.admitCompared(ask, 'epoch_1'))?.kind
    }
    await state.markCompared({ ...ofToday, messages: 1, epoch: 'epoch_1' })
    assert.deepEqual([await kindOf('turn_1'), await kindOf('turn_2')], ['granted', 'granted'])
    await state.markCompared({ ...ofToday, messages: 0, epoch: 'epoch_1' })
    assert.equal(await kindOf('turn_3'), 'rate-limited')
  })
}
