// Finding the FAQ entry that answers, by whole words, in the language asked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleFaq } from '../../test/fixtures/samples.ts'
import { matchFaq } from './faq.ts'

const entries = sampleFaq()
const find = (message: string, language: 'ja' | 'en') => matchFaq(message, entries, language)?.id

test('a keyword as a whole word finds its entry, in either language', () => {
  assert.equal(find('送料を教えて', 'ja'), 'shipping')
  assert.equal(find('What about SHIPPING costs?', 'en'), 'shipping')
  assert.equal(find('I want to return this', 'en'), 'returns')
})

test('a keyword inside another word is no match', () => {
  assert.equal(find('When does Tankoubon Monthly returneth?', 'en'), undefined)
  assert.equal(find('Are you midshipping it', 'en'), undefined)
})

test('a message about something else finds nothing rather than anything', () => {
  assert.equal(find('進撃の巨人が好きです', 'ja'), undefined)
  assert.equal(find('', 'en'), undefined)
})

test('an entry’s own question finds it, whatever keywords another entry has', () => {
  const [shipping, returns] = entries
  assert.ok(shipping !== undefined && returns !== undefined)
  const greedy = {
    ...shipping,
    keywords: { ja: ['返品', 'でき', '返品できますか'], en: ['can', 'return', 'a', 'book'] },
  }
  assert.equal(matchFaq('Can I return a book?', [greedy, returns], 'en')?.id, 'returns')
  assert.equal(matchFaq('返品できますか', [greedy, returns], 'ja')?.id, 'returns')
})
