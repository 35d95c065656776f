// The contract of the vector store. `make` returns an empty one for vectors of four dimensions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { VectorDocument, VectorStore } from './port.ts'

export const VECTOR_DIMENSIONS = 4

/** A document whose texts have the vectors of their names. */
export function sampleDocument(id: string, texts: readonly string[], facts = 'facts'): VectorDocument {
  const vectorOf = (text: string) =>
    Array.from({ length: VECTOR_DIMENSIONS }, (_, at) => (text.charCodeAt(at) || 64) - 64)
  return {
    id,
    facts,
    hashes: texts,
    fields: Uint8Array.from(texts, (_, at) => at),
    vectors: Int8Array.from(texts.flatMap(vectorOf)),
    coarse: Float32Array.of(0.5, id.length),
  }
}

export function vectorStoreContract(name: string, make: (context: TestContext) => VectorStore): void {
  const vectorIn = (store: VectorStore, text: string) => store.vectorsOf([text]).get(text)

  test(`${name}: a document is read as it was put, and a text by its hash`, (context) => {
    const store = make(context)
    const document = sampleDocument('one', ['ab', 'cd', 'ef'])
    store.put([document, sampleDocument('two', ['gh'])])
    assert.deepEqual(store.passages('one'), { fields: document.fields, vectors: document.vectors })
    assert.deepEqual(vectorIn(store, 'cd'), document.vectors.slice(4, 8))
    assert.deepEqual([...store.vectorsOf(['gh', 'none', 'ef']).keys()].toSorted(), ['ef', 'gh'])
    assert.equal(store.passages('three'), undefined)
  })

  test(`${name}: documents are listed by id, a page at a time`, (context) => {
    const store = make(context)
    store.put(['c', 'a', 'b'].map((id) => sampleDocument(id, [id], `facts of ${id}`)))
    assert.deepEqual(store.outlines('', 2), [
      { id: 'a', facts: 'facts of a', coarse: Float32Array.of(0.5, 1) },
      { id: 'b', facts: 'facts of b', coarse: Float32Array.of(0.5, 1) },
    ])
    assert.deepEqual(
      store.outlines('b', 2).map(({ id }) => id),
      ['c'],
    )
  })

  test(`${name}: a document that is put again replaces the one before; texts that none has are forgotten`, (context) => {
    const store = make(context)
    store.put([sampleDocument('one', ['ab', 'cd'])])
    store.put([sampleDocument('one', ['cd', 'xy'], 'new')])
    assert.equal(store.outlines('', 9)[0]?.facts, 'new')
    assert.equal(vectorIn(store, 'ab'), undefined)
    assert.deepEqual(vectorIn(store, 'cd'), sampleDocument('', ['cd']).vectors)
    store.remove(['one', 'never'])
    assert.deepEqual([store.outlines('', 9), vectorIn(store, 'cd'), store.passages('one')], [[], undefined, undefined])
  })

  test(`${name}: a document without texts is stored too`, (context) => {
    const store = make(context)
    store.put([sampleDocument('empty', [])])
    assert.deepEqual(store.passages('empty'), { fields: new Uint8Array(), vectors: new Int8Array() })
  })

  test(`${name}: a note is read as it was set last`, (context) => {
    const store = make(context)
    assert.equal(store.note('scale'), undefined)
    store.setNote('scale', '1')
    store.setNote('scale', '2')
    assert.equal(store.note('scale'), '2')
  })
}
