// Which scripts count as Japanese, and which share of them is enough.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { detectLanguage } from './language.ts'

test('kana of either width and kanji are Japanese', () => {
  for (const text of ['ひらがな', 'カタカナ', 'ﾊﾝｶｸｶﾅ', 'ﾍﾞﾙｾﾙｸ', '漫画', '𠮟る', 'コーヒー', '々']) {
    assert.equal(detectLanguage(text), 'ja', text)
  }
})

test('Hangul, emoji, full-width Latin and punctuation above U+3000 are not', () => {
  for (const text of ['한국어 만화', '😭😭😭', 'ＡＢＣ ＭＡＮＧＡ', '「manga」。、', '１２３', '', '???']) {
    assert.equal(detectLanguage(text), 'en', text)
  }
})

test('a text is Japanese from a fifth of its letters', () => {
  assert.equal(detectLanguage('abcd漫'), 'ja')
  assert.equal(detectLanguage('abcde漫'), 'en')
  assert.equal(detectLanguage('Do you have 進撃の巨人 in stock, all the volumes?'), 'en')
  assert.equal(detectLanguage('ONE PIECEの最新刊'), 'ja')
})

test('digits, spaces, signs and emoji do not count as letters', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('1', ' ', '!', '😭', '。', '\n'), { maxLength: 50 }), (noise) => {
      assert.equal(detectLanguage(`漫${noise.join('')}abcd`), 'ja')
      assert.equal(detectLanguage(`m${noise.join('')}anga`), 'en')
    }),
  )
})

test('the id of an order is no letters', () => {
  assert.equal(detectLanguage('order_Isjr9ddGhCbo2XmWR3EXmr はどこ？'), 'ja')
  assert.equal(detectLanguage('where is order_Isjr9ddGhCbo2XmWR3EXmr?'), 'en')
})
