// The tables say everything in both languages, with the same places for numbers.
import assert from 'node:assert/strict'
import test from 'node:test'
import { chatWords, genreNames, nameOf, productWords, readershipNames, speak, storeWords } from './i18n.ts'
import type { Words } from './i18n.ts'

const tables: Readonly<Record<string, Words>> = { chatWords, productWords, storeWords, genreNames, readershipNames }

/** A counter that English does without. */
const emptyOnPurpose = ['storeWords.year.en']

for (const [name, table] of Object.entries(tables)) {
  test(`${name} has every word in both languages`, () => {
    for (const [word, said] of Object.entries(table)) {
      for (const language of ['ja', 'en'] as const) {
        const place = `${name}.${word}.${language}`
        assert.ok(said[language].trim() !== '' || emptyOnPurpose.includes(place), place)
      }
      const places = (text: string): string[] => text.match(/\{\w+\}/g) ?? []
      assert.deepEqual(places(said.ja), places(said.en), `${name}.${word} takes the same in both languages`)
    }
  })
}

test('no English is left in the Japanese words but names, and no Japanese in the English', () => {
  for (const [word, said] of Object.entries(chatWords)) {
    if (word.startsWith('otherLanguage')) continue
    assert.match(said.ja, /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u, word)
    assert.doesNotMatch(said.en, /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u, word)
  }
})

test('numbers are written the reader’s way', () => {
  assert.equal(speak(productWords, 'ja')('pricePerVolume', 1100), '1,100円')
  assert.equal(speak(productWords, 'en')('fewLeft', 3), 'Only 3 left')
})

test('a genre of the shop’s own is called what the shop calls it', () => {
  assert.equal(nameOf(genreNames, 'sci-fi', 'ja'), 'SF')
  assert.equal(nameOf(genreNames, 'gothic', 'en'), 'gothic')
})
