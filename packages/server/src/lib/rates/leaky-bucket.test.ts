// Chunks of a token bucket: never more than its rate and burst allow, whatever is returned in between.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { putBack, takeUpTo } from './leaky-bucket.ts'
import type { BucketLevel } from './leaky-bucket.ts'

const RATE = { perSecond: 10, burst: 20 }
const AT = 1_790_000_000_000

test('a full bucket grants its burst, then what has refilled', () => {
  const first = takeUpTo(RATE, undefined, { tokens: 15, now: AT })
  assert.equal(first.granted, 15)
  const second = takeUpTo(RATE, first.level, { tokens: 15, now: AT })
  assert.deepEqual([second.granted, second.retryAfterMs], [5, 0])
  const third = takeUpTo(RATE, second.level, { tokens: 1, now: AT })
  assert.deepEqual([third.granted, third.retryAfterMs], [0, 100])
  assert.equal(third.level, second.level)
  assert.equal(takeUpTo(RATE, third.level, { tokens: 5, now: AT + 100 }).granted, 1)
  assert.equal(takeUpTo(RATE, third.level, { tokens: 50, now: AT + 60_000 }).granted, 20)
})

test('returned tokens can be taken again; tokens that have refilled meanwhile are not returned twice', () => {
  const { level } = takeUpTo(RATE, undefined, { tokens: 20, now: AT })
  assert.ok(level !== undefined)
  assert.equal(takeUpTo(RATE, putBack(RATE, level, { tokens: 8, takenAt: AT }), { tokens: 20, now: AT }).granted, 8)
  // At AT + 3 s the bucket was full again, so only the second chunk is missing from it.
  const later = takeUpTo(RATE, level, { tokens: 20, now: AT + 3000 }).level
  assert.ok(later !== undefined)
  assert.equal(
    takeUpTo(RATE, putBack(RATE, later, { tokens: 8, takenAt: AT }), { tokens: 20, now: AT + 3000 }).granted,
    0,
  )
})

const step = fc.record({
  afterMs: fc.constantFrom(0, 0, 1, 50, 100, 999, 5000),
  tokens: fc.integer({ min: 1, max: 25 }),
  givesBack: fc.nat(25),
})

test('in any span the tokens taken and not returned are at most the burst plus the refill', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let level: BucketLevel | undefined
      let now = AT
      const kept: { at: number; tokens: number }[] = []
      for (const { afterMs, tokens, givesBack } of steps) {
        now += afterMs
        const taking = takeUpTo(RATE, level, { tokens, now })
        level = taking.level
        const back = Math.min(givesBack, taking.granted)
        if (level !== undefined && back > 0) level = putBack(RATE, level, { tokens: back, takenAt: now })
        kept.push({ at: now, tokens: taking.granted - back })
        for (const { at: from } of kept) {
          const sum = kept.filter(({ at }) => at >= from).reduce((total, one) => total + one.tokens, 0)
          assert.ok(sum <= RATE.burst + ((now - from) * RATE.perSecond) / 1000 + 1e-6)
        }
      }
    }),
  )
})
