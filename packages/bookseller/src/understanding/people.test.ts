// Authors and magazines are found by the names that shoppers use, and not by words that only look like them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trickyShelves } from '../../test/fixtures/tricky-shelves.ts'
import { namesOf } from './names.ts'
import { authorNames } from './people.ts'

const names = namesOf(trickyShelves())
const found = (kind: string, text: string) =>
  names.find(text).flatMap((mention) => (mention.kind === kind ? [mention.means] : []))
const author = (text: string) => found('person', text)[0]
const magazines = (text: string) => found('magazine', text).flat()

test('an author is found by the full name in either language, and by a surname', () => {
  assert.deepEqual(author('高橋留美子の漫画'), ['高橋留美子'])
  assert.deepEqual(author('anything by RUMIKO TAKAHASHI'), ['高橋留美子'])
  assert.deepEqual(author('Murata’s art'), ['村田雄介'])
  assert.deepEqual(author('村田先生の作品'), ['村田雄介'])
})

test('a surname of two authors means both', () => {
  for (const text of ['高橋の漫画', 'Takahashi manga'])
    assert.deepEqual(author(text)?.toSorted(), ['高橋一郎', '高橋留美子'].toSorted(), text)
})

test('a pen name that is a common word needs an honorific or a "by"', () => {
  assert.deepEqual(author('ONE先生の漫画'), ['ONE'])
  assert.deepEqual(author('manga by ONE'), ['ONE'])
  assert.equal(author('this one please'), undefined)
})

test('a dot inside a name does not split it; writer and artist are two authors', () => {
  assert.deepEqual(authorNames({ ja: '藤子・F・不二雄', en: 'Fujiko F. Fujio' }).ja, ['藤子・F・不二雄'])
  assert.deepEqual(authorNames({ ja: 'ONE・村田雄介', en: 'ONE & Yusuke Murata' }).ja, ['ONE', '村田雄介'])
  assert.deepEqual(authorNames({ ja: '大場つぐみ / 小畑健', en: 'Tsugumi Ohba / Takeshi Obata' }), {
    ja: ['大場つぐみ', '小畑健'],
    en: ['Tsugumi Ohba', 'Takeshi Obata'],
  })
  assert.deepEqual(authorNames(undefined).ja, [])
})

test('a magazine is found with or without "Weekly", and a family of magazines by one word', () => {
  for (const text of [
    '週刊少年サンデーの漫画',
    '少年サンデー',
    'サンデーの漫画',
    'Shonen Sunday',
    'weekly shonen sunday',
  ])
    assert.deepEqual(magazines(text), ['週刊少年サンデー'], text)
  assert.deepEqual(magazines('モーニングの漫画'), ['モーニング'])
})

test('an everyday word or a genre does not find a magazine of that name', () => {
  assert.deepEqual(magazines('good morning'), [])
  assert.deepEqual(magazines('アクションが好き'), [])
  assert.deepEqual(magazines('月刊アクションの漫画'), ['月刊アクション'])
})

test('the first kanji of a longer surname are no name', () => {
  const [product] = trickyShelves()
  assert.ok(product !== undefined)
  const own = namesOf([{ ...product, author: { ja: '日本橋ヨヲコ', en: 'Yowoko Nihonbashi' } }])
  assert.deepEqual(own.find('日本の漫画'), [])
})

test('a readership is no magazine', () => {
  const [product] = trickyShelves()
  assert.ok(product !== undefined)
  const own = namesOf([{ ...product, magazine: { ja: '少年', en: 'Shonen' } }])
  assert.deepEqual(own.find('anything but no shonen'), [])
  assert.equal(own.find('serialised in Shonen magazine').length, 1)
})
