// The contract of the hand-over. `make` returns one, and the JSON that arrived at the receiver.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Handover, HandoverCall } from './port.ts'

export interface HandoverUnderTest {
  readonly handover: Handover
  readonly arrived: () => readonly unknown[]
}

export interface HandoverOptions {
  readonly withText: boolean
  readonly underWayMax: number
}

export const SAMPLE_CALL: HandoverCall = {
  turnId: 'turn_1',
  sessionId: 'sess_1',
  language: 'ja',
  reason: 'throttled',
  question: '私の注文 48213 はどこですか',
}

export function handoverContract(
  name: string,
  make: (context: TestContext, options: HandoverOptions) => Promise<HandoverUnderTest>,
): void {
  test(`${name}: a call contains the turn and its language, and not the question`, async (context) => {
    const { handover, arrived } = await make(context, { withText: false, underWayMax: 2 })
    assert.equal(handover.isFree(), true)
    assert.equal(await handover.call(SAMPLE_CALL), 'delivered')
    assert.deepEqual(arrived(), [{ turnId: 'turn_1', sessionId: 'sess_1', language: 'ja', reason: 'throttled' }])
  })

  test(`${name}: the question is included where the shop configures it`, async (context) => {
    const { handover, arrived } = await make(context, { withText: true, underWayMax: 2 })
    await handover.call(SAMPLE_CALL)
    assert.deepEqual(arrived(), [SAMPLE_CALL])
  })

  test(`${name}: what a shopper wrote into a request for a person is text too`, async (context) => {
    const call = { ...SAMPLE_CALL, handoverId: 'hand_1', given: { email: 'aki@mail.example', note: '急ぎです' } }
    const { question: _, given: __, ...named } = call
    const bare = await make(context, { withText: false, underWayMax: 2 })
    await bare.handover.call(call)
    assert.deepEqual(bare.arrived(), [named])
    const full = await make(context, { withText: true, underWayMax: 2 })
    await full.handover.call(call)
    assert.deepEqual(full.arrived(), [call])
  })

  test(`${name}: beyond its limit no person is called, and later calls are made again`, async (context) => {
    const { handover, arrived } = await make(context, { withText: false, underWayMax: 2 })
    const calls = ['turn_1', 'turn_2', 'turn_3'].map((turnId) => handover.call({ ...SAMPLE_CALL, turnId }))
    assert.equal(handover.isFree(), false)
    assert.deepEqual(await Promise.all(calls), ['delivered', 'delivered', 'busy'])
    assert.equal(await handover.call({ ...SAMPLE_CALL, turnId: 'turn_4' }), 'delivered')
    assert.equal(arrived().length, 3)
  })
}
