// Readers of a turn are counted, and one that comes back is noted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Noted } from '#ports/turn-records/port.ts'
import { createReaderCounts } from './reader-counts.ts'

test('readers are counted by turn, and one that has text is noted as resumed', () => {
  const notes: (readonly [string, Noted])[] = []
  const counts = createReaderCounts({ note: async (...noted) => void notes.push(noted) })
  assert.equal(counts.of('turn_1'), undefined)
  counts.began('turn_1', 0)
  counts.began('turn_1', 12)
  counts.began('turn_2', 0)
  assert.deepEqual([counts.of('turn_1'), counts.of('turn_2'), notes], [2, 1, [['turn_1', { resumed: 1 }]]])
})

test('the turns that were read longest ago are forgotten', () => {
  const counts = createReaderCounts({ note: async () => {} })
  for (let index = 0; index < 6000; index += 1) counts.began(`turn_${index}`, 0)
  assert.deepEqual([counts.of('turn_0'), counts.of('turn_5999')], [undefined, 1])
})
