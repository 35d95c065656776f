// Every table of words has a text in both languages, with the same placeholders for numbers.
import assert from 'node:assert/strict'
import test from 'node:test'
import { chatWords, genreNames, nameOf, productWords, readershipNames, speak, storeWords } from './i18n.ts'
import type { Words } from './i18n.ts'

const tables: Readonly<Record<string, Words>> = { chatWords, productWords, storeWords, genreNames, readershipNames }

/** Japanese needs a counter word after the number, English does not. */
const emptyOnPurpose = ['storeWords.year.en']

for (const [name, table] of Object.entries(tables)) {
  test(`${name} has every word in both languages`, () => {
    for (const [word, texts] of Object.entries(table)) {
      for (const language of ['ja', 'en'] as const) {
        const key = `${name}.${word}.${language}`
        assert.ok(texts[language].trim() !== '' || emptyOnPurpose.includes(key), key)
      }
      const placeholders = (text: string): string[] => text.match(/\{\w+\}/g) ?? []
      const message = `${name}.${word} has the same placeholders in both languages`
      assert.deepEqual(placeholders(texts.ja), placeholders(texts.en), message)
    }
  })
}

test('every Japanese text of the chat contains Japanese, and no English text does', () => {
  for (const [word, texts] of Object.entries(chatWords)) {
    if (word.startsWith('otherLanguage')) continue
    assert.match(texts.ja, /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u, word)
    assert.doesNotMatch(texts.en, /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u, word)
  }
})

test('numbers are formatted for the reader’s language', () => {
  assert.equal(speak(productWords, 'ja')('pricePerVolume', 1100), '1,100円')
  assert.equal(speak(productWords, 'en')('fewLeft', 3), 'Only 3 left')
})

test('a genre that is not in the table is shown under its own id', () => {
  assert.equal(nameOf(genreNames, 'sci-fi', 'ja'), 'SF')
  assert.equal(nameOf(genreNames, 'gothic', 'en'), 'gothic')
})
