// The language of an answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleReading } from '../../test/fixtures/dialogue.ts'
import { languageOf } from './language.ts'
import { NO_STATE } from './state.ts'

const title = (text: string) => ({ role: 'title', text, from: 0, to: text.length }) as const

test('a message is answered in its own language', () => {
  const english = sampleReading({ language: 'en' })
  assert.equal(languageOf(english, NO_STATE, { words: 'is it finished?', interface: 'ja' }), 'en')
  assert.equal(
    languageOf(sampleReading({ language: 'ja' }), NO_STATE, { words: '完結してる？', interface: 'en' }),
    'ja',
  )
})

test('a title, a sound or a sign is answered in the language of the page, or of the conversation', () => {
  const slamDunk = sampleReading({ language: 'en', spans: [title('SLAM DUNK')] })
  assert.equal(languageOf(slamDunk, NO_STATE, { words: 'SLAM DUNK', interface: 'ja' }), 'ja')
  assert.equal(languageOf(slamDunk, { ...NO_STATE, spoken: 'ja' }, { words: 'SLAM DUNK' }), 'ja')
  assert.equal(languageOf(slamDunk, NO_STATE, { words: 'SLAM DUNK' }), 'en')
  for (const words of ['ok', 'w', '😀', '???'])
    assert.equal(languageOf(sampleReading({ language: 'en' }), NO_STATE, { words, interface: 'ja' }), 'ja', words)
})

test('what was asked for holds from then on, and the newest wish wins', () => {
  const japanese = sampleReading({ language: 'ja' })
  assert.equal(languageOf(japanese, { ...NO_STATE, agreed: 'en' }, { words: 'ほかには？' }), 'en')
  assert.equal(languageOf({ ...japanese, answerIn: 'ja' }, { ...NO_STATE, agreed: 'en' }, { words: '日本語で' }), 'ja')
  assert.equal(languageOf(japanese, NO_STATE, { words: 'ほかには？', wished: 'en' }), 'en')
})
