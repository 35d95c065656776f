// What a message is about as a point among the meanings of words: the mean of its word vectors, and the largest component
// of each dimension. Both languages share the space, so a rare word is judged like the frequent ones that mean the same.
import { contentWords } from '../../retrieval/content-words.ts'
import type { WordVectors } from '../../retrieval/word-vectors.ts'

/** Two values for each dimension, and one that is always 1. */
export const inputsOf = (dimensions: number): number => dimensions * 2 + 1

export function messageVector(words: string, vectors: WordVectors): Float32Array {
  const { dimensions } = vectors
  const values = new Float32Array(inputsOf(dimensions))
  const one = new Float32Array(dimensions)
  const found = contentWords(words, vectors)
  for (const { row } of found) {
    one.fill(0)
    vectors.add(row, 1, one)
    for (let k = 0; k < dimensions; k += 1) {
      values[k]! += one[k]!
      if (Math.abs(one[k]!) > Math.abs(values[dimensions + k]!)) values[dimensions + k] = one[k]!
    }
  }
  // A sum over the root of the count: a longer message says more, but not in proportion.
  const scale = 1 / Math.sqrt(found.length || 1)
  for (let k = 0; k < dimensions; k += 1) values[k]! *= scale
  values[dimensions * 2] = 1
  return values
}
