// The short rates of a key: what they refuse, for how long, and how a take is undone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RateBook } from './rate-book.ts'

const LIMITS = { bucket: { perSecond: 1, burst: 3 }, perMinute: 5 }

test('a check takes nothing', () => {
  const book = new RateBook()
  for (let checks = 0; checks < 10; checks += 1) {
    assert.deepEqual(book.check('a', LIMITS, 1000), { usedInWindow: 0, windowResetMs: 0 })
  }
})

test('the bucket refuses past its burst, the window past its limit, each with the wait that ends it', () => {
  const book = new RateBook()
  for (let takes = 0; takes < 3; takes += 1) book.take('a', LIMITS, 0)
  assert.deepEqual(book.check('a', LIMITS, 0).refusal, { by: 'bucket', retryAfterMs: 1000 })
  assert.throws(() => book.take('a', LIMITS, 0))
  book.take('a', LIMITS, 1000)
  book.take('a', LIMITS, 2000)
  assert.deepEqual(book.check('a', LIMITS, 10_000), {
    usedInWindow: 5,
    windowResetMs: 50_000,
    refusal: { by: 'window', retryAfterMs: 50_000 },
  })
  assert.equal(book.check('a', LIMITS, 60_000).refusal, undefined)
  assert.equal(book.check('b', LIMITS, 0).refusal, undefined)
})

test('when both refuse, the longer wait is returned, so that a caller that waits is not refused again', () => {
  const book = new RateBook()
  const limits = { bucket: { perSecond: 1, burst: 3 }, perMinute: 3 }
  for (let takes = 0; takes < 3; takes += 1) book.take('a', limits, 0)
  const { refusal } = book.check('a', limits, 0)
  assert.deepEqual(refusal, { by: 'window', retryAfterMs: 60_000 })
  assert.equal(book.check('a', limits, refusal.retryAfterMs).refusal, undefined)
})

test('any take can be undone, as far as it has not refilled already', () => {
  const limits = { bucket: LIMITS.bucket, perMinute: 100 }
  const book = new RateBook()
  for (let takes = 0; takes < 3; takes += 1) book.take('a', limits, takes)
  assert.equal(book.check('a', limits, 2).refusal?.by, 'bucket')
  book.undo('a', 0)
  book.undo('a', 0)
  assert.deepEqual(book.check('a', limits, 2), { usedInWindow: 2, windowResetMs: 59_999 })
  book.take('a', limits, 2)
  assert.equal(book.check('a', limits, 2).refusal?.by, 'bucket')
  // The bucket has been full since: only the window still counts this take.
  for (let takes = 0; takes < 3; takes += 1) book.take('a', limits, 10_000)
  book.undo('a', 1)
  assert.deepEqual(
    [book.check('a', limits, 10_000).refusal?.by, book.check('a', limits, 10_000).usedInWindow],
    ['bucket', 5],
  )
  book.undo('unknown', 0)
})

test('no minute holds more than its limit, at any pace and with any number of keys', () => {
  const arrivals = fc.array(fc.record({ gapMs: fc.nat(20_000), key: fc.constantFrom('a', 'b', 'c') }), {
    maxLength: 200,
  })
  fc.assert(
    fc.property(arrivals, (all) => {
      const book = new RateBook()
      const taken: Record<string, number[]> = { a: [], b: [], c: [] }
      let now = 0
      for (const { gapMs, key } of all) {
        now += gapMs
        if (book.check(key, LIMITS, now).refusal !== undefined) continue
        book.take(key, LIMITS, now)
        const moments = taken[key] ?? []
        moments.push(now)
        assert.ok(moments.filter((moment) => moment > now - 60_000).length <= LIMITS.perMinute)
      }
    }),
  )
})
