// The contract of an embedder. `make` returns one whose vendor works.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { NEVER } from '#lib/async/never.ts'
import type { Embedder } from './port.ts'

export function embedderContract(name: string, make: (context: TestContext) => Promise<Embedder>): void {
  const vectorsOf = async (embedder: Embedder, ...texts: readonly string[]) => {
    const embedded = await embedder.embed({ texts, purpose: 'document', signal: NEVER })
    assert.ok(embedded.kind === 'vectors', JSON.stringify(embedded))
    return embedded.vectors
  }
  const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0)

  test(`${name}: as many texts as a call takes get a vector each, in their order, of length 1`, async (context) => {
    const embedder = await make(context)
    const count = Math.min(embedder.textsPerCallMax, 20)
    const texts = Array.from({ length: count }, (_, place) => `volume ${place} of a series about pirates`)
    const vectors = await vectorsOf(embedder, ...texts)
    assert.equal(vectors.length, count)
    for (const [place, vector] of vectors.entries()) {
      assert.equal(vector.length, embedder.dimensions)
      assert.ok(Math.abs(dot(vector, vector) - 1) < 1e-3)
      const [alone] = await vectorsOf(embedder, texts[place]!)
      assert.ok(dot(vector, alone!) > 0.999, `the vector at ${place} is that of its text`)
    }
  })

  test(`${name}: a text of like meaning is nearer than another, also as a question`, async (context) => {
    const embedder = await make(context)
    const [pirates] = await vectorsOf(embedder, 'a boy becomes king of the pirates')
    const [cook] = await vectorsOf(embedder, '料理人が小さな店を開く')
    const asked = await embedder.embed({ texts: ['king of the pirates'], purpose: 'question', signal: NEVER })
    assert.ok(asked.kind === 'vectors')
    assert.ok(dot(asked.vectors[0]!, pirates!) > dot(asked.vectors[0]!, cook!) + 0.2)
  })

  test(`${name}: an aborted call fails as cancelled`, async (context) => {
    const embedder = await make(context)
    const embedded = await embedder.embed({ texts: ['a'], purpose: 'question', signal: AbortSignal.abort() })
    assert.deepEqual([embedded.kind, embedded.kind === 'failed' && embedded.failure.class], ['failed', 'cancelled'])
  })
}
