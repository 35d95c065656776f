// What the calls of a model have taught about its tokenizer, as sums that can be added up: least squares of relative error over
// the parts of the estimate, and how far actual figures lay from estimated ones. Values, and pure functions of them.
import { FEATURES_COUNT, PART_OF, PARTS, PARTS_COUNT } from './features.ts'

export interface Calibration {
  /** Calls that were observed; never forgotten. */
  readonly observations: number
  /** Sums of products of two parts, the lower triangle row by row, and of each part with the actual; the old fade. */
  readonly products: readonly number[]
  readonly targets: readonly number[]
  /** How often actual ÷ estimate fell into each of the steps from `RATIO_MIN`; the old fade. */
  readonly ratios: readonly number[]
}

/** How far a tokenizer may lie from its family's costs, as shares: all parts together, and each by itself. */
export interface Doubt {
  readonly common: number
  readonly own: number
}

export const DOUBT_KNOWN: Doubt = { common: 0.08, own: 0.08 }
export const DOUBT_GENERIC: Doubt = { common: 0.5, own: 0.5 }

/** What remains of an old call's say after one more: half after some 350. */
const FADE = 0.998
/** The ratios fade sooner, because the estimate they judged is no longer made. */
const RATIO_FADE = 0.995
/** The error that remains when all weights are right. */
const NOISE = 0.03
/** And what a short text adds to it: its words are few, and none stands for another. */
const NOISE_SHORT = 0.5
/** A figure further off than this factor teaches only so much: it may be the vendor's mistake. */
const OFF_MAX = 2
const RATIO_MIN = 0.5
const RATIO_STEP = 1.01
const RATIO_STEPS = 160
const SWEEPS_MAX = 200
const SETTLED = 1e-6
/** What vendors add to a message is not in the text, and what they add to a prompt may be a whole page. */
const OWN_DOUBT: Readonly<Record<string, number>> = { message: 1, prompt: 10 }

const UNSEEN_PART = PARTS.findIndex((part) => part.includes('rareByte'))

export const NOTHING_LEARNT: Calibration = {
  observations: 0,
  products: zeros((PARTS_COUNT * (PARTS_COUNT + 1)) / 2),
  targets: zeros(PARTS_COUNT),
  ratios: zeros(RATIO_STEPS),
}

/** Counted features as tokens by part, at a family's weights. */
export function partsOf(counts: ArrayLike<number>, weights: Float64Array): Float64Array {
  const parts = new Float64Array(PARTS_COUNT)
  for (let index = 0; index < FEATURES_COUNT; index += 1) {
    parts[PART_OF[index]!]! += (counts[index] ?? 0) * (weights[index] ?? 0)
  }
  return parts
}

/** What one call teaches: add it to what is known with `merge`. */
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

/** What is known and what was learnt after it. What was kept in another shape, by another version, counts for nothing. */
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

/** The family's weights, each part by the factor that fits best what was seen without straying further than it must. */
export function calibrated(weights: Float64Array, calibration: Calibration, doubt: Doubt): Float64Array {
  if (calibration.observations === 0) return weights
  const factors = solve(calibration, doubt)
  // Cheap runs of rare characters must not make the others cheap: their bytes are the bound, whatever was seen.
  factors[UNSEEN_PART] = Math.max(1, factors[UNSEEN_PART]!)
  return weights.map((weight, index) => weight * factors[PART_OF[index]!]!)
}

/** Coordinate by coordinate, none below zero: the function is convex and the parts are few. */
function solve({ products, targets }: Calibration, doubt: Doubt): Float64Array {
  const matrix = certainty(doubt)
  const goal = new Float64Array(PARTS_COUNT)
  // Before anything is seen the factors are one.
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

/** The inverse of the covariance that a doubt stands for: each part's own on the diagonal, the common one everywhere. */
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

/** What an estimate is multiplied by, so that a hold made from it covers the prompt. */
export function guardFactor({ observations, ratios }: Calibration): number {
  if (observations < GUARD_OBSERVATIONS_MIN) return GUARD_UNLEARNT
  const total = ratios.reduce((sum, count) => sum + count, 0)
  let beyond = 0
  let step = RATIO_STEPS - 1
  while (step > 0 && beyond + ratios[step]! <= total * (1 - GUARD_QUANTILE)) {
    beyond += ratios[step]!
    step -= 1
  }
  // The upper edge of the step that the quantile lies in, and one more: of a few hundred calls it is only known so well.
  return Math.min(Math.max(RATIO_MIN * RATIO_STEP ** (step + 2), GUARD_MIN), GUARD_MAX)
}

function stepOf(ratio: number): number {
  const step = Math.floor(Math.log(ratio / RATIO_MIN) / Math.log(RATIO_STEP))
  return Math.min(Math.max(step, 0), RATIO_STEPS - 1)
}

function zeros(length: number): number[] {
  return Array.from({ length }, () => 0)
}
