// Equal lines of the log: the first at once, then sums, and none is lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import type { LogLevel } from '#domain/telemetry/entry.ts'
import { LineFold } from './line-fold.ts'

function setUp() {
  const clock = manualClock()
  const begin = clock.now()
  const fold = new LineFold({ now: () => clock.now(), after: clock.after })
  const written: { event: string; leftOut: number; ms: number; heldMs?: number }[] = []
  const add = (event: string, fields: Record<string, unknown> = {}, more: { level?: LogLevel; cause?: string } = {}) =>
    fold.add({
      level: more.level ?? 'warn',
      event,
      fields,
      cause: more.cause,
      write: ({ leftOut, at }) => {
        const ms = clock.now() - begin
        written.push({ event, leftOut, ms, ...(at === undefined ? {} : { heldMs: clock.now() - at }) })
      },
    })
  return { clock, fold, written, add }
}

test('of a thousand equal warnings in ten seconds few are written, and together they stand for all', async () => {
  const { clock, written, add } = setUp()
  for (let sent = 0; sent < 1000; sent += 1) {
    add('redis.connection-failed', { turnId: `turn_${sent}` })
    await clock.advance(10)
  }
  await clock.advance(60_000)
  assert.deepEqual(
    written.map(({ ms }) => ms),
    [0, 1000, 3000, 7000, 15_000],
  )
  assert.equal(
    written.reduce((sum, { leftOut }) => sum + leftOut + 1, 0),
    1000,
  )
})

test('the last sum of a condition is written although nothing follows, with the time at which it happened', async () => {
  const { clock, written, add } = setUp()
  for (let sent = 0; sent < 3; sent += 1) add('redis.connection-failed')
  await clock.advance(5000)
  assert.deepEqual(written, [
    { event: 'redis.connection-failed', leftOut: 0, ms: 0 },
    { event: 'redis.connection-failed', leftOut: 1, ms: 1000, heldMs: 1000 },
  ])
})

test('a condition that was quiet begins again at once', async () => {
  const { clock, written, add } = setUp()
  add('redis.connection-failed')
  await clock.advance(1000)
  add('redis.connection-failed')
  assert.deepEqual(
    written.map(({ leftOut, ms }) => [leftOut, ms]),
    [
      [0, 0],
      [0, 1000],
    ],
  )
  assert.equal(clock.timers(), 1)
})

test('the windows of information do not grow: an id is never missing for longer than a second', async () => {
  const { clock, written, add } = setUp()
  for (let sent = 0; sent < 100; sent += 1) {
    add('request.refused', { code: 'RATE_LIMITED' }, { level: 'info' })
    await clock.advance(100)
  }
  assert.equal(written.length, 11)
})

test('the end of the process writes what is held back', () => {
  const { fold, written, add } = setUp()
  for (let sent = 0; sent < 5; sent += 1) add('redis.connection-failed')
  fold.flush()
  assert.deepEqual(
    written.map(({ leftOut }) => leftOut),
    [0, 3],
  )
})

test('another event, lane, task, code or cause is another condition', () => {
  const { written, add } = setUp()
  add('upkeep.failed', { task: 'sweep' })
  add('upkeep.failed', { task: 'sweep' })
  add('upkeep.failed', { task: 'orphans' })
  add('request.refused', { code: 'RATE_LIMITED', scope: 'minute' })
  add('request.refused', { code: 'RATE_LIMITED', scope: 'user-rate' })
  add('turn.failed', {}, { cause: 'Error: no answer from 10.0.0.1' })
  add('turn.failed', {}, { cause: 'Error: no answer from 10.0.0.2' })
  add('turn.failed', {}, { cause: 'Error: the disk is full' })
  assert.equal(written.length, 6)
})

test('the number of conditions is bounded, and no sum is lost', () => {
  const { fold, written, add } = setUp()
  for (let task = 0; task < 2000; task += 1) {
    add('upkeep.failed', { task })
    add('upkeep.failed', { task })
  }
  fold.flush()
  assert.equal(written.length, 4000)
})

test('ids in a cause are no other condition', () => {
  const { written, add } = setUp()
  const ids = [
    'turn_yfmZbqBS01lT5M7AKam09p',
    'turn_aaaaBBBBccccDDDDeeeeFF',
    'turn_0123456789abcdefABCDEF',
    'sess_x-y_zzzzzzzzzz',
  ]
  for (const id of ids) add('turn.settle-failed', {}, { cause: `the shared log does not hold all of ${id} yet` })
  assert.equal(written.length, 1)
})

test('alarms and lost nodes are never left out: each is about another user or node', () => {
  const { written, add } = setUp()
  for (const turnId of ['turn_1', 'turn_2']) add('alarm.user-spend', { turnId })
  for (const nodeId of ['node_1', 'node_2']) add('node.lost', { nodeId })
  assert.equal(written.length, 4)
})
