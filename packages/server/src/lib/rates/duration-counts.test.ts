// Percentiles from counts by bucket.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketOf, within } from './duration-counts.ts'

const LIMITS = [100, 200, 400]

test('a duration is counted in the bucket that it does not exceed, or beyond the last', () => {
  assert.deepEqual(
    [0, 100, 101, 400, 401].map((value) => bucketOf(LIMITS, value)),
    [0, 0, 1, 2, 3],
  )
})

test('a percentile is interpolated in its bucket, at most the last limit, and null of nothing', () => {
  assert.equal(within(LIMITS, [0, 4], 0.5), 150)
  assert.equal(within(LIMITS, [5, 5, 10], 0.75), 300)
  assert.equal(within(LIMITS, [0, 0, 0, 3], 0.5), 400)
  assert.equal(within(LIMITS, [0, 0], 0.5), null)
})
