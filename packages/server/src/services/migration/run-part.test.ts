// How a part of a move is run: few items at a time, again while a store is unavailable, and not past a failure.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import type { ForEach, Part } from './part.ts'
import { movePart, verifyPart } from './run-part.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

function partOf(move: (each: ForEach) => Promise<void>): Part {
  const verify: Part['verify'] = async (each, differs) =>
    each(numbers(30), async (number) => (number % 2 === 0 ? differs(`item ${number}`) : undefined))
  return { name: 'items', store: 'memory', total: 100, move, verify }
}

test('every item is worked on once, at most sixteen at a time, and counted', async () => {
  const clock = manualClock()
  let [running, most] = [0, 0]
  const seen: number[] = []
  const part = partOf((each) =>
    each(numbers(100), async (number) => {
      running += 1
      most = Math.max(most, running)
      await clock.sleep(10)
      seen.push(number)
      running -= 1
      return number === 7 ? 5 : undefined
    }),
  )
  let reported = 0
  const moved = movePart(part, { clock, onProgress: (_, count) => (reported = count) })
  await clock.advance(1000)
  const done = await moved
  assert.deepEqual([done, reported, most], [104, 104, 16])
  assert.deepEqual(
    seen.toSorted((a, b) => a - b),
    numbers(100),
  )
})

test('an item whose store is unavailable is tried again, with pauses', async () => {
  const clock = manualClock()
  let tries = 0
  const part = partOf((each) =>
    each([1], async () => {
      tries += 1
      if (tries < 4) throw new StoreUnavailable('late')
    }),
  )
  const moved = movePart(part, { clock, onProgress: () => {} })
  await clock.advance(700)
  assert.equal(await moved, 1)
  assert.equal(tries, 4)
})

test('another failure ends the part, after the items that have begun', async () => {
  let ended = 0
  const part = partOf((each) =>
    each(numbers(100), async (number) => {
      if (number === 3) throw new RangeError('broken')
      await Promise.resolve()
      ended += 1
    }),
  )
  await assert.rejects(movePart(part, { clock: manualClock(), onProgress: () => {} }), RangeError)
  assert.ok(ended < 40)
})

test('all differences are counted, and the first ten are named', async () => {
  const part = partOf(async () => {})
  const { different, done, examples } = await verifyPart(part, { clock: manualClock(), onProgress: () => {} })
  assert.deepEqual([different, done, examples.length], [15, 30, 10])
  assert.equal(examples[0], 'item 0')
})
