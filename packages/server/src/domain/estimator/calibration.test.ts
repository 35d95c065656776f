// Calibration by calls: factors that fit them, sums that can be added in any order, and a guard that covers what was observed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { seededFloats } from '#lib/collections/seeded-floats.ts'
import {
  calibrated,
  DOUBT_GENERIC,
  DOUBT_KNOWN,
  guardFactor,
  merge,
  NOTHING_LEARNT,
  observe,
  partsOf,
  estimateQuality,
} from './calibration.ts'
import type { Calibration, Doubt } from './calibration.ts'
import { GENERIC } from './families.ts'
import { FEATURES, PART_OF } from './features.ts'
import { weigh } from './token-counter.ts'

const { weights } = GENERIC

/** Counts like those of various prompts: every feature, from zero to thirty times. */
function someCounts(float: () => number): Float64Array {
  return Float64Array.from(FEATURES, () => Math.floor(float() * 31))
}

function learn(truth: Float64Array, calls: number, doubt: Doubt): { known: Calibration; learnt: Float64Array } {
  const float = seededFloats('learn')
  let known = NOTHING_LEARNT
  for (let call = 0; call < calls; call += 1) {
    const counts = someCounts(float)
    const estimated = weigh(counts, calibrated(weights, known, doubt))
    known = merge(known, observe(partsOf(counts, weights), estimated, weigh(counts, truth)))
  }
  return { known, learnt: calibrated(weights, known, doubt) }
}

test('without observations the family’s costs apply', () => {
  assert.deepEqual(calibrated(weights, NOTHING_LEARNT, DOUBT_GENERIC), weights)
})

test('a tokenizer that differs in each part is learnt from its calls', () => {
  const float = seededFloats('truth')
  const factors = Float64Array.from({ length: 40 }, () => 0.5 + float())
  const truth = weights.map((weight, at) => weight * factors[PART_OF[at]!]!)
  const { learnt } = learn(truth, 300, DOUBT_GENERIC)
  const fresh = seededFloats('fresh')
  for (let call = 0; call < 50; call += 1) {
    const counts = someCounts(fresh)
    assert.ok(Math.abs(weigh(counts, learnt) / weigh(counts, truth) - 1) < 0.02)
  }
})

test('no cost becomes negative, whatever is observed', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(1000), fc.nat(100_000)), { minLength: 1, maxLength: 20 }), (calls) => {
      const float = seededFloats('any')
      const known = calls.reduce((sum, [estimated, actual]) => {
        return merge(sum, observe(partsOf(someCounts(float), weights), estimated + 1, actual + 1))
      }, NOTHING_LEARNT)
      assert.ok(calibrated(weights, known, DOUBT_KNOWN).every((weight) => weight >= 0 && Number.isFinite(weight)))
    }),
  )
})

test('one absurd figure changes the estimate only within a limit', () => {
  const counts = someCounts(seededFloats('outlier'))
  const estimated = weigh(counts, weights)
  const after = (actual: number) =>
    weigh(counts, calibrated(weights, observe(partsOf(counts, weights), estimated, actual), DOUBT_KNOWN))
  assert.equal(after(estimated * 1000), after(estimated * 2))
  assert.equal(after(1), after(estimated / 2))
  assert.ok(after(estimated * 1000) < 2 * estimated)
})

test('the calibrations of two nodes add up to nearly the same in either order', () => {
  const float = seededFloats('order')
  const some = (ratio: number) => observe(partsOf(someCounts(float), weights), 1000, 1000 * ratio)
  const [left, right] = [merge(some(1.1), some(1.2)), merge(some(0.9), some(1.05))]
  const [one, other] = [merge(left, right), merge(right, left)]
  assert.equal(one.observations, other.observations)
  const counts = someCounts(float)
  const tokens = (known: Calibration) => weigh(counts, calibrated(weights, known, DOUBT_KNOWN))
  assert.ok(Math.abs(tokens(one) / tokens(other) - 1) < 0.005)
})

test('the guard is 1.25 until twenty calls were observed, then their 99th percentile within its bounds', () => {
  const seen = (ratios: readonly number[]) =>
    guardFactor(
      ratios.reduce((sum, ratio) => merge(sum, observe(new Float64Array(40), 1000, 1000 * ratio)), NOTHING_LEARNT),
    )
  assert.equal(seen([]), 1.25)
  assert.equal(seen(Array.from({ length: 19 }, () => 1)), 1.25)
  assert.equal(seen(Array.from({ length: 20 }, () => 1)), 1.05)
  assert.equal(seen(Array.from({ length: 20 }, () => 5)), 1.6)
  const tail = seen(Array.from({ length: 60 }, (_, index) => (index % 20 === 0 ? 1.3 : 1)))
  assert.ok(tail >= 1.3 && tail <= 1.33, `${tail}`)
})

test('the quality is that of recent calls: bias with its sign, error without, and the share within a tenth', () => {
  assert.deepEqual(estimateQuality(NOTHING_LEARNT), {
    observations: 0,
    isCalibrated: false,
    bias: null,
    error: null,
    confidence: null,
  })
  const parts = partsOf(someCounts(seededFloats('quality')), weights)
  // Half of the estimates a quarter too high, half a fifth too low.
  let known = NOTHING_LEARNT
  for (let call = 0; call < 400; call += 1) known = merge(known, observe(parts, 1000, call % 2 === 0 ? 800 : 1250))
  const off = estimateQuality(known)
  const isNear = (value: number | null, expected: number) => Math.abs((value ?? NaN) - expected) < 0.01
  assert.deepEqual(
    [isNear(off.bias, 0.025), isNear(off.error, 0.225), off.confidence, off.isCalibrated, off.observations],
    [true, true, 0, true, 400],
  )
  for (let call = 0; call < 2000; call += 1) known = merge(known, observe(parts, 1000, 1000))
  const good = estimateQuality(known)
  assert.deepEqual([isNear(good.bias, 0), isNear(good.error, 0), good.confidence === null], [true, true, false])
  assert.ok((good.confidence ?? 0) > 0.99)
})
