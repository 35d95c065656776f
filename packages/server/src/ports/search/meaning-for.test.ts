// The words of a query that are sent to the embedder.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryShelf } from '@mangaassist/bookseller/retrieval/memory-shelf'
import { NO_WISH } from '@mangaassist/bookseller/retrieval/wish'
import type { Wish } from '@mangaassist/bookseller/retrieval/wish'
import { bundledVectors } from '#fixtures/shop/word-vectors.ts'
import type { AskedOfShelf } from '../embedder/embeddings.ts'
import { meaningFor } from './meaning-for.ts'

async function sent(text: string, ...want: readonly string[]): Promise<readonly string[]> {
  const asked: string[] = []
  const ask = async (question: AskedOfShelf) => {
    asked.push(question.text)
    return undefined
  }
  const wish: Wish = { ...NO_WISH, want: want.map((words) => ({ text: words, genres: [], moods: [] })) }
  await meaningFor({ ask }, { text, wish }, memoryShelf([], bundledVectors()).shelf)
  return asked
}

test('the words and the wishes of earlier turns are sent, each once', async () => {
  assert.deepEqual(await sent('a cursed town', 'cursed', 'slow and quiet'), ['a cursed town\nslow and quiet'])
  assert.deepEqual(await sent('', '海賊'), ['海賊'])
})

test('a query without words is not sent, and without an embedder there is nothing to ask', async () => {
  assert.deepEqual(await sent('  '), [])
  const { shelf } = memoryShelf([], bundledVectors())
  assert.equal(await meaningFor(undefined, { text: 'pirates' }, shelf), undefined)
})
