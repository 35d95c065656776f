// An embedder without a vendor, for tests and simulations: each word, and each pair of characters of other scripts, has a direction
// of its own, and a text has the direction of their sum. It counts its calls.
import type { Embedder } from '#ports/embedder/port.ts'
import { seededFloats } from '#lib/collections/seeded-floats.ts'
import { failure } from '#domain/model/model-failure.ts'
import type { Embedded } from '#ports/embedder/port.ts'
import { vectorsIn } from '#ports/embedder/vectors-in.ts'

const PIECE = /[a-z0-9'-]+|[^\sa-z0-9'-]{1,2}/gu

export interface MemoryEmbedder extends Embedder {
  /** Every text that was embedded, in the order of the calls. */
  readonly embedded: string[]
  /** Replaces the answers of the next calls; undefined: the usual answers. */
  answer: ((texts: readonly string[]) => Promise<Embedded>) | undefined
}

export function memoryEmbedder(dimensions = 64, textsPerCallMax = 8): MemoryEmbedder {
  const directions = new Map<string, readonly number[]>()
  function directionOf(piece: string): readonly number[] {
    const float = seededFloats(piece)
    const direction = directions.get(piece) ?? Array.from({ length: dimensions }, () => float() - 0.5)
    directions.set(piece, direction)
    return direction
  }
  const vectorOf = (text: string) => {
    const sum = Array.from({ length: dimensions }, () => 0)
    for (const [piece] of text.toLowerCase().matchAll(PIECE))
      for (const [at, value] of directionOf(piece).entries()) sum[at]! += value
    return sum
  }
  const embedder: MemoryEmbedder = {
    model: 'memory',
    dimensions,
    textsPerCallMax,
    embedded: [],
    answer: undefined,
    async embed({ texts, signal }) {
      if (signal.aborted) return { kind: 'failed', failure: failure('cancelled', 'aborted by the caller') }
      if (embedder.answer !== undefined) return embedder.answer(texts)
      embedder.embedded.push(...texts)
      const inputTokens = texts.reduce((sum, { length }) => sum + length, 0)
      return vectorsIn(texts.map(vectorOf), { count: texts.length, dimensions, inputTokens })
    },
  }
  return embedder
}
