// Words of products are compared with those of a question once, and give what comparing them one by one gives.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smallVectors } from '../../test/fixtures/small-vectors.ts'
import { headOf } from './passages.ts'
import { nearnessOf } from './word-nearness.ts'

const vectors = smallVectors()
const row = (word: string) => vectors.find(word)
const passage = (...words: readonly string[]) => [
  headOf({ field: 'theme', language: 'en' }, words.length),
  ...words.map(row),
]

test('a word is 1 for itself, a near word four fifths of its cosine, and any other word nothing', () => {
  const nearness = nearnessOf([{ row: row('pirate') }, { row: row('ghost') }], vectors)
  nearness.compare(Uint32Array.from([...passage('pirate', '海賊'), ...passage('料理人')]))
  const similarity = (word: string, asked: string) =>
    nearness.similarities[nearness.starts[row(word)]! + nearness.columnOf(row(asked))]!
  assert.equal(similarity('pirate', 'pirate'), 1)
  assert.equal(similarity('pirate', 'ghost'), 0)
  assert.ok(Math.abs(similarity('海賊', 'pirate') - 0.8 * vectors.similarity(row('海賊'), row('pirate'))) < 1e-6)
  assert.equal(nearness.starts[row('料理人')], 0)
})

test('words are compared once, and the heads of passages are none', () => {
  const compared: number[] = []
  const counted: typeof vectors = {
    ...vectors,
    similarities(rows, others, into) {
      compared.push(...rows)
      vectors.similarities(rows, others, into)
    },
  }
  const nearness = nearnessOf([{ row: row('pirate') }], counted)
  nearness.compare(Uint32Array.from([...passage('海賊', 'ghost'), ...passage('海賊')]))
  nearness.compare(Uint32Array.from(passage('ghost', 'pirate')))
  assert.deepEqual(compared, [row('海賊'), row('ghost'), row('pirate')])
})

test('a question without words compares nothing', () => {
  const nearness = nearnessOf([], vectors)
  nearness.compare(Uint32Array.from(passage('海賊')))
  assert.equal(nearness.starts[row('海賊')], 0)
})

test('the next question finds nothing of the one before', () => {
  const words = Uint32Array.from(passage('海賊', 'ghost'))
  nearnessOf([{ row: row('pirate') }, { row: row('ghost') }], vectors).compare(words)
  const next = nearnessOf([{ row: row('ghost') }], vectors)
  assert.equal(next.starts[row('ghost')], 0)
  next.compare(words)
  assert.equal(next.starts[row('海賊')], 0)
  assert.equal(next.similarities[next.starts[row('ghost')]!], 1)
})
