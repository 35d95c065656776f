// Authors and magazines are found by the names that shoppers use, and not by words that only look like them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trickyShelves } from '../../test/fixtures/tricky-shelves.ts'
import { authorNames, peopleIndex } from './people.ts'
import { utteranceOf } from './utterance.ts'

const people = peopleIndex(trickyShelves())
const author = (text: string) => people.authors(utteranceOf(text))[0]?.means
const magazines = (text: string) => people.magazines(utteranceOf(text))

test('an author is found by the full name in either language, and by a unique surname', () => {
  assert.equal(author('高橋留美子の漫画'), '高橋留美子')
  assert.equal(author('anything by RUMIKO TAKAHASHI'), '高橋留美子')
  assert.equal(author('Murata’s art'), '村田雄介')
})

test('a surname of two authors finds neither', () => {
  assert.equal(author('高橋の漫画'), undefined)
  assert.equal(author('Takahashi manga'), undefined)
})

test('a pen name that is a common word needs an honorific or a "by"', () => {
  assert.equal(author('ONE先生の漫画'), 'ONE')
  assert.equal(author('manga by ONE'), 'ONE')
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
