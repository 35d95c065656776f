// Every text of the storefront exists in both languages, with the same placeholders.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { genreName } from './names.ts'
import { speak, STORE_WORDS } from './words.ts'

/** Japanese needs a word after the number, English does not. */
const EMPTY_ON_PURPOSE = ['year.en']

test('every word has a text in both languages, with the same placeholders', () => {
  const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted()
  for (const [word, texts] of Object.entries(STORE_WORDS)) {
    for (const language of ['ja', 'en'] as const)
      assert.ok(texts[language] !== '' || EMPTY_ON_PURPOSE.includes(`${word}.${language}`), `${word}.${language}`)
    assert.deepEqual(placeholders(texts.ja), placeholders(texts.en), word)
  }
})

test('numbers and names are written as the language does', () => {
  assert.equal(speak('ja')('pricePerVolume', 1100), '1,100円')
  assert.equal(speak('en')('pricePerVolume', 1100), '¥1,100')
  assert.deepEqual(
    [0, 1, 2].map((n) => speak('en')('volumes', n)),
    ['0 vols', '1 vol', '2 vols'],
  )
  assert.deepEqual(
    [genreName('sci-fi', 'ja'), genreName('horror', 'en'), genreName('space-opera', 'en')],
    ['SF', 'Horror', 'Space opera'],
  )
})
