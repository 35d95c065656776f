// Which questions share a key in the answer cache. `test/answer-cache.test.ts` asks them of the whole app.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { informing, introducing, sampleAspect, sampleQuest } from '@mangaassist/bookseller/fixtures/dialogue'
import { NO_CONDITIONS } from '@mangaassist/bookseller/dialogue/conditions'
import { NO_STATE } from '@mangaassist/bookseller/dialogue/state'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import type { Grounding } from '@mangaassist/bookseller/grounding'
import { sampleProduct } from '#fixtures/turns/samples.ts'
import { answerKey } from './answer-key.ts'
import type { AnswerKeyParts } from './answer-key.ts'

const parts: AnswerKeyParts = {
  language: 'ja',
  question: '鬼滅の刃はありますか？',
  prompt: 'v1',
  grounding: { ...UNGROUNDED, products: [sampleProduct()] },
  edition: 'a',
  route: 'primary',
}
const keyWith = (over: Partial<AnswerKeyParts>) => answerKey({ ...parts, ...over })

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
})

/** As it is read and looked up: a wish for something sad, at most so many volumes long. */
function wishing(text: string, { volumesMax = 5, avoids = false, read = ['naruto'] } = {}): Grounding {
  const aspect = sampleAspect({ text, moods: ['sad'] })
  const wish = avoids ? { avoid: [aspect] } : { want: [aspect] }
  const conditions = { ...NO_CONDITIONS, ...wish, limits: { volumesMax }, audience: text }
  const intent = { kind: 'suggest', occasion: 'wish', quest: sampleQuest({ text, conditions }) } as const
  const reading = { ...UNGROUNDED.reading, sureness: text.length / 100, plot: text }
  return { ...UNGROUNDED, reading, intent, state: { ...NO_STATE, conditions, read } }
}

test('how sure the reading is, its positions and its wording are not in the key, its conditions are', () => {
  const key = keyWith({ grounding: wishing('泣ける') })
  assert.equal(keyWith({ grounding: wishing('泣ける？') }), key)
  for (const other of [{ volumesMax: 6 }, { avoids: true }, { read: [] }])
    assert.notEqual(keyWith({ grounding: wishing('泣ける', other) }), key)
})

const title = { ja: 'ワンピース', en: 'One Piece', romaji: 'One Piece' }
const about = (facts: Parameters<typeof informing>[0] = ['volumes']) =>
  informing(facts, {
    products: [sampleProduct({ title })],
    intent: { kind: 'inform', ids: [sampleProduct().id], facts },
  })

test('a named series is the same by each of its titles', () => {
  const key = keyWith({ question: 'ワンピースは何巻まで出てますか', grounding: about() })
  assert.equal(keyWith({ question: 'ONE PIECEは何巻まで出てる？', grounding: about() }), key)
  assert.equal(keyWith({ question: 'ﾜﾝﾋﾟｰｽは何巻まで出ていますか。', grounding: about() }), key)
  const volume = keyWith({ question: 'ワンピース 115巻 在庫', grounding: about([]) })
  assert.equal(keyWith({ question: 'ONE PIECE 115巻 在庫', grounding: about([]) }), volume)
  assert.notEqual(keyWith({ question: 'ONE PIECE 15巻 在庫', grounding: about([]) }), volume)
  assert.notEqual(keyWith({ question: 'ワンピは何巻まで出てますか', grounding: about() }), key)
})

test('a title counts as a whole word, and only for a series that is named', () => {
  const inWord = ['Is Stone Pieces finished', 'Is stワンピースs finished'].map((question) =>
    keyWith({ question, grounding: about() }),
  )
  assert.equal(new Set(inWord).size, 2)
  const found = { ...about(), intent: { kind: 'suggest', occasion: 'wish', quest: sampleQuest() } as const }
  const besides = ['ワンピースは何巻', 'One Pieceは何巻'].map((question) => keyWith({ question, grounding: found }))
  assert.equal(new Set(besides).size, 2)
})

test('where the name itself may be asked for, each title is a question of its own', () => {
  const grounding = introducing({ products: [sampleProduct({ title })] })
  const keys = [
    'ワンピースとはどういう意味？',
    'One Pieceとはどういう意味？',
    'ワンピースとOne Pieceは同じ？',
    'ワンピースとワンピースは同じ？',
    'One Pieceとワンピースは同じ？',
  ].map((question) => keyWith({ question, grounding }))
  assert.equal(new Set(keys).size, keys.length)
})
