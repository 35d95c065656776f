// The trained model of complexity: three levels, linear over hashed features, with probabilities that were calibrated on writers
// that it had not seen. A message takes some fifty microseconds. `training/train-complexity.ts` makes the file of weights.
import { readTable, tableBytes, weights, writeTable } from '../model/weights.ts'
import type { WeightTable } from '../model/weights.ts'
import type { Reading } from '../reading.ts'
import type { Complexity } from '../complexity.ts'
import { COMPLEXITY_FEATURES_VERSION, complexityFeatures } from './features.ts'
import type { ComplexityFeatures } from './features.ts'

export interface WeighedMessage {
  readonly message: string
  readonly reading: Reading
}

export interface ComplexityModel {
  /** The probability of each level. */
  judge(weighed: WeighedMessage): Readonly<Record<Complexity, number>>
}

export interface ComplexityWeights {
  readonly table: WeightTable
  /** Scores are divided by it before they become probabilities. */
  readonly temperature: number
}

/** Levels by their place in `COMPLEXITIES`. */
export const LEVELS_COUNT = 3

/** How many runs a message has changes no score. */
export const runScale = ({ runs }: ComplexityFeatures): number => 1 / Math.sqrt(runs.length || 1)

export function complexityModel(bytes: Uint8Array): ComplexityModel {
  const { table, temperature } = decodeComplexity(bytes)
  const learnt = weights(table)
  return {
    judge({ message, reading }) {
      const features = complexityFeatures(message, reading)
      const scores = new Float64Array(LEVELS_COUNT)
      for (const run of features.runs) learnt.add(run, scores)
      const scale = runScale(features)
      for (let level = 0; level < LEVELS_COUNT; level += 1) scores[level]! *= scale
      for (const fact of features.facts) learnt.add(fact, scores)
      const [simple, moderate, complex] = probabilitiesOf(scores, temperature)
      return { simple, moderate, complex }
    },
  }
}

export function probabilitiesOf(scores: Float64Array, temperature: number): readonly [number, number, number] {
  const most = Math.max(...scores)
  const [simple, moderate, complex] = Array.from(scores, (score) => Math.exp((score - most) / temperature)) as [
    number,
    number,
    number,
  ]
  const sum = simple + moderate + complex
  return [simple / sum, moderate / sum, complex / sum]
}

const MAGIC = 0x3143414d
const HEADER_BYTES = 12

/** "MAC1", the version of the features, the temperature; then the table. */
export function encodeComplexity({ table, temperature }: ComplexityWeights): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + tableBytes(table))
  const view = new DataView(bytes.buffer)
  view.setUint32(0, MAGIC, true)
  view.setUint32(4, COMPLEXITY_FEATURES_VERSION, true)
  view.setFloat32(8, temperature, true)
  writeTable(table, bytes, HEADER_BYTES)
  return bytes
}

function decodeComplexity(given: Uint8Array): ComplexityWeights {
  const bytes = given.byteOffset % 4 === 0 ? given : given.slice()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isKnown =
    bytes.byteLength > HEADER_BYTES &&
    view.getUint32(0, true) === MAGIC &&
    view.getUint32(4, true) === COMPLEXITY_FEATURES_VERSION
  if (!isKnown)
    throw new RangeError('the weights of complexity are of another version: npm run train:complexity makes new ones')
  return {
    temperature: view.getFloat32(8, true),
    table: readTable(bytes, HEADER_BYTES).table,
  }
}
