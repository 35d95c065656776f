// What is shown when nothing new meets every condition, and when a remembered story is not to the shopper's taste.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleAspect, sampleQuest } from '@mangaassist/bookseller/fixtures/dialogue'
import { sampleProduct } from '@mangaassist/bookseller/fixtures/samples'
import { NO_CONDITIONS } from '@mangaassist/bookseller/dialogue/conditions'
import type { Quest } from '@mangaassist/bookseller/dialogue/intent'
import { memoryProductStore } from '#adapters/memory/product-store.ts'
import { NEVER } from '#lib/async/never.ts'
import type { Search } from '#ports/search/port.ts'
import { seek } from './seek.ts'

const series = (id: string, over: Parameters<typeof sampleProduct>[0] = {}) => sampleProduct({ id, ...over })
const SHELVES = [
  series('frightening', { genres: ['horror'], volumes: 5 }),
  series('short', { volumes: 3 }),
  series('middle', { volumes: 8 }),
  series('long', { volumes: 40 }),
]

async function sought(over: Partial<Quest>, matched = 1) {
  const products = memoryProductStore()
  await products.replaceAll(SHELVES, 'test')
  // In the order of the shelves, whatever is asked.
  const search: Search = {
    find: async () => SHELVES.map(({ id }, place) => ({ id, score: 10 - place, matched })),
    explain: () => Promise.reject(new Error('not asked')),
    refresh: async () => {},
  }
  const quest = sampleQuest({ text: 'words', ...over })
  const { products: found, relaxed } = await seek({ search, products }, { quest, language: 'en', limit: 5 }, NEVER)
  return { ids: found.map(({ id }) => id), relaxed }
}

const limited = { ...NO_CONDITIONS, limits: { volumesMax: 3 } }

test('a series that was shown before is shown again rather than that a condition is relaxed', async () => {
  assert.deepEqual(await sought({ conditions: limited, seen: ['long'] }), { ids: ['short'], relaxed: [] })
  assert.deepEqual(await sought({ conditions: limited, seen: ['short'] }), { ids: ['short'], relaxed: [] })
  const refused = await sought({ conditions: limited, exclude: ['short'] })
  assert.deepEqual([refused.ids.includes('short'), refused.relaxed], [false, ['volumes']])
})

test('where none of those shown meets the wish, others are sought', async () => {
  const among = ['middle', 'long']
  assert.deepEqual(await sought({ conditions: { ...NO_CONDITIONS, limits: { volumesMax: 8 } }, among }), {
    ids: ['middle'],
    relaxed: [],
  })
  assert.deepEqual(await sought({ conditions: limited, among }), { ids: ['short'], relaxed: [] })
})

test('a remembered story is that story, though the shopper dislikes its kind; those beside it are to his taste', async () => {
  const avoid = [sampleAspect({ text: 'horror', genres: ['horror'] })]
  const conditions = { ...NO_CONDITIONS, avoid }
  assert.equal((await sought({ conditions, isStory: true })).ids[0], 'frightening')
  assert.deepEqual((await sought({ conditions, isStory: true }, 0.3)).ids, ['short', 'middle', 'long'])
  assert.deepEqual((await sought({ conditions })).ids, ['short', 'middle', 'long'])
})
