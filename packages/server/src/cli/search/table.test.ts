// What a search prints of its reading and its results.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleProduct } from '@mangaassist/bookseller/fixtures/samples'
import { NO_CONDITIONS } from '@mangaassist/bookseller/dialogue/conditions'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import type { Grounding } from '@mangaassist/bookseller/grounding'
import { NO_READING } from '@mangaassist/bookseller/understanding/no-reading'
import { testScreen } from '../testing/test-screen.ts'
import { readingLines } from '#domain/search/reading-line.ts'
import { nothingFound, searchTable } from './table.ts'

const aspect = (text: string) => ({ text, genres: [], moods: [], content: [] })
const quest = { text: '', conditions: NO_CONDITIONS, exclude: [], count: 3 }
const wish: Grounding = {
  ...UNGROUNDED,
  intent: { kind: 'suggest', occasion: 'wish', quest },
  language: 'en',
  reading: {
    ...NO_READING,
    series: [{ role: 'like', text: 'kimetsu', id: 'kimetsu-no-yaiba' }],
    by: ['吾峠呼世晴'],
    want: [aspect('swords')],
    avoid: [aspect('gore')],
    limits: { status: 'completed', totalYenMax: 5000, age: 12 },
    audience: 'my son',
  },
  products: [sampleProduct()],
}

test('the reading is one plain sentence in the language of the words, with names in that language', () => {
  assert.deepEqual(readingLines(wish, 'en'), [
    'Understood as a wish, like Demon Slayer, by Koyoharu Gotouge, “swords”, finished, under ¥5,000 in all, not “gore”, for age 12, for “my son”.',
  ])
  assert.deepEqual(readingLines({ ...wish, language: 'ja' }, 'ja'), [
    '読み取り：作品の希望、『鬼滅の刃』に似た作品、作者：吾峠呼世晴、「swords」、完結、全巻で5,000円以内、「gore」以外、12歳向け、読む人：my son',
  ])
})

test('conditions that were left out, and a guess, are said', () => {
  assert.equal(
    readingLines({ ...wish, relaxed: ['totalYen', 'status'] }, 'en')[1],
    'No series meets all of that. Left out: under ¥5,000 in all, finished.',
  )
  assert.match(readingLines({ ...wish, isUnsure: true }, 'en')[1] ?? '', /^These are the nearest/)
})

test('a named series says by which name it was found', () => {
  const named = (guessed: boolean): Grounding => ({
    ...wish,
    reading: {
      ...NO_READING,
      series: [{ role: 'title', text: 'kimetu', id: 'kimetsu-no-yaiba', ...(guessed ? { guessed } : {}) }],
    },
  })
  const lastLine = (grounding: Grounding) => searchTable(grounding, testScreen())?.trimEnd().split('\n').at(-1) ?? ''
  assert.match(lastLine(named(false)), /¥11,132 {2}named: “kimetu”$/u)
  assert.match(lastLine(named(true)), /perhaps meant by “kimetu”$/u)
})

test('texts of a catalogue cannot control the terminal', () => {
  const hostile = sampleProduct({ title: { ja: 'あ', en: 'A\u001B[2Jb', romaji: 'a' } })
  assert.doesNotMatch(searchTable({ ...wish, products: [hostile] }, testScreen()) ?? '', /\u001B/u)
  assert.equal(searchTable({ ...wish, products: [] }, testScreen()), undefined)
  assert.match(nothingFound({ ...wish, language: 'ja' }, '落語'), /^「落語」では何も見つかりませんでした。\n/u)
})
