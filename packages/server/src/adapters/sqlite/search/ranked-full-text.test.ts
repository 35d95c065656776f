// Full text of a large catalogue: terms that most products have are answered by stored lists, the others by ranking their documents.
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { COMMON_TERMS_TABLE, rankedFullText, writeCommonTerms } from './ranked-full-text.ts'

const DOCUMENTS = 4000
/** Has both common terms often. */
const BEST = 1234
/** The only one with the rare term. */
const RARE = 3456

async function largeIndex(context: TestContext): Promise<DatabaseSync> {
  const file = new DatabaseSync(':memory:')
  context.after(() => file.close())
  file.exec(
    `CREATE VIRTUAL TABLE documents USING fts5 (names, text, content = '', tokenize = 'unicode61 remove_diacritics 0'); ${COMMON_TERMS_TABLE}`,
  )
  const put = file.prepare('INSERT INTO documents (rowid, names, text) VALUES (?, ?, ?)')
  const times = (term: string, count: number) => Array.from({ length: count }, () => term).join(' ')
  for (let row = 0; row < DOCUMENTS; row += 1) {
    const [love, school] = row === BEST ? [40, 40] : [(row % 11) + 1, ((row * 7) % 13) + 1]
    const filler = `filler${row} `.repeat(82 - love - school)
    put.run(
      row,
      `title${row}`,
      `${times('love', love)} ${times('school', school)} ${filler} ${row === RARE ? 'saitama' : ''} ${row % 20 === 0 ? 'で' : ''}`,
    )
  }
  await writeCommonTerms(file, () => Promise.resolve())
  return file
}

test('terms that most products have find the products that have them most', async (context) => {
  const { find } = rankedFullText(await largeIndex(context))
  assert.equal(find(['love', 'school'])[0]?.product, BEST)
  assert.equal(find(['love'])[0]?.product, BEST)
})

test('a rare term beside a common one decides', async (context) => {
  const { find } = rankedFullText(await largeIndex(context))
  assert.equal(find(['saitama', 'love'])[0]?.product, RARE)
  assert.ok(find(['saitama', 'love']).length > 1)
})

test('a score is that of ranking all documents', async (context) => {
  const file = await largeIndex(context)
  const [hit] = rankedFullText(file).find(['love', 'school'])
  const ranked = file.prepare(
    'SELECT -bm25(documents, 8, 1) AS score FROM documents WHERE documents MATCH ? ORDER BY score DESC LIMIT 1',
  )
  const score = Number(ranked.get('"love" OR "school"')?.['score'])
  assert.ok(Math.abs((hit?.score ?? 0) - score) < Math.abs(score) * 1e-5)
})

test('a term with a mark is counted as the word that the index has', async (context) => {
  const file = await largeIndex(context)
  const counted = file.prepare("SELECT documents FROM common_terms WHERE term = 'で'").get()
  assert.equal(counted?.['documents'], DOCUMENTS / 20)
  const { find } = rankedFullText(file)
  assert.equal(find(['で、'])[0]?.product, find(['で'])[0]?.product)
  assert.deepEqual(find(['、']), [])
})
