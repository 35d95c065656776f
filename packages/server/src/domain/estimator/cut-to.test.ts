// Cutting a text to its share of tokens.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '#fixtures/shop/texts.ts'
import { cutTo } from './cut-to.ts'
import { genericCounter } from './token-counter.ts'

test('a text that fits stays whole, and a longer one is cut to its beginning with a mark, within the share', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 5, max: 60 }), (text, tokensMax) => {
      const cut = cutTo(text, tokensMax, genericCounter)
      assert.ok(genericCounter.text(cut) <= tokensMax)
      assert.ok(cut.isWellFormed())
      if (genericCounter.text(text) <= tokensMax) assert.equal(cut, text)
      else assert.ok(cut.endsWith('…') && text.startsWith(cut.slice(0, -1)))
    }),
  )
})

test('a cut text uses all of its share', () => {
  const cut = cutTo('漫'.repeat(5000), 100, genericCounter)
  assert.ok(genericCounter.text(`${cut}漫`) > 100)
})
