// Trains the classifier: one softmax over the acts and a logistic regression for each flag, by AdaGrad. Linear weights of
// the hashed features and a hidden layer over the message's vector are trained together.
import { ACTS } from '../src/understanding/reading.ts'
import type { Act } from '../src/understanding/reading.ts'
import { CLASSES_COUNT, classScale } from '../src/understanding/model/model.ts'
import { addUnits, unitsOf } from '../src/understanding/model/hidden-layer.ts'
import type { HiddenLayer } from '../src/understanding/model/hidden-layer.ts'
import { numberFeatures, randoms, shuffled } from './numbering.ts'
import type { Trained } from './crf.ts'

export interface ClassExample {
  readonly features: Uint32Array
  readonly vector: Float32Array
  readonly act: number
  /** Indexes of classes, after the acts. */
  readonly flags: ReadonlySet<number>
}

/** A flag is rare: its examples count more, else it would never be judged. */
const RARE_WEIGHT = 5
const RATE = 0.3
const DECAY = 1e-6
const UNITS = 128
const HIDDEN_RATE = 0.1
const HIDDEN_DECAY = 1e-5

export interface TrainedClassifier extends Trained {
  readonly hidden: HiddenLayer
}

export function trainClassifier(examples: readonly ClassExample[], epochs: number): TrainedClassifier {
  const known = numberFeatures(examples.map(({ features }) => features))
  const rowsOf = examples.map(({ features }) =>
    Uint32Array.from([...features].flatMap((feature) => known.get(feature) ?? [])),
  )
  const values = new Float32Array(known.size * CLASSES_COUNT)
  const squares = new Float32Array(known.size * CLASSES_COUNT).fill(1e-4)
  const scores = new Float64Array(CLASSES_COUNT)
  const layer = startLayer(examples[0]?.vector.length ?? 0)
  const order = examples.map((_, index) => index)
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (const index of shuffled(order, epoch)) {
      const example = examples[index]!
      const rows = rowsOf[index]!
      const size = classScale(example.features.length)
      scores.fill(0)
      for (const row of rows)
        for (let c = 0; c < CLASSES_COUNT; c += 1) scores[c]! += values[row * CLASSES_COUNT + c]! * size
      const moved = unitsOf(layer.hidden, example.vector)
      addUnits(layer.hidden, moved, scores)
      errors(scores, example)
      learn(layer, { moved, vector: example.vector, errors: scores })
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
  return { rows, hidden: layer.hidden }
}

interface Layer {
  readonly hidden: HiddenLayer
  readonly innerSquares: Float32Array
  readonly outerSquares: Float32Array
}

function startLayer(inputs: number): Layer {
  const inner = new Float32Array(UNITS * inputs)
  const outer = new Float32Array(UNITS * CLASSES_COUNT)
  const next = randoms(1)
  for (let cell = 0; cell < inner.length; cell += 1) inner[cell] = (next() - 0.5) * 2 * Math.sqrt(3 / (inputs || 1))
  for (let cell = 0; cell < outer.length; cell += 1) outer[cell] = (next() - 0.5) * 0.2
  return {
    hidden: { inputs, units: UNITS, classes: CLASSES_COUNT, inner, outer },
    innerSquares: new Float32Array(inner.length).fill(1e-2),
    outerSquares: new Float32Array(outer.length).fill(1e-2),
  }
}

interface Step {
  readonly moved: Float64Array
  readonly vector: Float32Array
  readonly errors: Float64Array
}

function learn({ hidden, innerSquares, outerSquares }: Layer, { moved, vector, errors: wrong }: Step): void {
  const { inputs, inner, outer } = hidden
  for (let unit = 0; unit < UNITS; unit += 1) {
    const value = moved[unit]!
    let back = 0
    for (let c = 0, cell = unit * CLASSES_COUNT; c < CLASSES_COUNT; c += 1, cell += 1) {
      back += wrong[c]! * outer[cell]!
      const gradient = wrong[c]! * value + HIDDEN_DECAY * outer[cell]!
      outerSquares[cell]! += gradient * gradient
      outer[cell]! -= (HIDDEN_RATE * gradient) / Math.sqrt(outerSquares[cell]!)
    }
    back *= 1 - value * value
    if (Math.abs(back) < 1e-6) continue
    for (let k = 0, cell = unit * inputs; k < inputs; k += 1, cell += 1) {
      const gradient = back * vector[k]!
      if (gradient === 0) continue
      innerSquares[cell]! += gradient * gradient
      inner[cell]! -= (HIDDEN_RATE * gradient) / Math.sqrt(innerSquares[cell]!)
    }
  }
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
export function judgedAct({ rows, hidden }: TrainedClassifier, { features, vector }: ClassExample): Act {
  const scores = new Float64Array(CLASSES_COUNT)
  const size = classScale(features.length)
  for (const feature of features) {
    const row = rows.get(feature)
    if (row !== undefined) for (let c = 0; c < ACTS.length; c += 1) scores[c]! += row[c]! * size
  }
  addUnits(hidden, unitsOf(hidden, vector), scores)
  const acts = scores.subarray(0, ACTS.length)
  return ACTS[acts.indexOf(Math.max(...acts))]!
}
