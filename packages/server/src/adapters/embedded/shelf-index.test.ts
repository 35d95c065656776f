// The shelves made ready: names, meaning and likeness, over an embedder that learns from them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { learnEmbedder } from './embedder.ts'
import { sampleShelves } from '#fixtures/turns/samples.ts'
import { trickyShelves } from '@mangaassist/bookseller/fixtures/tricky-shelves'
import { shelfIndex } from '@mangaassist/bookseller/catalogue/shelf-index'
import type { ShelfQuestion } from '@mangaassist/bookseller/catalogue/shelf-index'
import { NO_WISH } from '@mangaassist/bookseller/understanding/ask'

const shelves = [...trickyShelves(), ...sampleShelves().filter(({ id }) => id !== 'kimetsu-no-yaiba')]

async function ranked(question: Partial<ShelfQuestion>, byText: readonly string[] = []): Promise<readonly string[]> {
  const index = await shelfIndex(shelves, learnEmbedder)
  return (await index.rank({ text: '', limit: 20, ...question }, byText)).map(({ id }) => id)
}

test('a series called by name comes before what full text liked better', async () => {
  assert.equal((await ranked({ text: 'ナナみたい' }, ['akira', 'touch']))[0], 'nana')
})

test('a name inside another word does not push its series forward', async () => {
  assert.equal((await ranked({ text: 'バナナ' }, ['akira', 'touch', 'nana']))[0], 'akira')
  assert.equal((await ranked({ text: 'あきらめない' }, ['touch', 'akira']))[0], 'touch')
})

test('"like this one" finds its kin and never itself, whatever its name and the words find', async () => {
  const found = await ranked({ text: 'よつばとが好き', like: ['yotsuba-to'] }, ['yotsuba-to'])
  assert.ok(found.length > 0 && !found.includes('yotsuba-to'))
})

test('a wish turns the direction of a likeness', async () => {
  const wish = { ...NO_WISH, genres: ['adventure'], moods: ['epic'] }
  const [turned] = await ranked({ like: ['yotsuba-to'], wish })
  assert.equal(turned, 'one-piece')
})

test('words and a wish that the shelves know nothing of find nothing', async () => {
  assert.deepEqual(await ranked({ text: 'xyzzy' }), [])
})

test('empty shelves can be asked', async () => {
  const index = await shelfIndex([], learnEmbedder)
  assert.deepEqual(await index.rank({ text: 'ナナ', limit: 5 }, []), [])
})
