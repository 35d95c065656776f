// What the references of a message mean: places as they are counted, descriptions by what is known, pronouns.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleReading } from '../../../test/fixtures/dialogue.ts'
import { sampleProduct } from '../../../test/fixtures/samples.ts'
import type { Reading } from '../../understanding/reading.ts'
import { NO_STATE } from '../state.ts'
import type { DialogueState } from '../state.ts'
import { placesIn } from './positions.ts'
import { recallOf } from './recall.ts'
import { referred } from './referred.ts'
import { resolved } from './resolve.ts'

const product = (id: string, ja: readonly string[], en: readonly string[]) =>
  sampleProduct({
    id,
    title: { ja: `題${id}`, en: `Title ${id}`, romaji: id },
    aliases: [],
    genres: [],
    moods: [],
    themes: { ja: [...ja], en: [...en] },
  })
const SHELF = [
  product('chie', ['ホルモン焼き', '大阪'], ['offal restaurant', 'Osaka']),
  product('planetes', ['宇宙のごみ'], ['space junk', 'orbit']),
  product('engawa', ['本屋', '縁側'], ['a bookshop', 'a veranda']),
  product('kimba', ['白いライオン'], ['a white lion']),
]
const LISTED: DialogueState = {
  ...NO_STATE,
  list: ['planetes', 'engawa', 'kimba'],
  shown: [
    { ids: ['planetes', 'engawa', 'kimba'], words: '派手に戦うもの' },
    { ids: ['chie', 'kimba'], words: '静かに旅をする漫画' },
  ],
  seen: ['planetes', 'engawa', 'kimba', 'chie'],
}

function meant(message: string, over: Partial<Reading> = {}, state = LISTED): readonly string[] {
  const reading = sampleReading({ act: 'fact', ...over })
  return referred(resolved(reading, message, { state, recall: recallOf(SHELF) }), state)
}
const places = (text: string) => placesIn(text).map(({ at }) => at)

test('a place is the number that the words state, whatever it was taken for', () => {
  assert.deepEqual(places('1番目のは何歳から'), [1])
  assert.deepEqual(places('1つ目と3つ目、どっちが安い'), [1, 3])
  assert.deepEqual(places('いちばん上のにするわ'), [1])
  assert.deepEqual(places('上の2つ'), [1, 2])
  assert.deepEqual(places('2の値段と在庫'), [2])
  assert.deepEqual(places('is the 2nd one done?'), [2])
  assert.deepEqual(places('the first two, please'), [1, 2])
  assert.deepEqual(places('the last one on your list'), [-1])
  const judged = [{ role: 'ref:2', text: '1番目の', from: 0, to: 4 }] as const
  assert.deepEqual(meant('1番目のは何歳から', { referents: ['2'], spans: judged }), ['planetes'])
  assert.deepEqual(meant('the last one, who drew it?'), ['kimba'])
})

test('a number of volumes, or the most of something, is no place', () => {
  for (const text of ['the first volume', 'the first 3 volumes', '一番安いの', 'for the first time', '最初の巻'])
    assert.deepEqual(places(text), [], text)
})

test('a series is described by what is known of it, in either language', () => {
  assert.deepEqual(meant('what do the bookshop one and the space junk one cost together'), ['engawa', 'planetes'])
  assert.deepEqual(meant('How much is the one with the white lion?'), ['kimba'])
  assert.deepEqual(meant('ホルモン焼きのほうはいくら？'), ['chie'])
  assert.deepEqual(meant('宇宙のごみのやつは完結？'), ['planetes'])
})

test('words that describe nothing that was shown refer to nothing', () => {
  assert.deepEqual(meant('how much is the pirate one?'), [])
  assert.deepEqual(meant('how much is the lot?'), [])
  const wish = sampleReading({ act: 'recommend', sureness: 0.9 })
  const read = resolved(wish, 'the one with a white lion', { state: LISTED, recall: recallOf(SHELF) })
  assert.deepEqual(read.series, [])
})

test('an earlier list is meant by its wish, or as the first that was shown', () => {
  assert.deepEqual(meant('さっきの静かなほうの2つ目、何て名前でしたっけ'), ['kimba'])
  assert.deepEqual(meant('最初に勧めてくれたのはいくら？'), ['chie'])
  assert.deepEqual(meant('how much was the first one you showed me?'), ['chie'])
  const two = {
    ...LISTED,
    list: ['planetes', 'engawa'],
    shown: [{ ids: ['planetes', 'engawa'], words: '' }, LISTED.shown[0]!],
  }
  assert.deepEqual(meant('and the third one?', {}, two), ['kimba'])
})

test('the first three of a series that was just talked about are volumes', () => {
  const talking = { ...LISTED, focus: ['chie'], previous: 'one' as const }
  assert.deepEqual(meant('can i just buy the first 3? how much', {}, talking), [])
  assert.equal(meant('how much are the first three?').length, 3)
})

test('what was shown alone before any list is the first that was shown', () => {
  const state = { ...LISTED, seen: [...LISTED.seen, 'alone'] }
  assert.deepEqual(meant('the first one you showed me, how much is it?', {}, state), ['alone'])
})

test('a pronoun after a name means the name, and both are those that are named', () => {
  const series = [{ role: 'title', text: 'Kimba', id: 'kimba' }] as const
  const spans = [
    { role: 'title', text: 'Kimba', from: 0, to: 5 },
    { role: 'ref:it', text: 'it', from: 14, to: 16 },
  ] as const
  const talking = { ...LISTED, focus: ['chie'] }
  assert.deepEqual(meant('Kimba: who is it by?', { series, spans, referents: ['it'] }, talking), ['kimba'])
  const named = [...series, { role: 'title', text: 'x', id: 'engawa' } as const]
  assert.deepEqual(meant('which of the two', { series: named, referents: ['both'] }), ['kimba', 'engawa'])
})

test('without a series that is talked about, a pronoun is the first of the list', () => {
  assert.deepEqual(meant('あー題名それだ。何巻ですか'), ['planetes'])
  assert.deepEqual(meant('何巻ですか'), [])
})
