// Which language a message is answered in, by wish, words, titles and interface.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerLanguage, needsTitles } from './answer-language.ts'

const titles = ['SLAM DUNK', 'ONE PIECE', '鬼滅の刃', 'Nana']
const withoutTitles = (message: string) => titles.reduce((rest, title) => rest.replaceAll(title, ' '), message)

test('an explicit wish decides', () => {
  const signs = { wish: 'en', interfaceLanguage: 'ja', message: '鬼滅の刃はありますか' } as const
  assert.equal(answerLanguage(signs, withoutTitles), 'en')
})

test('a title alone, or no words, is answered in the language of the interface', () => {
  for (const message of [
    'SLAM DUNK',
    'ONE PIECE, SLAM DUNK?',
    'ok',
    'OK!',
    'w',
    'www',
    '😀',
    '123',
    'SLAM DUNK vol. 5',
  ])
    assert.equal(answerLanguage({ interfaceLanguage: 'ja', message }, withoutTitles), 'ja', message)
  assert.equal(answerLanguage({ interfaceLanguage: 'en', message: '鬼滅の刃' }, withoutTitles), 'en')
  assert.equal(answerLanguage({ interfaceLanguage: 'en', message: 'do you have 鬼滅の刃?' }, withoutTitles), 'en')
})

test('words of the other language are answered in it', () => {
  assert.equal(answerLanguage({ interfaceLanguage: 'ja', message: 'is SLAM DUNK finished?' }, withoutTitles), 'en')
  assert.equal(answerLanguage({ interfaceLanguage: 'en', message: '鬼滅の刃は完結した？' }, withoutTitles), 'ja')
  assert.equal(answerLanguage({ interfaceLanguage: 'ja', message: 'thanks' }, withoutTitles), 'en')
})

test('without the catalogue a title counts as words, and without an interface the script decides', () => {
  assert.equal(answerLanguage({ interfaceLanguage: 'ja', message: 'SLAM DUNK' }), 'en')
  assert.equal(answerLanguage({ message: 'SLAM DUNK' }, withoutTitles), 'en')
  assert.equal(answerLanguage({ message: '鬼滅の刃' }, withoutTitles), 'ja')
})

test('titles matter only where the script is not that of the interface', () => {
  assert.equal(needsTitles({ interfaceLanguage: 'ja', message: 'SLAM DUNK' }), true)
  assert.equal(needsTitles({ interfaceLanguage: 'en', message: 'SLAM DUNK' }), false)
  assert.equal(needsTitles({ wish: 'en', interfaceLanguage: 'ja', message: 'SLAM DUNK' }), false)
  assert.equal(needsTitles({ message: 'SLAM DUNK' }), false)
})
