// Always-valid statistics of a difference between two arms: the interval holds at all looks together, so a report may be
// read at any time and acted on. Pure. The decision: docs/decisions/2026-11-16-experiments-always-valid-intervals.md.

/** Mean and variance of an outcome over units; each unit counts once, with the mean of its turns. */
export interface Sample {
  readonly units: number
  readonly mean: number
  /** Between units, with the usual n − 1. */
  readonly variance: number
}

export interface Interval {
  readonly low: number
  readonly high: number
}

/** The share of experiments without an effect whose interval ever excludes it, at most. */
export const ALPHA = 0.05
/** The interval is tightest, relative to a fixed one, when each arm has about this many units. */
const TUNED_FOR_UNITS = 5000
/** With fewer units in an arm its mean is not nearly normal, and there is no interval. */
export const UNITS_MIN = 100
/** A split as uneven as this by chance has a p-value below it; it is low because the split too is looked at often. */
export const MISMATCH_P = 0.001

/** Sums of an outcome over units, in one pass and without cancellation (Welford). */
export class Moments {
  units = 0
  #mean = 0
  #squares = 0

  add(value: number): void {
    this.units += 1
    const before = value - this.#mean
    this.#mean += before / this.units
    this.#squares += before * (value - this.#mean)
  }

  get sample(): Sample {
    return { units: this.units, mean: this.#mean, variance: this.units > 1 ? this.#squares / (this.units - 1) : 0 }
  }
}

/**
 * The asymptotic confidence sequence of a normal mixture (Waudby-Smith et al., "Time-uniform central limit theory and
 * asymptotic confidence sequences"), for the difference of two means. Undefined while there are too few units.
 */
export function differenceInterval(arm: Sample, control: Sample, alpha: number = ALPHA): Interval | undefined {
  if (Math.min(arm.units, control.units) < UNITS_MIN) return undefined
  const variance = arm.variance / arm.units + control.variance / control.units
  // No unit has differed from the others yet: the data say nothing about how much they vary.
  if (arm.variance === 0 || control.variance === 0) return undefined
  const radius = radiusOf(variance, { ofUnit: pooled(arm, control), alpha })
  const difference = arm.mean - control.mean
  return { low: difference - radius, high: difference + radius }
}

/**
 * The lower end of an always-valid interval for the mean of values from 0 to 1: a mean below it makes the data 1/alpha times
 * less likely than a Beta(½, ½) mixture of means does (Robbins; by convexity also for values between 0 and 1). It is valid from
 * the first unit on, however rare the ones are.
 */
export function shareLow({ units, mean }: Sample, alpha: number = ALPHA): number {
  const ones = units * mean
  const zeros = Math.max(0, units - ones)
  const mixture = logBeta(ones + 0.5, zeros + 0.5) - logBeta(0.5, 0.5)
  let [low, high] = [0, mean]
  for (let step = 0; step < HALVINGS; step += 1) {
    const middle = (low + high) / 2
    if (mixture - ones * Math.log(middle) - zeros * Math.log1p(-middle) >= -Math.log(alpha)) low = middle
    else high = middle
  }
  return low
}

const logBeta = (one: number, other: number): number => logGamma(one) + logGamma(other) - logGamma(one + other)

/** Half the width of the interval for an estimate of this variance, where one unit has the variance `ofUnit`. */
function radiusOf(variance: number, { ofUnit, alpha }: { readonly ofUnit: number; readonly alpha: number }): number {
  const tuning = -2 * Math.log(alpha) + Math.log(1 - 2 * Math.log(alpha))
  const mixture = (tuning * 2 * ofUnit) / TUNED_FOR_UNITS
  return Math.sqrt(variance * (1 + variance / mixture) * Math.log((1 + mixture / variance) / alpha ** 2))
}

function pooled(one: Sample, other: Sample): number {
  const weights = one.units - 1 + other.units - 1
  return (one.variance * (one.units - 1) + other.variance * (other.units - 1)) / weights
}

export interface UnitsNeeded {
  /** Units in each arm for a test that is read once, at its end. */
  readonly readOnce: number
  /** Units in each arm so that the always-valid interval excludes zero at that time. */
  readonly atAnyTime: number
}

/** The deviate of a power of 80 %. */
const Z_POWER = 0.841_621
const UNITS_LIMIT = 1e12

/** How many units each arm needs to find a difference of this size in four of five experiments that have it. */
export function unitsNeeded(variance: number, difference: number, alpha: number = ALPHA): UnitsNeeded | undefined {
  if (variance <= 0 || difference === 0) return undefined
  const size = Math.abs(difference)
  const readOnce = Math.ceil((2 * variance * (deviateOf(alpha) + Z_POWER) ** 2) / size ** 2)
  const isEnough = (units: number) => {
    const ofEstimate = (2 * variance) / units
    return radiusOf(ofEstimate, { ofUnit: variance, alpha }) + Z_POWER * Math.sqrt(ofEstimate) <= size
  }
  if (readOnce >= UNITS_LIMIT) return undefined
  let [low, high] = [readOnce, readOnce * 2]
  while (!isEnough(high)) [low, high] = [high, high * 2]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isEnough(middle)) high = middle
    else low = middle
  }
  return { readOnce: Math.max(readOnce, UNITS_MIN), atAnyTime: Math.max(high, UNITS_MIN) }
}

/** How many standard deviations a normal value passes, in either direction, with this probability. */
function deviateOf(probability: number): number {
  let [low, high] = [0, DEVIATE_MAX]
  for (let step = 0; step < HALVINGS; step += 1) {
    const middle = (low + high) / 2
    if (chiSquaredTail(middle ** 2, 1) > probability) low = middle
    else high = middle
  }
  return high
}

const DEVIATE_MAX = 10
/** Until a bisection is as exact as a number. */
const HALVINGS = 60

export interface SplitCheck {
  readonly chiSquared: number
  readonly p: number
  /** The units are not split by the weights: something loses or repeats units of an arm, and no figure can be trusted. */
  readonly isMismatch: boolean
}

/** Pearson's χ² of the counted units against the weights of their arms. */
export function splitCheck(arms: readonly { readonly units: number; readonly weight: number }[]): SplitCheck {
  const known = arms.filter(({ weight }) => weight > 0)
  const units = known.reduce((sum, arm) => sum + arm.units, 0)
  const weight = known.reduce((sum, arm) => sum + arm.weight, 0)
  if (units === 0 || known.length < 2) return { chiSquared: 0, p: 1, isMismatch: false }
  const chiSquared = known.reduce((sum, arm) => {
    const expected = (units * arm.weight) / weight
    return sum + (arm.units - expected) ** 2 / expected
  }, 0)
  const p = chiSquaredTail(chiSquared, known.length - 1)
  return { chiSquared, p, isMismatch: p < MISMATCH_P }
}

/** The probability of a value at least this large. */
export function chiSquaredTail(value: number, degrees: number): number {
  const [shape, x] = [degrees / 2, value / 2]
  if (x <= 0) return 1
  const scale = Math.exp(shape * Math.log(x) - x - logGamma(shape))
  return x < shape + 1 ? 1 - scale * lowerSeries(shape, x) : scale * upperFraction(shape, x)
}

const TERMS_MAX = 500
const PRECISION = 1e-14

function lowerSeries(shape: number, x: number): number {
  let term = 1 / shape
  let sum = term
  for (let step = 1; step < TERMS_MAX && term > sum * PRECISION; step += 1) {
    term *= x / (shape + step)
    sum += term
  }
  return sum
}

/** Lentz's continued fraction. */
function upperFraction(shape: number, x: number): number {
  let b = x + 1 - shape
  let [c, d] = [1 / Number.MIN_VALUE ** 0.5, 1 / b]
  let result = d
  for (let step = 1; step < TERMS_MAX; step += 1) {
    const a = -step * (step - shape)
    b += 2
    d = 1 / (a * d + b)
    c = b + a / c
    const factor = c * d
    result *= factor
    if (Math.abs(factor - 1) < PRECISION) break
  }
  return result
}

/** Lanczos's approximation with seven terms. */
function logGamma(x: number): number {
  const terms = [
    76.180_091_729_471_5, -86.505_320_329_416_8, 24.014_098_240_830_9, -1.231_739_572_450_155,
    0.001_208_650_973_866_179, -0.000_005_395_239_384_953,
  ]
  const shifted = x + 5.5
  const sum = terms.reduce((total, term, index) => total + term / (x + index + 1), 1.000_000_000_190_015)
  return Math.log((Math.sqrt(2 * Math.PI) * sum) / x) - shifted + (x + 0.5) * Math.log(shifted)
}
