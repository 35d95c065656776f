// Work for an unavailable store is done in order once the store answers, and the list of it stays bounded.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { RetryLater } from './retry-later.ts'

function setUp(entriesMax = 10) {
  const clock = manualClock()
  const givenUp: string[] = []
  const done: string[] = []
  const store = { isUnavailable: true }
  const later = new RetryLater({ timers: clock, entriesMax, onGivenUp: (key) => givenUp.push(key) })
  const add = (key: string, name = key) =>
    later.add(key, async () => {
      if (store.isUnavailable) throw new Error('unavailable')
      done.push(name)
    })
  return { clock, givenUp, done, store, later, add }
}

test('waiting work is done once the store answers, and then no timer is left', async () => {
  const { add, clock, done, later, store } = setUp()
  for (const key of ['a', 'b', 'c']) add(key)
  await clock.advance(60_000)
  assert.deepEqual([done, later.size], [[], 3])
  store.isUnavailable = false
  await clock.advance(5000)
  assert.deepEqual([done.toSorted(), later.size, clock.timers()], [['a', 'b', 'c'], 0, 0])
})

test('new work under a key replaces the work that waits under it', async () => {
  const { add, done, later, store } = setUp()
  add('a', 'first')
  add('a', 'second')
  store.isUnavailable = false
  await later.flush()
  assert.deepEqual(done, ['second'])
})

test('cancelled work is not done, and `cancel` says whether there was any', async () => {
  const { add, clock, done, givenUp, later, store } = setUp()
  add('a')
  add('b')
  assert.deepEqual([later.cancel('a'), later.cancel('a'), later.cancel('c')], [true, false, false])
  store.isUnavailable = false
  await clock.advance(5000)
  assert.deepEqual([done, givenUp, clock.timers()], [['b'], [], 0])
})

test('the work of one key can be tried ahead of the others, and keeps waiting when it fails', async () => {
  const { add, clock, done, later, store } = setUp()
  for (const key of ['a', 'b']) add(key)
  await later.tryNow('b')
  assert.equal(later.size, 2)
  store.isUnavailable = false
  await later.tryNow('b')
  await later.tryNow('c')
  assert.deepEqual([done, later.size], [['b'], 1])
  await clock.advance(5000)
  assert.deepEqual([done, clock.timers()], [['b', 'a'], 0])
})

test('past the size limit the oldest work is given up and reported', async () => {
  const { add, givenUp, later } = setUp(2)
  for (const key of ['a', 'b', 'c']) add(key)
  assert.deepEqual([givenUp, later.size], [['a'], 2])
  later[Symbol.dispose]()
  add('d')
  assert.deepEqual([givenUp, later.size], [['a', 'b', 'c', 'd'], 0])
})

test('work that always fails does not delay the others, and is given up in the end', async () => {
  const { add, clock, done, givenUp, later, store } = setUp()
  store.isUnavailable = false
  later.add('never', () => Promise.reject(new Error('no')))
  add('a')
  await clock.advance(1000)
  assert.deepEqual(done, ['a'])
  await clock.advance(2 * 3_600_000)
  assert.deepEqual([givenUp, clock.timers()], [['never'], 0])
})

test('close tries for some seconds and gives up the work that still fails', async () => {
  const { add, clock, done, givenUp, later, store } = setUp()
  for (const key of ['a', 'b']) add(key)
  const closed = later.close()
  await clock.advance(2000)
  store.isUnavailable = false
  await clock.advance(1000)
  await closed
  assert.deepEqual([done.toSorted(), givenUp, clock.timers()], [['a', 'b'], [], 0])
  const other = setUp()
  other.add('c')
  const left = other.later.close()
  await other.clock.advance(3000)
  await left
  assert.deepEqual([other.givenUp, other.clock.timers()], [['c'], 0])
})
