// Authors and magazines by the names shoppers use, and not by words that only look like them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trickyShelves } from '../../test/fixtures/tricky-shelves.ts'
import { authorNames, peopleIndex } from './people.ts'
import { utteranceOf } from './utterance.ts'

const people = peopleIndex(trickyShelves())
const author = (text: string) => people.authors(utteranceOf(text))[0]?.means
const magazines = (text: string) => people.magazines(utteranceOf(text))

test('an author is known whole, in either language, and by a surname that is nobody else’s', () => {
  assert.equal(author('高橋留美子の漫画'), '高橋留美子')
  assert.equal(author('anything by RUMIKO TAKAHASHI'), '高橋留美子')
  assert.equal(author('Murata’s art'), '村田雄介')
})

test('a surname that two share names neither', () => {
  assert.equal(author('高橋の漫画'), undefined)
  assert.equal(author('Takahashi manga'), undefined)
})

test('a pen name that is a common word takes an honorific or a "by"', () => {
  assert.equal(author('ONE先生の漫画'), 'ONE')
  assert.equal(author('manga by ONE'), 'ONE')
  assert.equal(author('this one please'), undefined)
})

test('a dot inside a name does not make two authors of it; writer and artist are two', () => {
  assert.deepEqual(authorNames({ ja: '藤子・F・不二雄', en: 'Fujiko F. Fujio' }).ja, ['藤子・F・不二雄'])
  assert.deepEqual(authorNames({ ja: 'ONE・村田雄介', en: 'ONE & Yusuke Murata' }).ja, ['ONE', '村田雄介'])
})

test('a magazine is known with or without its weekly, and its family by one word', () => {
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

test('a magazine whose name is an everyday word or a genre is not heard in it', () => {
  assert.deepEqual(magazines('good morning'), [])
  assert.deepEqual(magazines('アクションが好き'), [])
  assert.deepEqual(magazines('月刊アクションの漫画'), ['月刊アクション'])
})
