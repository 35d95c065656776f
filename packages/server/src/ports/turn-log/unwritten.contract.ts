// The contract of the turn log: notes of ended turns that are not written elsewhere yet.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MakeTurnLog } from '#fixtures/turns/turn-logs.ts'

export function turnLogUnwrittenContract(name: string, make: MakeTurnLog): void {
  test(`${name}: turns that are not written are found in the order of their notes, until they are`, async (context) => {
    const { clock, log } = await make(context)
    assert.deepEqual(await log.unwritten(0, 10), [])
    await log.noteUnwritten('turn_2')
    await clock.advance(1000)
    await log.noteUnwritten('turn_1')
    await log.noteUnwritten('turn_2')
    assert.deepEqual(await log.unwritten(0, 10), ['turn_2', 'turn_1'])
    assert.deepEqual(await log.unwritten(0, 1), ['turn_2'])
    assert.deepEqual(await log.unwritten(1000, 10), ['turn_2'], 'a repeat is no later note')
    assert.deepEqual(await log.unwritten(1001, 10), [])
    await log.written('turn_2')
    await log.written('turn_3')
    assert.deepEqual(await log.unwritten(0, 10), ['turn_1'])
  })
}
