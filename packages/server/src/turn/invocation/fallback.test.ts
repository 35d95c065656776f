// What is said when no model can.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaults } from '#config.ts'
import { faqIndex } from '#domain/faq-index.ts'
import { sampleFaq } from '../../../test/fixtures/samples.ts'
import { fallbackFor } from './fallback.ts'

const parts = { faq: faqIndex(sampleFaq()), store: defaults.store }

test('the FAQ answers what it knows, in the language asked', () => {
  assert.deepEqual(fallbackFor(parts, '返品したい', 'ja'), {
    tier: 'faq',
    confidence: 0.3,
    text: '到着から14日以内に承ります。',
  })
  assert.deepEqual(fallbackFor(parts, 'Any refund?', 'en'), {
    tier: 'faq',
    confidence: 0.3,
    text: 'Within 14 days of arrival.',
  })
})

test('what it does not know gets an honest message that names a way onward, in the language asked', () => {
  for (const language of ['ja', 'en'] as const) {
    const { tier, text } = fallbackFor(parts, 'ベルセルク Berserk', language)
    assert.equal(tier, 'message')
    assert.ok(text.includes(defaults.store.contact[language]))
    assert.match(text, language === 'ja' ? /申し訳/ : /sorry/)
  }
})
