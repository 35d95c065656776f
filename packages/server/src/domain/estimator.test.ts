// The token estimate: it grows with the text and is never nothing for something.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../test/fixtures/texts.ts'
import { estimateMessages, estimateTokens } from './estimator.ts'

test('more text is never estimated at less, and any text at something', () => {
  fc.assert(
    fc.property(anyText, anyText, (text, more) => {
      assert.ok(estimateTokens(text + more) >= estimateTokens(text))
      assert.equal(estimateTokens(text) > 0, text !== '')
      assert.ok(Number.isSafeInteger(estimateTokens(text)))
    }),
  )
})

test('Japanese weighs about a token a character, English about one in three or four', () => {
  assert.equal(estimateTokens('あ'.repeat(100)), 96)
  assert.equal(estimateTokens('a'.repeat(100)), 29)
  assert.equal(estimateTokens('ｱ'.repeat(100)), 96)
})

test('every message has its price beside its text', () => {
  assert.equal(estimateMessages([]), 0)
  assert.equal(estimateMessages([{ content: '' }, { content: 'あ' }]), 9)
})
