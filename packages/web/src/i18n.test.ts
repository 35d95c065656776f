// Every table of words has a text in both languages, with the same placeholders for numbers.
import assert from 'node:assert/strict'
import test from 'node:test'
import { endedWords } from './chat/exchange/ended-words.ts'
import { historyWords } from './chat/history/words.ts'
import { launcherWords } from './chat/shell/launcher-words.ts'
import { productLabels } from '@mangaassist/protocol'
import { chatWords, speak } from './i18n.ts'
import type { Words } from './i18n.ts'

const tables: Readonly<Record<string, Words>> = {
  launcherWords,
  chatWords,
  endedWords,
  historyWords,
  productLabels,
}

for (const [name, table] of Object.entries(tables)) {
  test(`${name} has every word in both languages`, () => {
    for (const [word, texts] of Object.entries(table)) {
      for (const language of ['ja', 'en'] as const) {
        const key = `${name}.${word}.${language}`
        assert.ok(texts[language].trim() !== '', key)
      }
      const placeholders = (text: string): string[] => text.match(/\{\w+\}/g) ?? []
      const message = `${name}.${word} has the same placeholders in both languages`
      assert.deepEqual(placeholders(texts.ja), placeholders(texts.en), message)
    }
  })
}

test('an English number has its singular', () => {
  const say = speak(productLabels, 'en')
  assert.deepEqual(
    [say('volumes', 1), say('volumesSoFar', 1), say('volumesOnSale', 2)],
    ['1 vol', '1 vol so far', '2 vols'],
  )
})

test('every Japanese text of the chat contains Japanese, and no English text does', () => {
  for (const [word, texts] of Object.entries({ ...launcherWords, ...chatWords, ...endedWords })) {
    if (word.startsWith('otherLanguage')) continue
    assert.match(texts.ja, /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u, word)
    assert.doesNotMatch(texts.en, /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u, word)
  }
})

test('numbers are formatted for the reader’s language', () => {
  assert.equal(speak(productLabels, 'ja')('pricePerVolume', 1100), '1,100円')
  assert.equal(speak(productLabels, 'en')('fewLeft', 3), 'Only 3 left')
})
