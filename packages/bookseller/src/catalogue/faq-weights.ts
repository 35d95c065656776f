// The trained weights by which messages are assigned to entries of the FAQ: `data/understanding/faq.bin` for the bundled one,
// or made when an FAQ of the shop's own is read. Linear over hashed features and over the meaning of the words.
import { contentWords } from '../retrieval/content-words.ts'
import type { WordVectors } from '../retrieval/word-vectors.ts'
import { readTable, tableBytes, weights, writeTable } from '../understanding/model/weights.ts'
import type { WeightTable } from '../understanding/model/weights.ts'
import type { FaqEntry } from './catalogue.ts'
import { faqFeatures, faqFeature } from './faq-features.ts'

export interface FaqWeights {
  /** The entries, each with a hash of its headings: an entry of the same id about something else has other ones. */
  readonly subjects: readonly FaqSubject[]
  readonly table: WeightTable
  /** For each entry the weights of the dimensions of the meaning, one entry after the other. */
  readonly meaning: Float32Array
}

export interface FaqSubject {
  readonly id: string
  readonly heading: number
}

export class FaqWeightsError extends Error {
  override readonly name = 'FaqWeightsError'
}

/** How much the meaning counts beside the words. */
export const MEANING_SCALE = 0.7

export const faqSubject = ({ id, questions }: FaqEntry): FaqSubject => ({
  id,
  heading: faqFeature(`${questions.ja[0]}\n${questions.en[0]}`, 0),
})

/** How many features a text has changes no score: a long message must not be surer for that alone. */
export const featureScale = (count: number): number => 1 / Math.sqrt(count || 1)

/** The scores of all subjects for a message. */
export function faqScores(trained: FaqWeights, vectors: WordVectors): (message: string) => Float64Array {
  const table = weights(trained.table)
  const { meaning, subjects } = trained
  return (message) => {
    const scores = new Float64Array(subjects.length)
    const features = faqFeatures(message)
    for (const feature of features) table.add(feature, scores)
    const scale = featureScale(features.length)
    const asked = faqMeaning(message, vectors)
    for (let index = 0; index < scores.length; index += 1) {
      let near = 0
      const from = index * vectors.dimensions
      for (let k = 0; k < vectors.dimensions; k += 1) near += asked[k]! * meaning[from + k]!
      scores[index] = scores[index]! * scale + near * MEANING_SCALE
    }
    return scores
  }
}

/** The direction of all words of a text together; of length 1, or 0 where no word is known. */
export function faqMeaning(text: string, vectors: WordVectors): Float32Array {
  const sum = new Float32Array(vectors.dimensions)
  for (const { row } of contentWords(text, vectors)) vectors.add(row, vectors.weight(row), sum)
  const length = Math.hypot(...sum) || 1
  return sum.map((value) => value / length)
}

const MAGIC = 0x3151414d
const HEADER_BYTES = 16
const aligned = (bytes: number): number => (bytes + 3) & ~3

/** "MAQ1", the numbers of subjects and of dimensions, the length of the names; then names, meaning and table. */
export function encodeFaqWeights({ subjects, table, meaning }: FaqWeights): Uint8Array {
  const names = new TextEncoder().encode(JSON.stringify(subjects))
  const meaningAt = HEADER_BYTES + aligned(names.length)
  const tableAt = meaningAt + meaning.byteLength
  const bytes = new Uint8Array(tableAt + tableBytes(table))
  const view = new DataView(bytes.buffer)
  for (const [index, value] of [
    MAGIC,
    subjects.length,
    meaning.length / (subjects.length || 1),
    names.length,
  ].entries())
    view.setUint32(index * 4, value, true)
  bytes.set(names, HEADER_BYTES)
  bytes.set(new Uint8Array(meaning.buffer, meaning.byteOffset, meaning.byteLength), meaningAt)
  writeTable(table, bytes, tableAt)
  return bytes
}

export function decodeFaqWeights(given: Uint8Array): FaqWeights {
  const bytes = given.byteOffset % 4 === 0 ? given : given.slice()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.byteLength < HEADER_BYTES || view.getUint32(0, true) !== MAGIC)
    throw new FaqWeightsError('The file has no weights of an FAQ: npm run train:faq makes it.')
  const [count, dimensions, names] = [4, 8, 12].map((at) => view.getUint32(at, true)) as [number, number, number]
  const meaningAt = HEADER_BYTES + aligned(names)
  const tableAt = meaningAt + count * dimensions * 4
  if (tableAt > bytes.byteLength) throw new FaqWeightsError('The weights of the FAQ are cut short.')
  const listed = new TextDecoder().decode(bytes.subarray(HEADER_BYTES, HEADER_BYTES + names))
  return {
    subjects: JSON.parse(listed) as readonly FaqSubject[],
    meaning: new Float32Array(bytes.buffer, bytes.byteOffset + meaningAt, count * dimensions),
    table: readTable(bytes, tableAt).table,
  }
}
