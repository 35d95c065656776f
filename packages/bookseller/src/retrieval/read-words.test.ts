// What the words of a search box say: conditions only where they are meant as such.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleProduct } from '../../test/fixtures/samples.ts'
import { smallVectors } from '../../test/fixtures/small-vectors.ts'
import { buildLexicon } from '../understanding/understand.ts'
import { readWords } from './read-words.ts'

const lexicon = buildLexicon(
  [
    sampleProduct(),
    sampleProduct({ id: 'uzumaki', title: { ja: 'うずまき', en: 'Uzumaki', romaji: 'Uzumaki' }, aliases: [] }),
    sampleProduct({ id: 'ghost', title: { ja: '幽霊譚', en: 'Ghost', romaji: 'Ghost' }, aliases: [] }),
  ],
  [],
)
const read = (text: string) => readWords(text, lexicon, smallVectors())

test('conditions and attributes of a plain wish are read', () => {
  const { wish } = read('finished horror under 10 volumes')
  assert.deepEqual([wish.genres, wish.filters], [['horror'], { status: 'completed', volumesMax: 10 }])
  assert.deepEqual(read('70年代の少女漫画').wish.filters, { yearFrom: 1970, yearTo: 1979, demographic: 'shoujo' })
})

test('words inside a plot are no conditions', () => {
  for (const plot of [
    'the old pirate teaches a boy to sail the ship of a ghost',
    'a child who cries in a house where the cook is a ghost',
  ])
    assert.deepEqual(read(plot).wish.filters, {}, plot)
})

test('a child for whom it is meant is a condition', () => {
  for (const text of ['something for my ten year old', 'a comedy for kids', '小学生向けの冒険もの'])
    assert.equal(read(text).wish.filters.forChildren, true, text)
})

test('a series is liked when the words say so and it is named', () => {
  assert.deepEqual(read('something like Uzumaki').like, ['uzumaki'])
  assert.deepEqual(read('うずまきみたいなやつ').like, ['uzumaki'])
  assert.deepEqual(read('Uzumaki').like, [])
  assert.deepEqual(read('stories with people like a ghost').like, [])
})

test('what is denied is avoided: a genre by its key, a content note, or an aspect as it is said', () => {
  assert.deepEqual(read('mystery, no horror').wish.avoid, ['horror'])
  assert.deepEqual(read('horror without gore').wish.avoid, ['gore'])
  assert.deepEqual(read('グロなしのホラー').wish.avoid, ['gore'])
  assert.deepEqual(read('a comedy without pirates').wish.avoidTexts, ['pirates'])
  assert.deepEqual(read('料理抜きの日常').wish.avoidTexts, undefined)
  assert.deepEqual(read('海賊の出てこない冒険').wish.avoidTexts, ['海賊'])
})
