// Runs the contract of budgets on pseudonymous accounts, and tests that no principal's id is stored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { budgetsContract } from '#ports/budgets/contract.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleAsk, sampleLimits, TODAY } from '#fixtures/turns/samples.ts'
import { memoryBudgets } from '../memory/budgets.ts'
import { pseudonymousBudgets } from './budgets.ts'

const nameOf = (principalId: string) => `acct_${principalId.length}_${principalId.split('').toReversed().join('')}`

budgetsContract('pseudonymous shared state', async () => {
  const clock = manualClock()
  return { budgets: pseudonymousBudgets({ budgets: memoryBudgets({ clock }), nameOf }), clock }
})

test('the inner store never gets a principal’s id, and returned holds have it', async () => {
  const clock = manualClock()
  const memory = memoryBudgets({ clock })
  const received: string[] = []
  const listening = new Proxy(memory, {
    get(target, verb) {
      const own = Reflect.get(target, verb) as (...given: unknown[]) => unknown
      return (...given: unknown[]) => {
        received.push(JSON.stringify(given))
        return own.apply(target, given)
      }
    },
  })
  const state = pseudonymousBudgets({ budgets: listening, nameOf })
  const ask = sampleAsk({ principalId: 'guest_1', turnId: 'turn_1', sessionId: 'sess_1' })
  const answer = await state.admit(ask)
  assert.ok(answer.kind === 'granted')
  assert.equal(answer.hold.principalId, 'guest_1')
  await state.claimed(ask)
  await state.narrow(answer.hold, answer.hold.granted)
  await state.extend(answer.hold, answer.hold.granted, sampleLimits())
  await state.renew(answer.hold, 1000)
  await state.runningTurn({ id: 'sess_1', principalId: 'user_1', inheritedFrom: 'guest_1' })
  await state.carryOver({ id: 'sess_1', principalId: 'user_1', inheritedFrom: 'guest_1' })
  await state.settle(answer.hold, { inputTokens: 1, outputTokens: 1, costMicroUsd: 1 }, { claimMs: 0 })
  await state.claim(answer.hold, ask.idempotency)
  await state.reset({ principalId: 'guest_1', sessionId: 'sess_1' })
  await state.quota('guest_1', sampleLimits(), TODAY)
  await state.release(answer.hold)
  assert.equal(received.length, 12)
  for (const words of received) assert.doesNotMatch(words, /guest_1|user_1/)
})
