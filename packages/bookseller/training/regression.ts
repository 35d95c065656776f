// Trains the classifier: one softmax over the acts and a logistic regression for each flag, by AdaGrad.
import { ACTS } from '../src/understanding/reading.ts'
import type { Act } from '../src/understanding/reading.ts'
import { CLASSES_COUNT, classScale } from '../src/understanding/model/model.ts'
import { numberFeatures, shuffled } from './numbering.ts'
import type { Trained } from './crf.ts'

export interface ClassExample {
  readonly features: Uint32Array
  readonly act: number
  /** Indexes of classes, after the acts. */
  readonly flags: ReadonlySet<number>
}

/** A flag is rare: its examples count more, else it would never be judged. */
const RARE_WEIGHT = 5
const RATE = 0.3
const DECAY = 1e-6

export function trainClassifier(examples: readonly ClassExample[], epochs: number): Trained {
  const known = numberFeatures(examples.map(({ features }) => features))
  const rowsOf = examples.map(({ features }) =>
    Uint32Array.from([...features].flatMap((feature) => known.get(feature) ?? [])),
  )
  const values = new Float32Array(known.size * CLASSES_COUNT)
  const squares = new Float32Array(known.size * CLASSES_COUNT).fill(1e-4)
  const scores = new Float64Array(CLASSES_COUNT)
  const order = examples.map((_, index) => index)
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (const index of shuffled(order, epoch)) {
      const example = examples[index]!
      const rows = rowsOf[index]!
      const size = classScale(example.features.length)
      scores.fill(0)
      for (const row of rows)
        for (let c = 0; c < CLASSES_COUNT; c += 1) scores[c]! += values[row * CLASSES_COUNT + c]! * size
      errors(scores, example)
      for (const row of rows) {
        const from = row * CLASSES_COUNT
        for (let c = 0; c < CLASSES_COUNT; c += 1) {
          const gradient = scores[c]! * size + DECAY * values[from + c]!
          if (Math.abs(gradient) < 1e-5) continue
          squares[from + c]! += gradient * gradient
          values[from + c]! -= (RATE * gradient) / Math.sqrt(squares[from + c]!)
        }
      }
    }
  }
  const rows = new Map<number, Float32Array>()
  for (const [feature, row] of known) rows.set(feature, values.slice(row * CLASSES_COUNT, (row + 1) * CLASSES_COUNT))
  return { rows }
}

/** Replaces the scores by the errors: probability minus truth. */
function errors(scores: Float64Array, { act, flags }: ClassExample): void {
  const acts = ACTS.length
  let most = Number.NEGATIVE_INFINITY
  for (let c = 0; c < acts; c += 1) most = Math.max(most, scores[c]!)
  let sum = 0
  for (let c = 0; c < acts; c += 1) sum += Math.exp(scores[c]! - most)
  for (let c = 0; c < acts; c += 1) scores[c] = Math.exp(scores[c]! - most) / sum - (c === act ? 1 : 0)
  for (let c = acts; c < CLASSES_COUNT; c += 1)
    scores[c] = flags.has(c) ? (1 / (1 + Math.exp(-scores[c]!)) - 1) * RARE_WEIGHT : 1 / (1 + Math.exp(-scores[c]!))
}

/** The act that trained weights judge. */
export function judgedAct({ rows }: Trained, features: Uint32Array): Act {
  const scores = new Float64Array(ACTS.length)
  for (const feature of features) {
    const row = rows.get(feature)
    if (row !== undefined) for (let c = 0; c < ACTS.length; c += 1) scores[c]! += row[c]!
  }
  return ACTS[scores.indexOf(Math.max(...scores))]!
}
