// One condition writes at most a line a second, another condition is not held up by it, and the next line says how many were left out.
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

test('ids in a cause are no other condition', () => {
  const fold = new LineFold(() => 0)
  const about = (id: string) => fold.enter('turn.settle-failed', {}, `the shared log does not hold all of ${id} yet`)
  assert.equal(about('turn_yfmZbqBS01lT5M7AKam09p'), 0)
  for (const id of ['turn_aaaaBBBBccccDDDDeeeeFF', 'turn_0123456789abcdefABCDEF', 'sess_x-y_zzzzzzzzzz'])
    assert.equal(about(id), undefined, id)
})

test('alarms and lost nodes are never left out: each is about another user or node', () => {
  const fold = new LineFold(() => 0)
  for (const turnId of ['turn_1', 'turn_2']) assert.equal(fold.enter('alarm.user-spend', { turnId }), 0)
  for (const nodeId of ['node_1', 'node_2']) assert.equal(fold.enter('node.lost', { nodeId }), 0)
})
