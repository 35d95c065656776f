// The index of a catalogue: names, meaning and similarity, with an embedder that learns from it.
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

test('a series named in the question ranks before better full-text matches', async () => {
  assert.equal((await ranked({ text: 'ナナみたい' }, ['akira', 'touch']))[0], 'nana')
})

test('a name inside another word does not raise its series', async () => {
  assert.equal((await ranked({ text: 'バナナ' }, ['akira', 'touch', 'nana']))[0], 'akira')
  assert.equal((await ranked({ text: 'あきらめない' }, ['touch', 'akira']))[0], 'touch')
})

test('"like this one" finds similar series and never the series itself, even when its name matches', async () => {
  const found = await ranked({ text: 'よつばとが好き', like: ['yotsuba-to'] }, ['yotsuba-to'])
  assert.ok(found.length > 0 && !found.includes('yotsuba-to'))
})

test('a wish shifts which similar series are found', async () => {
  const wish = { ...NO_WISH, genres: ['adventure'], moods: ['epic'] }
  const [turned] = await ranked({ like: ['yotsuba-to'], wish })
  assert.equal(turned, 'one-piece')
})

test('words and a wish unknown to the catalogue find nothing', async () => {
  assert.deepEqual(await ranked({ text: 'xyzzy' }), [])
})

test('an empty catalogue can be searched', async () => {
  const index = await shelfIndex([], learnEmbedder)
  assert.deepEqual(await index.rank({ text: 'ナナ', limit: 5 }, []), [])
})
