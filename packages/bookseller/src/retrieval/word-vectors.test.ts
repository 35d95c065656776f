// The table of word vectors: what was written is read, and a damaged file is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smallTable, smallVectors } from '../../test/fixtures/small-vectors.ts'
import { readWordVectors, writeWordVectors, WordVectorsError } from './word-vectors.ts'

test('words of one meaning are near in both languages, and others are not', () => {
  const vectors = smallVectors()
  const near = (a: string, b: string) => vectors.similarity(vectors.find(a), vectors.find(b))
  assert.ok(near('pirate', '海賊') > 0.9)
  assert.ok(Math.abs(near('pirate', '料理人')) < 0.1)
  assert.ok(Math.abs(near('pirate', 'pirate') - 1) < 0.02)
})

test('an unknown word has no row', () => {
  assert.equal(smallVectors().find('xyzzy'), -1)
  assert.equal(smallVectors().find(''), -1)
})

test('a table is read from any place in a buffer', () => {
  const table = smallTable()
  const shifted = new Uint8Array(table.length + 3)
  shifted.set(table, 3)
  assert.notEqual(readWordVectors(shifted.subarray(3)).find('ghost'), -1)
})

test('weights are kept, and a second word with the same hash is not', () => {
  const vectors = readWordVectors(
    writeWordVectors(2, [
      { word: 'a', weight: 0.5, vector: [1, 0] },
      { word: 'a', weight: 1, vector: [0, 1] },
    ]),
  )
  assert.equal(vectors.size, 1)
  assert.ok(Math.abs(vectors.weight(vectors.find('a')) - 0.5) < 0.01)
})

test('a file of another kind, another version or another length is refused', () => {
  const table = smallTable()
  const version = table.slice()
  version[4] = 9
  for (const bytes of [new Uint8Array(), new Uint8Array(40), version, table.subarray(0, table.length - 1)])
    assert.throws(() => readWordVectors(bytes), WordVectorsError)
})

test('two tables have two digests', () => {
  const other = writeWordVectors(2, [{ word: 'a', weight: 1, vector: [1, 0] }])
  assert.notEqual(readWordVectors(other).digest, smallVectors().digest)
})
