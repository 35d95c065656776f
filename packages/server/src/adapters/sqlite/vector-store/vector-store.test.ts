// Runs the contract of the vector store on SQLite, and tests what only a file has: it survives, and a bad one is begun again.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { sampleDocument, VECTOR_DIMENSIONS, vectorStoreContract } from '#ports/vector-store/contract.ts'
import { sqliteVectorStore } from './vector-store.ts'

function opened(context: TestContext, path = join(tempDir(context), 'embeddings', 'vectors.sqlite')) {
  const store = sqliteVectorStore({ path, dimensions: VECTOR_DIMENSIONS })
  let isOpen = true
  const close = () => {
    if (isOpen) store[Symbol.dispose]()
    isOpen = false
  }
  context.after(close)
  return { store, path, close }
}

vectorStoreContract('sqlite vector store', (context) => opened(context).store)

test('vectors survive a restart, and a command reads them beside the server', (context) => {
  const first = opened(context)
  first.store.put([sampleDocument('one', ['ab', 'cd'])])
  const beside = sqliteVectorStore({ path: first.path, dimensions: VECTOR_DIMENSIONS, readOnly: true })
  assert.equal(beside.outlines('', 9).length, 1)
  assert.throws(() => beside.setNote('a', 'b'), /readonly/u)
  beside[Symbol.dispose]()
  first.close()
  const again = opened(context, first.path)
  assert.deepEqual(again.store.passages('one')?.vectors, sampleDocument('one', ['ab', 'cd']).vectors)
})

test('a damaged file, or one of another layout, is begun again', (context) => {
  const { store, path, close } = opened(context)
  store.put([sampleDocument('one', ['ab'])])
  close()
  writeFileSync(path, 'not a database, but long enough to be read as one '.repeat(40))
  const again = opened(context, path)
  assert.deepEqual(again.store.outlines('', 9), [])
  again.store.put([sampleDocument('two', ['ab'])])
  assert.equal(again.store.outlines('', 9).length, 1)
})

test('a batch that cannot be written leaves everything as it was', (context) => {
  const { store } = opened(context)
  store.put([sampleDocument('one', ['ab'])])
  const bad = { ...sampleDocument('two', ['cd']), facts: undefined as unknown as string }
  assert.throws(() => store.put([sampleDocument('one', ['xy']), bad]))
  assert.deepEqual([...store.vectorsOf(['ab', 'xy']).keys()], ['ab'])
})
