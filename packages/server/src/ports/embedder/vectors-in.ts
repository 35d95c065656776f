// Checks the vectors of a vendor's answer, and gives them length 1. An answer that is not as documented is a failure, and never
// half an answer: a vector in the wrong place would rank series by the text of others.
import { failure } from '#domain/model/model-failure.ts'
import type { Embedded } from './port.ts'

export function vectorsIn(
  answered: unknown,
  {
    count,
    dimensions,
    inputTokens,
  }: { readonly count: number; readonly dimensions: number; readonly inputTokens?: unknown },
): Embedded {
  if (!Array.isArray(answered)) return wrong('the answer has no list of vectors')
  if (answered.length !== count) return wrong(`the answer has ${answered.length} vectors for ${count} texts`)
  const vectors: Float32Array[] = []
  for (const values of answered as readonly unknown[]) {
    const length = Array.isArray(values) ? values.length : 0
    if (length !== dimensions) return wrong(`a vector has ${length} dimensions, not ${dimensions}`)
    const vector = unit(Float32Array.from(values as readonly number[]))
    if (vector === undefined) return wrong('a vector is zero or has values that are not numbers')
    vectors.push(vector)
  }
  const isCounted = typeof inputTokens === 'number' && Number.isFinite(inputTokens) && inputTokens >= 0
  return { kind: 'vectors', vectors, ...(isCounted ? { inputTokens } : {}) }
}

const wrong = (message: string): Embedded => ({ kind: 'failed', failure: failure('internal', message) })

function unit(vector: Float32Array): Float32Array | undefined {
  let sum = 0
  for (const value of vector) sum += value * value
  if (!Number.isFinite(sum) || sum === 0) return undefined
  const length = Math.sqrt(sum)
  return vector.map((value) => value / length)
}
