// Trains the judgement of complexity: a softmax over three levels by AdaGrad, with L2. The temperature is the one with the
// smallest loss on writers that were left out.
import { LEVELS_COUNT, probabilitiesOf, runScale } from '../src/understanding/complexity/model.ts'
import type { ComplexityWeights } from '../src/understanding/complexity/model.ts'
import type { ComplexityFeatures } from '../src/understanding/complexity/features.ts'
import { packedTable } from '../src/understanding/model/weights.ts'
import { numberFeatures, shuffled } from './numbering.ts'

export interface ComplexityExample {
  readonly writer: string
  readonly features: ComplexityFeatures
  /** The place of the level in `COMPLEXITIES`. */
  readonly level: number
}

const EPOCHS = 20
const RATE = 0.1
const DECAY = 3e-4
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
      const errors = probabilitiesOf(scoresOf(inputs, values), 1).map((p, index) => p - (index === level ? 1 : 0))
      for (const { row, size } of inputs)
        for (let label = 0; label < LEVELS_COUNT; label += 1) {
          const cell = row * LEVELS_COUNT + label
          const gradient = errors[label]! * size + DECAY * values[cell]!
          squares[cell]! += gradient * gradient
          values[cell]! -= (RATE * gradient) / Math.sqrt(squares[cell]!)
        }
    }
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
export function scoredByOthers(examples: readonly ComplexityExample[], folds = FOLDS): readonly Float64Array[] {
  const writers = [...new Set(examples.map(({ writer }) => writer))].sort()
  const foldOf = ({ writer }: ComplexityExample) => writers.indexOf(writer) % folds
  const trained = Array.from({ length: Math.min(folds, writers.length) }, (_, fold) =>
    trainLevels(examples.filter((example) => foldOf(example) !== fold)),
  )
  return examples.map((example) => trained[foldOf(example)]!.scores(example.features))
}

const TEMPERATURES = Array.from({ length: 60 }, (_, index) => 0.5 + index * 0.05)

/** The temperature by which the probabilities of the labelled levels are highest. */
export function temperatureOf(scores: readonly Float64Array[], examples: readonly ComplexityExample[]): number {
  const lossAt = (temperature: number) =>
    scores.reduce((sum, one, index) => sum - Math.log(probabilitiesOf(one, temperature)[examples[index]!.level]!), 0)
  return TEMPERATURES.reduce((best, one) => (lossAt(one) < lossAt(best) ? one : best))
}

export function trainComplexity(examples: readonly ComplexityExample[]): ComplexityWeights {
  const temperature = temperatureOf(scoredByOthers(examples), examples)
  const rows = [...trainLevels(examples).rows].map(
    ([feature, row]) => [feature, (label: number) => row[label]!] as const,
  )
  return { table: packedTable(new Map(rows), { labelsCount: LEVELS_COUNT, smallest: WEIGHT_MIN }), temperature }
}
