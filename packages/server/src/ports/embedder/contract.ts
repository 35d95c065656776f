// The contract of the embedder, which must know texts about pirates and cursed houses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Embedder } from './port.ts'

export function embedderContract(name: string, make: () => Embedder): void {
  const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)

  test(`${name}: a vector for each text, in order, of the stated length and of length one`, async () => {
    const embedder = make()
    const vectors = await embedder.embed(['海賊の冒険', 'pirates sail', '海賊'])
    assert.equal(vectors.length, 3)
    for (const vector of vectors) {
      assert.equal(vector.length, embedder.dimensions)
      assert.ok(Math.abs(dot(vector, vector) - 1) < 1e-5)
    }
  })

  test(`${name}: no texts, no vectors`, async () => {
    assert.deepEqual(await make().embed([]), [])
  })

  test(`${name}: a text without letters has a vector of finite numbers`, async () => {
    const [empty, blank] = await make().embed(['', ' 　!?'])
    for (const vector of [empty, blank]) assert.ok(vector?.every((value) => Number.isFinite(value)))
  })

  test(`${name}: the same text has the same vector, alone or in company`, async () => {
    const embedder = make()
    const [alone] = await embedder.embed(['海賊の冒険'])
    const [, inCompany] = await embedder.embed(['別の話', '海賊の冒険'])
    assert.deepEqual(alone, inCompany)
  })

  test(`${name}: a text is closer to a variant of itself than to another`, async () => {
    const [text, variant, other] = await make().embed(['海賊の冒険', '海賊の冒険はありますか', 'a cursed house'])
    assert.ok(text !== undefined && variant !== undefined && other !== undefined)
    assert.ok(dot(text, variant) > dot(text, other))
  })
}
