// The record of a turn says that a person was called, once that is so.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Noted } from '#ports/turn-records/port.ts'
import { notedHandover } from './noted-handover.ts'

const CALL = { turnId: 'turn_1', sessionId: 'sess_1', language: 'en', reason: 'timeout', question: 'x' } as const

test('a hand-over is noted when the call was accepted, and only then', async () => {
  for (const [end, expected] of [
    ['delivered', [['turn_1', { handedOver: true }]]],
    ['gave-up', []],
    ['busy', []],
  ] as const) {
    const noted: [string, Noted][] = []
    const { promise, resolve } = Promise.withResolvers<typeof end>()
    const handover = notedHandover(
      { isFree: () => true, call: () => promise },
      { note: async (turnId, note) => void noted.push([turnId, note]) },
    )
    const called = handover.call(CALL)
    assert.deepEqual(noted, [], 'its end is not known yet')
    resolve(end)
    assert.equal(await called, end)
    assert.deepEqual(noted, expected)
  }
})
