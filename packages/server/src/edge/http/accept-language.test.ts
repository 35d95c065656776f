// The language of error messages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preferredLanguage, writtenLanguage } from './accept-language.ts'

test('the better weighted of our languages is preferred, Japanese when neither is named', () => {
  assert.equal(preferredLanguage(undefined), 'ja')
  assert.equal(preferredLanguage('fr, de;q=0.5'), 'ja')
  assert.equal(preferredLanguage('en-GB,en;q=0.9,ja;q=0.8'), 'en')
  assert.equal(preferredLanguage('en;q=0.1, ja;q=0.2'), 'ja')
  assert.equal(preferredLanguage('en;q=0, fr'), 'ja')
  assert.equal(preferredLanguage('en;q=nonsense'), 'ja')
  assert.equal(preferredLanguage(';;,,q='), 'ja')
})

test('a question’s language is the chosen one, else by its letters, else unknown', () => {
  assert.equal(writtenLanguage({ language: 'en', message: 'こんにちは' }), 'en')
  assert.equal(writtenLanguage({ message: 'こんにちは' }), 'ja')
  assert.equal(writtenLanguage({ language: 'fr', message: 'bonjour' }), 'en')
  assert.equal(writtenLanguage({ message: '123 !?' }), undefined)
  assert.equal(writtenLanguage({ message: 7 }), undefined)
})
