// Which questions share a key in the answer cache.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sampleProduct } from '#fixtures/turns/samples.ts'
import { anyText } from '#fixtures/shop/texts.ts'
import { answerKey, normalisedQuestion } from './answer-key.ts'
import type { AnswerKeyParts } from './answer-key.ts'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'

const parts: AnswerKeyParts = {
  language: 'ja',
  question: '鬼滅の刃はありますか？',
  prompt: 'v1',
  grounding: { ...UNGROUNDED, products: [sampleProduct()] },
  edition: 'a',
  route: 'primary',
}
const keyWith = (over: Partial<AnswerKeyParts>) => answerKey({ ...parts, ...over })

test('width, case, punctuation and white space do not make another question', () => {
  const same = [
    ['What is ONE PIECE?', ' what is　“one piece”… '],
    ['ＡＫＩＲＡはありますか？', 'akiraはありますか!'],
    ['ﾜﾝﾋﾟｰｽ', 'ワンピース。'],
  ] as const
  for (const [one, other] of same) assert.equal(normalisedQuestion(one), normalisedQuestion(other))
})

test('a difference in meaning makes another question', () => {
  const different = [
    ['vol 1-3', 'vol 13'],
    ['3.5', '35'],
    ['1 3', '13'],
    ['novel', 'no vel'],
    ['はい', 'ばい'],
    ['C++', 'C'],
  ] as const
  for (const [one, other] of different) assert.notEqual(normalisedQuestion(one), normalisedQuestion(other))
})

test('normalising twice gives the same as once', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const once = normalisedQuestion(text)
      assert.equal(normalisedQuestion(once), once)
    }),
  )
})

test('an answer is found again only with the same language, words, prompt, edition, products, meaning and route', () => {
  const cheaper = { ...parts.grounding, products: [sampleProduct({ pricePerVolumeYen: 400 })] }
  const soldOut = { ...parts.grounding, products: [sampleProduct({ stock: 0 })] }
  const meantOtherwise = { ...parts.grounding, intent: { kind: 'talk' as const, topic: 'help' as const } }
  const keys = [
    keyWith({}),
    keyWith({ language: 'en' }),
    keyWith({ question: '鬼滅の刃の作者は？' }),
    keyWith({ prompt: 'v2' }),
    keyWith({ route: 'economy' }),
    keyWith({ edition: 'b' }),
    ...[cheaper, soldOut, meantOtherwise].map((grounding) => keyWith({ grounding })),
  ]
  assert.equal(new Set(keys).size, keys.length)
  assert.equal(keyWith({ question: '鬼滅の刃は ありますか' }), keyWith({ question: '鬼滅の刃は、ありますか！' }))
})
