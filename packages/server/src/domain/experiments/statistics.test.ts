// The statistics of experiments, against known values and against simulated shoppers that are looked at again and again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { repeatedLooks } from '#fixtures/experiments/repeated-looks.ts'
import { OUTCOMES } from './outcomes.ts'
import {
  chiSquaredTail,
  differenceInterval,
  Moments,
  shareLow,
  splitCheck,
  UNITS_MIN,
  unitsNeeded,
} from './statistics.ts'

test('the tail of χ² has the values of the tables', () => {
  const table = [
    [3.841, 1, 0.05],
    [5.991, 2, 0.05],
    [16.919, 9, 0.05],
    [10.828, 1, 0.001],
    [0.003_93, 1, 0.95],
    [4.168, 9, 0.9],
    [0, 3, 1],
  ] as const
  for (const [value, degrees, p] of table) assert.ok(Math.abs(chiSquaredTail(value, degrees) - p) < 2e-4, `${value}`)
})

test('mean and variance are those of the plain formulas', () => {
  const values = fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: 2, maxLength: 50 })
  fc.assert(
    fc.property(values, (those) => {
      const moments = new Moments()
      for (const value of those) moments.add(value)
      const mean = those.reduce((sum, value) => sum + value, 0) / those.length
      const variance = those.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (those.length - 1)
      assert.ok(Math.abs(moments.sample.mean - mean) < 1e-6)
      assert.ok(Math.abs(moments.sample.variance - variance) < 1e-4)
    }),
  )
})

test('an interval contains its difference, is wider than a plain one, and narrows with more units', () => {
  const means = fc.double({ min: -10, max: 10, noNaN: true })
  fc.assert(
    fc.property(means, means, fc.integer({ min: UNITS_MIN, max: 1e6 }), (mean, other, units) => {
      const control = { units, mean: other, variance: 4 }
      const interval = differenceInterval({ units, mean, variance: 4 }, control)!
      const larger = differenceInterval({ units: 2 * units, mean, variance: 4 }, { ...control, units: 2 * units })!
      const plain = 1.96 * Math.sqrt(8 / units)
      assert.ok(interval.low < mean - other - plain && interval.high > mean - other + plain)
      assert.ok(larger.high - larger.low < interval.high - interval.low)
    }),
  )
})

test('an interval scales with its unit: costs in dollars or in millionths lead to the same verdict', () => {
  const [arm, control] = [
    { units: 500, mean: 1.2, variance: 2 },
    { units: 700, mean: 1, variance: 3 },
  ]
  const times = (factor: number) =>
    differenceInterval(
      { ...arm, mean: arm.mean * factor, variance: arm.variance * factor ** 2 },
      { ...control, mean: control.mean * factor, variance: control.variance * factor ** 2 },
    )!
  assert.ok(Math.abs(times(1e6).low / 1e6 - times(1).low) < 1e-9)
})

test('few units, or units that are all alike, have no interval', () => {
  const enough = { units: UNITS_MIN, mean: 0.5, variance: 0.25 }
  assert.ok(differenceInterval(enough, enough))
  assert.equal(differenceInterval({ ...enough, units: UNITS_MIN - 1 }, enough), undefined)
  assert.equal(differenceInterval(enough, { ...enough, variance: 0 }), undefined)
})

test('the lower end of a share is below the share, rises with more units, and falls with more confidence', () => {
  const of = (units: number, mean: number) => ({ units, mean, variance: mean * (1 - mean) })
  assert.equal(shareLow(of(100, 0)), 0)
  assert.ok(shareLow(of(1, 1)) < 0.05)
  assert.ok(shareLow(of(200, 0.1)) < shareLow(of(400, 0.1)))
  assert.ok(shareLow(of(1e6, 0.1)) > 0.098 && shareLow(of(1e6, 0.1)) < 0.1)
  assert.ok(shareLow(of(400, 0.1), 0.01) < shareLow(of(400, 0.1)))
  // The mixture's likelihood over that of 0.05, for 3 of 3: B(3.5, 0.5) / B(0.5, 0.5) / 0.05³ = 0.3125 / 0.05³ = 2500.
  assert.ok(Math.abs(shareLow(of(3, 1), 1 / 2500) - 0.05) < 1e-9)
})

test('a smaller effect needs more units, and looking at any time needs more than reading once', () => {
  // A share of 15 % and a relative effect of a tenth, by the usual formula: 2 × 0.1275 × 7.849 / 0.015².
  const small = unitsNeeded(0.1275, 0.015)!
  assert.equal(small.readOnce, 8896)
  assert.ok(small.atAnyTime > small.readOnce && small.atAnyTime < 2.5 * small.readOnce, `${small.atAnyTime}`)
  assert.ok(unitsNeeded(0.1275, -0.03)!.atAnyTime < small.atAnyTime)
  // The same with 2.5 %: 2 × 0.1275 × (2.2414 + 0.8416)² / 0.015².
  assert.equal(unitsNeeded(0.1275, 0.015, 0.025)!.readOnce, 10_773)
  assert.equal(unitsNeeded(0, 0.1), undefined)
  assert.equal(unitsNeeded(1, 0), undefined)
})

test('an even split is no mismatch, and one that lost a tenth of an arm is', () => {
  const split = (...units: readonly number[]) => splitCheck(units.map((count) => ({ units: count, weight: 1 })))
  assert.equal(split(5000, 5050).isMismatch, false)
  assert.equal(split(5000, 4500).isMismatch, true)
  assert.deepEqual(split(0, 0), { chiSquared: 0, p: 1, isMismatch: false })
})

test('without an effect, looking twenty times excludes zero no more often than promised', () => {
  const runs = Array.from({ length: 20 }, (_, index) => repeatedLooks({ seed: `aa-${index}`, count: 1500, looks: 20 }))
  for (const outcome of OUTCOMES) {
    const wrong = runs.filter((run) => run.outcomes[outcome].everExcludedZero).length
    assert.ok(wrong <= 1, `${outcome}: ${wrong} of ${runs.length}`)
  }
  assert.ok(runs.some((run) => OUTCOMES.some((outcome) => run.outcomes[outcome].plainEverExcludedZero)))
})

test('a planted effect is found, and its size is within the interval at all looks', () => {
  const lift = { thumbs: 1.6, cost: 0.7 }
  const runs = Array.from({ length: 10 }, (_, index) =>
    repeatedLooks({ seed: `ab-${index}`, count: 3000, looks: 20, lift }),
  )
  for (const outcome of ['thumbs-up', 'cost'] as const) {
    assert.ok(runs.filter((run) => run.outcomes[outcome].isFound).length >= 9, outcome)
    assert.ok(runs.filter((run) => run.outcomes[outcome].everExcludedTruth).length <= 1, outcome)
  }
})
