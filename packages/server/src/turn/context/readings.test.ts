// Reads a message once, and again when the catalogue or what came before it has changed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildLexicon, read } from '@mangaassist/bookseller/understanding/read'
import { sampleShelves } from '#fixtures/turns/samples.ts'
import { readUnderstanding, readVectors } from '#wiring/bundled-data.ts'
import { cachedReadings } from './readings.ts'

const model = await readUnderstanding(await readVectors())
const lexicon = buildLexicon(sampleShelves(), [])
const first = { previous: 'none', language: 'ja' } as const

test('a message is read once for each edition of the catalogue, and for what came before it', () => {
  const readings = cachedReadings(model)
  const message = '鬼滅の刃が好きです'
  const reading = readings(lexicon)(message, first)
  assert.deepEqual(reading, read({ message, ...first }, lexicon, model))
  assert.equal(readings(lexicon)(message, first), reading)
  assert.notEqual(readings(lexicon)(message, { ...first, previous: 'list' }), reading)
  assert.ok(readings(buildLexicon([], []))(message, first).series.every(({ id }) => id === undefined))
})

test('a message is read in its own language, whatever it is answered in', () => {
  const readings = cachedReadings(model)
  assert.equal(readings(lexicon)('Do you have One Piece?', first).language, 'en')
})

test('a mark at the end that says nothing changes nothing, and a question mark that asks is read', () => {
  const readAs = (message: string) => {
    const { language: _, ...reading } = read({ message, ...first }, lexicon, model)
    return reading
  }
  for (const [bare, ...marked] of [
    ['鬼滅の刃が好きです', '鬼滅の刃が好きです。', '鬼滅の刃が好きです！！', '鬼滅の刃が好きです… '],
    ['鬼滅の刃はいくら', '鬼滅の刃はいくら？', '鬼滅の刃はいくら。'],
    ['泣ける漫画を教えてください', '泣ける漫画を教えてください！？'],
  ] as const)
    for (const message of marked) assert.deepEqual(readAs(message), readAs(bare), message)
  assert.notDeepEqual(readAs('鬼滅の刃はある？'), readAs('鬼滅の刃はある'))
})

test('a long message is read once too, and cached without its text', () => {
  const reader = cachedReadings(model)(lexicon)
  const long = '鬼滅の刃が好きです。'.repeat(50)
  assert.equal(reader(long, first), reader(long, first))
  assert.notEqual(reader(`また、${long}`, first), reader(long, first))
})

test('only the beginning of a text is read, counted after folding: one character can become eighteen', () => {
  const found: string[] = []
  const names = { ...lexicon.names, find: (text: string) => lexicon.names.find((found.push(text), text)) }
  const reader = cachedReadings(model)({ ...lexicon, names })
  for (const long of ['ﷺ'.repeat(5000), '・'.repeat(5000), '㌖'.repeat(5000), '𠮟'.repeat(5000), 'x'.repeat(5000)])
    reader(long, first)
  assert.equal(found.length, 5)
  for (const text of found) {
    const folded = text.normalize('NFKC').length
    assert.ok(folded <= 600 && folded > 580 && text.isWellFormed(), `${folded} of ${text.slice(0, 3)}`)
  }
})
