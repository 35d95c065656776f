// How much of an entry is said: what a message asks in particular, the brief answer, or all of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FaqEntry } from './catalogue.ts'
import { asAsked, statedBy } from './asked-policy.ts'

const WRAPPING: FaqEntry = {
  id: 'wrapping',
  topic: 'gift',
  questions: { ja: ['包装できますか'], en: ['Do you wrap?'] },
  keywords: { ja: [], en: [] },
  answer: { ja: '330円です。カードはありません。', en: 'It is 330 yen. There are no cards.' },
  brief: { ja: 'はい、330円です。', en: 'Yes, for 330 yen.' },
  details: [
    {
      words: ['カード', 'card'],
      ja: 'カードはありません。包装は330円です。',
      en: 'There are no cards; wrapping is 330 yen.',
    },
    { words: ['リボン', 'ribbon'], ja: 'リボンは330円に含みます。', en: 'A ribbon is part of the 330 yen.' },
    { words: ['袋', 'bag'], ja: '袋はありません。', en: 'There are no bags.' },
  ],
}
const briefOf = (message: string) => asAsked(WRAPPING, message).brief

test('a detail that the message names replaces the brief answer', () => {
  assert.equal(briefOf('can you wrap it')?.en, 'Yes, for 330 yen.')
  assert.equal(briefOf('with a Card?')?.en, 'There are no cards; wrapping is 330 yen.')
  assert.equal(briefOf('ｶｰﾄﾞも付きますか')?.ja, 'カードはありません。包装は330円です。')
})

test('a word in Latin script is no part of another word', () => {
  assert.equal(briefOf('wrap it in cardboard')?.en, 'Yes, for 330 yen.')
  assert.equal(briefOf('baggage')?.en, 'Yes, for 330 yen.')
})

test('a second detail is added unless it repeats a figure of the first', () => {
  assert.equal(briefOf('a card and a bag')?.en, 'There are no cards; wrapping is 330 yen. There are no bags.')
  assert.equal(briefOf('a card and a ribbon')?.en, 'There are no cards; wrapping is 330 yen.')
})

test('who asks for details gets the whole answer', () => {
  assert.equal(briefOf('包装について詳しく教えて'), undefined)
  assert.equal(briefOf('the details of wrapping, please'), undefined)
})

test('what an entry states includes its brief answer and its details', () => {
  assert.match(statedBy(WRAPPING, 'en'), /There are no cards\.\nYes, for 330 yen\.\n[^]*no bags/)
})
