// Trains the judgement of complexity: a softmax over three levels by AdaGrad, with L2. `training/complexity/README.md`
// says how the numbers were chosen.
import { LEVELS_COUNT, probabilitiesOf, runScale } from '../src/understanding/complexity/model.ts'
import type { ComplexityWeights } from '../src/understanding/complexity/model.ts'
import type { ComplexityFeatures } from '../src/understanding/complexity/features.ts'
import { SURE_FROM } from '../src/understanding/complexity/judge.ts'
import { BIAS } from '../src/understanding/complexity/features.ts'
import { COMPLEXITIES } from '../src/understanding/complexity.ts'
import { packedTable } from '../src/understanding/model/weights.ts'
import { numberFeatures, shuffled } from './numbering.ts'

export interface ComplexityExample {
  readonly writer: string
  readonly features: ComplexityFeatures
  /** The place of the level in `COMPLEXITIES`. */
  readonly level: number
}

const EPOCHS = 20
const RATE = 0.02
const DECAY = 1e-3
/** A complex message counts more while learning; it is taken back out of the scores, so that probabilities stay true. */
const COMPLEX_WEIGHT = 3
/** By messages that were read by weights which had not seen their writer; what training itself reads is read too well. */
const TEMPERATURE = 1.1
const COMPLEX = COMPLEXITIES.indexOf('complex')
const WEIGHT_MIN = 0.01
const FOLDS = 10

type Scored = (features: ComplexityFeatures) => Float64Array

interface TrainedLevels {
  readonly rows: ReadonlyMap<number, Float64Array>
  readonly scores: Scored
}

export function trainLevels(examples: readonly ComplexityExample[]): TrainedLevels {
  const known = numberFeatures(examples.flatMap(({ features: { facts, runs } }) => [facts, runs]))
  const values = new Float64Array(known.size * LEVELS_COUNT)
  const squares = new Float64Array(values.length).fill(1e-2)
  const prepared = examples.map(({ features, level }) => ({ inputs: inputsOf(features, known), level }))
  for (let epoch = 0; epoch < EPOCHS; epoch += 1)
    for (const { inputs, level } of shuffled(prepared, epoch)) {
      const weight = level === COMPLEX ? COMPLEX_WEIGHT : 1
      const errors = probabilitiesOf(scoresOf(inputs, values), 1).map(
        (p, index) => weight * (p - (index === level ? 1 : 0)),
      )
      for (const { row, size } of inputs)
        for (let label = 0; label < LEVELS_COUNT; label += 1) {
          const cell = row * LEVELS_COUNT + label
          const gradient = errors[label]! * size + DECAY * values[cell]!
          squares[cell]! += gradient * gradient
          values[cell]! -= (RATE * gradient) / Math.sqrt(squares[cell]!)
        }
    }
  const bias = known.get(BIAS)
  if (bias !== undefined) values[bias * LEVELS_COUNT + COMPLEX]! -= Math.log(COMPLEX_WEIGHT)
  const rows = new Map<number, Float64Array>()
  for (const [feature, row] of known) rows.set(feature, values.slice(row * LEVELS_COUNT, (row + 1) * LEVELS_COUNT))
  return { rows, scores: (features) => scoresOf(inputsOf(features, known), values) }
}

interface Input {
  readonly row: number
  readonly size: number
}

function inputsOf(features: ComplexityFeatures, known: ReadonlyMap<number, number>): readonly Input[] {
  const scaled = (hashes: Uint32Array, size: number) =>
    [...hashes].flatMap((hash): Input[] => {
      const row = known.get(hash)
      return row === undefined ? [] : [{ row, size }]
    })
  return [...scaled(features.facts, 1), ...scaled(features.runs, runScale(features))]
}

function scoresOf(inputs: readonly Input[], values: Float64Array): Float64Array {
  const scores = new Float64Array(LEVELS_COUNT)
  for (const { row, size } of inputs)
    for (let label = 0; label < LEVELS_COUNT; label += 1) scores[label]! += values[row * LEVELS_COUNT + label]! * size
  return scores
}

/** For each example the scores by weights that have not seen its writer. */
function scoredByOthers(examples: readonly ComplexityExample[], folds = FOLDS): readonly Float64Array[] {
  const writers = [...new Set(examples.map(({ writer }) => writer))].sort()
  const foldOf = ({ writer }: ComplexityExample) => writers.indexOf(writer) % folds
  const trained = Array.from({ length: Math.min(folds, writers.length) }, (_, fold) =>
    trainLevels(examples.filter((example) => foldOf(example) !== fold)),
  )
  return examples.map((example) => trained[foldOf(example)]!.scores(example.features))
}

export function trainComplexity(examples: readonly ComplexityExample[]): ComplexityWeights {
  const rows = [...trainLevels(examples).rows].map(
    ([feature, row]) => [feature, (label: number) => row[label]!] as const,
  )
  const table = packedTable(new Map(rows), { labelsCount: LEVELS_COUNT, smallest: WEIGHT_MIN })
  return { table, temperature: TEMPERATURE }
}

export interface LeftOut {
  /** How often the likeliest level is the labelled one. */
  readonly accuracy: number
  /** The share of complex messages that are judged to be less. */
  readonly missed: number
  /** The share of all messages that are judged to be complex. */
  readonly complexShare: number
}

/** How well messages are judged by weights that have not seen their writer. */
export function measureLeftOut(examples: readonly ComplexityExample[]): LeftOut {
  const judged = scoredByOthers(examples).map((scores) => probabilitiesOf(scores, TEMPERATURE))
  const share = (some: readonly number[], isSo: (index: number) => boolean) =>
    some.filter((index) => isSo(index)).length / (some.length || 1)
  const all = examples.map((_, index) => index)
  const isComplex = (index: number) => judged[index]![COMPLEX]! > 1 - SURE_FROM
  return {
    accuracy: share(all, (index) => judged[index]!.indexOf(Math.max(...judged[index]!)) === examples[index]!.level),
    missed: share(
      all.filter((index) => examples[index]!.level === COMPLEX),
      (index) => !isComplex(index),
    ),
    complexShare: share(all, isComplex),
  }
}
