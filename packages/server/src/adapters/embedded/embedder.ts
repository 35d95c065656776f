// An embedder without weights: a text is the hashed counts of its character n-grams, so that texts which share
// letters are near each other, in Japanese as in English. Deterministic, on every machine and in every process.
import { fold } from '#lib/words.ts'
import type { Embedder } from '#ports/embedder.ts'

const DIMENSIONS = 256
const GRAM_LENGTHS = [1, 2, 3] as const
/** Longer grams say more than letters that every text has. */
const WEIGHTS = { 1: 0.2, 2: 1, 3: 1 } as const

export function hashedEmbedder(): Embedder {
  return {
    dimensions: DIMENSIONS,
    async embed(texts) {
      return texts.map(vectorOf)
    },
  }
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS)
  const characters = [
    ...fold(text)
      .replaceAll(/[\p{P}\p{S}\p{Z}\p{C}]+/gu, ' ')
      .trim(),
  ]
  for (const length of GRAM_LENGTHS) {
    for (let start = 0; start + length <= characters.length; start += 1) {
      const hash = fnv1a(characters.slice(start, start + length).join(''))
      const index = hash % DIMENSIONS
      // A sign from another bit: grams that fall on one place then cancel out on average instead of adding up.
      vector[index] = (vector[index] ?? 0) + ((hash >>> 16) & 1 ? WEIGHTS[length] : -WEIGHTS[length])
    }
  }
  return normalised(vector)
}

function normalised(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  // A text without letters is near nothing, but it is a vector of length one like every other.
  if (length === 0) vector[0] = 1
  else for (const [index, value] of vector.entries()) vector[index] = value / length
  return vector
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  // The low bits of FNV are weak alone; the index is taken from them.
  return (hash ^ (hash >>> 13)) >>> 0
}
