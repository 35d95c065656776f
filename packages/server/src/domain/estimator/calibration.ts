// Calibrates the token estimate of a model by its calls: the sums of a least-squares fit of the relative error over the parts of
// the estimate, and a histogram of actual ÷ estimate. Sums of several nodes can be added. Values and pure functions.
import { FEATURES_COUNT, PART_OF, PARTS, PARTS_COUNT } from './features.ts'

export interface Calibration {
  /** How many calls were observed; does not fade. */
  readonly observations: number
  /** Sums of the products of two parts, as the lower triangle row by row; old observations fade. */
  readonly products: readonly number[]
  /** Sums of the products of each part and the actual figure; old observations fade. */
  readonly targets: readonly number[]
  /** Histogram of actual ÷ estimate in steps from `RATIO_MIN` on; old observations fade. */
  readonly ratios: readonly number[]
}

/** How far a tokenizer may differ from its family's costs, as shares (standard deviations of a prior). */
export interface Doubt {
  /** All parts together. */
  readonly common: number
  /** Each part by itself. */
  readonly own: number
}

export const DOUBT_KNOWN: Doubt = { common: 0.08, own: 0.08 }
export const DOUBT_GENERIC: Doubt = { common: 0.5, own: 0.5 }

/** The weight that an old observation keeps per new one: half after about 350. */
const FADE = 0.998
/** Ratios fade sooner, because they compare with estimates of older weights. */
const RATIO_FADE = 0.995
/** The relative error that remains when all weights are right. */
const NOISE = 0.03
/** The additional error of a short text, whose few words do not average out. */
const NOISE_SHORT = 0.5
/** An actual figure is limited to this factor of the estimate, because the vendor's figure may be wrong. */
const OFF_MAX = 2
const RATIO_MIN = 0.5
const RATIO_STEP = 1.01
const RATIO_STEPS = 160
const SWEEPS_MAX = 200
const SETTLED = 1e-6
/** Doubt of single parts: vendors add tokens to a message that are not in its text, and possibly a page of text to a prompt. */
const OWN_DOUBT: Readonly<Record<string, number>> = { message: 1, prompt: 10 }

const UNSEEN_PART = PARTS.findIndex((part) => part.includes('rareByte'))

export const NOTHING_LEARNT: Calibration = {
  observations: 0,
  products: zeros((PARTS_COUNT * (PARTS_COUNT + 1)) / 2),
  targets: zeros(PARTS_COUNT),
  ratios: zeros(RATIO_STEPS),
}

/** The tokens of each part, from counted features and the weights of a family. */
export function partsOf(counts: ArrayLike<number>, weights: Float64Array): Float64Array {
  const parts = new Float64Array(PARTS_COUNT)
  for (let index = 0; index < FEATURES_COUNT; index += 1) {
    parts[PART_OF[index]!]! += (counts[index] ?? 0) * (weights[index] ?? 0)
  }
  return parts
}

/** The calibration from one call; `merge` adds it to what is known. */
export function observe(parts: Float64Array, estimated: number, actual: number): Calibration {
  const believed = Math.min(Math.max(actual, estimated / OFF_MAX), estimated * OFF_MAX)
  const unit = 1 / (believed * Math.sqrt(NOISE ** 2 + NOISE_SHORT / believed))
  const products: number[] = []
  for (let row = 0; row < PARTS_COUNT; row += 1) {
    for (let column = 0; column <= row; column += 1) products.push(parts[row]! * unit * (parts[column]! * unit))
  }
  const targets = Array.from(parts, (part) => part * unit * (believed * unit))
  const ratios: number[] = zeros(RATIO_STEPS)
  ratios[stepOf(actual / estimated)] = 1
  return { observations: 1, products, targets, ratios }
}

/** Adds what was learnt to what is known. A known calibration of another shape, stored by another version, is dropped. */
export function merge(known: Calibration, learnt: Calibration): Calibration {
  if (!isInShape(known)) return learnt
  const [fade, ratioFade] = [FADE ** learnt.observations, RATIO_FADE ** learnt.observations]
  const sum = (olds: readonly number[], news: readonly number[], share: number) =>
    olds.map((old, index) => old * share + (news[index] ?? 0))
  return {
    observations: known.observations + learnt.observations,
    products: sum(known.products, learnt.products, fade),
    targets: sum(known.targets, learnt.targets, fade),
    ratios: sum(known.ratios, learnt.ratios, ratioFade),
  }
}

function isInShape({ products, targets, ratios }: Calibration): boolean {
  const [expected, given] = [NOTHING_LEARNT, { products, targets, ratios }]
  return (['products', 'targets', 'ratios'] as const).every((name) => given[name].length === expected[name].length)
}

/** The family's weights, with each part multiplied by the factor that fits the observations best within the doubt. */
export function calibrated(weights: Float64Array, calibration: Calibration, doubt: Doubt): Float64Array {
  if (calibration.observations === 0) return weights
  const factors = solve(calibration, doubt)
  // Runs of rare characters that turned out cheap must not lower the cost of other rare characters below their bytes.
  factors[UNSEEN_PART] = Math.max(1, factors[UNSEEN_PART]!)
  return weights.map((weight, index) => weight * factors[PART_OF[index]!]!)
}

/** Solves by coordinate descent with factors of at least zero: the function is convex and there are few parts. */
function solve({ products, targets }: Calibration, doubt: Doubt): Float64Array {
  const matrix = certainty(doubt)
  const goal = new Float64Array(PARTS_COUNT)
  // The prior: without observations all factors are one.
  for (let row = 0; row < PARTS_COUNT; row += 1) {
    for (let column = 0; column < PARTS_COUNT; column += 1) goal[row]! += matrix[row * PARTS_COUNT + column]!
    goal[row]! += targets[row]!
  }
  let next = 0
  for (let row = 0; row < PARTS_COUNT; row += 1) {
    for (let column = 0; column <= row; column += 1, next += 1) {
      matrix[row * PARTS_COUNT + column]! += products[next]!
      if (column !== row) matrix[column * PARTS_COUNT + row]! += products[next]!
    }
  }
  return descend(matrix, goal)
}

function descend(matrix: Float64Array, goal: Float64Array): Float64Array {
  const factors = new Float64Array(PARTS_COUNT).fill(1)
  for (let sweep = 0; sweep < SWEEPS_MAX; sweep += 1) {
    let moved = 0
    for (let row = 0; row < PARTS_COUNT; row += 1) {
      let rest = goal[row]!
      for (let column = 0; column < PARTS_COUNT; column += 1) {
        rest -= matrix[row * PARTS_COUNT + column]! * factors[column]!
      }
      const factor = Math.max(0, factors[row]! + rest / matrix[row * PARTS_COUNT + row]!)
      moved = Math.max(moved, Math.abs(factor - factors[row]!))
      factors[row] = factor
    }
    if (moved < SETTLED) break
  }
  return factors
}

/** The inverse of the prior's covariance: each part's own doubt on the diagonal, the common doubt everywhere. */
function certainty({ common, own }: Doubt): Float64Array {
  const each = Float64Array.from(PARTS, ([feature = '']) => 1 / (OWN_DOUBT[feature] ?? own) ** 2)
  const shared = 1 / (1 / common ** 2 + each.reduce((sum, value) => sum + value, 0))
  return new Float64Array(PARTS_COUNT * PARTS_COUNT).map((_, index) => {
    const [row, column] = [Math.floor(index / PARTS_COUNT), index % PARTS_COUNT]
    return (row === column ? each[row]! : 0) - each[row]! * each[column]! * shared
  })
}

const GUARD_UNLEARNT = 1.25
const GUARD_OBSERVATIONS_MIN = 20
const GUARD_MIN = 1.05
const GUARD_MAX = 1.6
const GUARD_QUANTILE = 0.99

/** The factor by which a hold exceeds the estimate, so that it covers the prompt. */
export function guardFactor({ observations, ratios }: Calibration): number {
  if (observations < GUARD_OBSERVATIONS_MIN) return GUARD_UNLEARNT
  const total = ratios.reduce((sum, count) => sum + count, 0)
  let beyond = 0
  let step = RATIO_STEPS - 1
  while (step > 0 && beyond + ratios[step]! <= total * (1 - GUARD_QUANTILE)) {
    beyond += ratios[step]!
    step -= 1
  }
  // The upper edge of the quantile's step plus one step, because a few hundred calls give the quantile only that precisely.
  return Math.min(Math.max(RATIO_MIN * RATIO_STEP ** (step + 2), GUARD_MIN), GUARD_MAX)
}

export interface EstimateQuality {
  /** The calls that were compared, of all nodes. */
  readonly observations: number
  /**
   * Whether the estimate uses this model's own observations. Before a minimum of calls it uses the costs of the family
   * and a fixed guard factor.
   */
  readonly isCalibrated: boolean
  /** The mean of (estimate − actual) ÷ actual over the last few hundred calls; null before the first, as are the others. */
  readonly bias: number | null
  /** The mean of its size, whatever its sign. */
  readonly error: number | null
  /** The share of calls whose estimate was within `CONFIDENT` of the actual figure. */
  readonly confidence: number | null
}

const CONFIDENT = 0.1

/** How good the estimates were, by the histogram of actual ÷ estimate: to about a percent, and nothing beyond its ends. */
export function estimateQuality({ observations, ratios }: Calibration): EstimateQuality {
  const total = ratios.reduce((sum, count) => sum + count, 0)
  const mean = (of: (off: number) => number): number | null =>
    total === 0 ? null : ratios.reduce((sum, count, step) => sum + count * of(offAt(step)), 0) / total
  return {
    observations,
    isCalibrated: observations >= GUARD_OBSERVATIONS_MIN,
    bias: mean((off) => off),
    error: mean(Math.abs),
    confidence: mean((off) => (Math.abs(off) <= CONFIDENT ? 1 : 0)),
  }
}

/** (estimate − actual) ÷ actual in the middle of a step. */
function offAt(step: number): number {
  return 1 / (RATIO_MIN * RATIO_STEP ** (step + 0.5)) - 1
}

function stepOf(ratio: number): number {
  const step = Math.floor(Math.log(ratio / RATIO_MIN) / Math.log(RATIO_STEP))
  return Math.min(Math.max(step, 0), RATIO_STEPS - 1)
}

function zeros(length: number): number[] {
  return Array.from({ length }, () => 0)
}
