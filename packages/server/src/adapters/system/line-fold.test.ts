// One condition writes at most a line a second, another condition is not held up by it, and nothing is left out unsaid.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LineFold } from './line-fold.ts'

test('of a thousand equal warnings in ten seconds eleven are written, and they say how many were left out', () => {
  let now = 0
  const fold = new LineFold(() => now)
  const entered: (number | undefined)[] = []
  for (; now <= 10_000; now += 10) entered.push(fold.enter('redis.connection-failed', { turnId: `turn_${now}` }))
  const written = entered.filter((leftOut) => leftOut !== undefined)
  assert.deepEqual(written, [0, ...Array.from({ length: 10 }, () => 99)])
  assert.equal(written.length + written.reduce((sum, leftOut) => sum + leftOut, 0), entered.length)
})

test('another event, lane, task or cause is another condition', () => {
  const fold = new LineFold(() => 0)
  assert.equal(fold.enter('upkeep.failed', { task: 'sweep' }), 0)
  assert.equal(fold.enter('upkeep.failed', { task: 'sweep' }), undefined)
  assert.equal(fold.enter('upkeep.failed', { task: 'orphans' }), 0)
  assert.equal(fold.enter('turn.failed', {}, 'Error: no answer from 10.0.0.1'), 0)
  assert.equal(fold.enter('turn.failed', {}, 'Error: no answer from 10.0.0.2'), undefined)
  assert.equal(fold.enter('turn.failed', {}, 'Error: the disk is full'), 0)
})
