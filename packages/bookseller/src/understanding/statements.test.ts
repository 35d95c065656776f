// Statements of shoppers about themselves are found in both languages, whatever else the sentence asks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleProduct } from '@mangaassist/server/fixtures/turns/samples'
import { detectLanguage } from '../text/language.ts'
import { pinnedIn, pinnedLines } from './pinned.ts'
import { budgetIn } from './statements.ts'
import { buildLexicon, understand } from './understand.ts'

const shelf = [
  sampleProduct({ id: 'monster', title: { ja: 'MONSTER', en: 'Monster', romaji: 'Monster' }, aliases: ['モンスター'] }),
  sampleProduct({
    id: 'one-piece',
    title: { ja: 'ONE PIECE', en: 'One Piece', romaji: 'One Piece' },
    aliases: ['ワンピース'],
  }),
  sampleProduct({ id: 'naruto', title: { ja: 'NARUTO', en: 'Naruto', romaji: 'Naruto' }, aliases: ['ナルト'] }),
]
const lexicon = buildLexicon(shelf, [])

function factsOf(...questions: readonly string[]): Record<string, unknown> {
  const pinned = pinnedIn(questions.map((question) => understand(question, detectLanguage(question), lexicon)))
  const lines = pinnedLines(pinned, shelf, 'en').map((line) => JSON.parse(line) as Record<string, unknown>)
  return Object.assign({}, ...lines) as Record<string, unknown>
}

test('a liked series and a budget in one sentence are two facts', () => {
  for (const sentence of [
    'I love Monster and my budget is 600 yen per volume',
    "I really liked Monster, but I can't spend more: my budget is around 600 yen a volume",
    'My favourite is Monster. I can spend up to 600 yen per book.',
    'Big fan of Monster here, budget: ¥600 max',
    'モンスターが好きで、予算は1冊600円です',
    'モンスターが大好き。予算は600円以内でお願いします',
  ])
    assert.deepEqual(factsOf(sentence), { yenPerVolumeMax: 600, likes: ['Monster'] }, sentence)
})

test('a budget next to a question about a price is a budget, and the question remains', () => {
  const sentence = 'How much is Monster? My budget is 600 yen per volume'
  assert.equal(understand(sentence, 'en', lexicon).kind, 'price')
  assert.deepEqual(factsOf(sentence), { yenPerVolumeMax: 600, askedAbout: ['Monster'] })
})

test('a number is a budget only with the words for it', () => {
  for (const [text, yen] of [
    ['my budget is 1,200 yen', 1200],
    ['予算は約500円', 500],
    ['a budget of 3 volumes', undefined],
    ['is it 600 yen per volume?', undefined],
    ['something on a budget', undefined],
    ['i read 600 pages', undefined],
  ] as const)
    assert.equal(budgetIn(text), yen, text)
})

test('owned series are facts, with their volumes', () => {
  for (const [sentence, title, volumes] of [
    ['I own volumes 1 to 5 of One Piece', 'One Piece', '1-5'],
    ['I have volumes 1-5 of One Piece', 'One Piece', '1-5'],
    ['I already have One Piece up to volume 5', 'One Piece', '1-5'],
    ["I've got the first 5 volumes of One Piece", 'One Piece', '1-5'],
    ['I have all of Naruto', 'Naruto', 'all'],
    ['I own Naruto', 'Naruto', undefined],
    ['ワンピースは5巻まで持ってる', 'One Piece', '1-5'],
    ['ワンピースの1〜5巻を持っています', 'One Piece', '1-5'],
    ['ワンピースは3巻だけ持ってる', 'One Piece', '3'],
    ['ナルトは全巻持っています', 'Naruto', 'all'],
  ] as const) {
    const own = volumes === undefined ? { title } : { title, volumes }
    assert.deepEqual(factsOf(sentence), { owns: [own] }, sentence)
  }
})

test('owned volumes are no wish for a short series, and the latest statement counts', () => {
  assert.deepEqual(understand('ワンピースは5巻まで持ってる', 'ja', lexicon).wish.filters, {})
  const said = ['I own volumes 1 to 5 of One Piece', 'I have One Piece up to volume 8 now']
  assert.deepEqual(factsOf(...said), { owns: [{ title: 'One Piece', volumes: '1-8' }] })
})

test('owned, liked and requested series are distinguished in one message', () => {
  assert.deepEqual(factsOf('I have One Piece up to volume 20, how much is Naruto?'), {
    owns: [{ title: 'One Piece', volumes: '1-20' }],
    askedAbout: ['Naruto'],
  })
})

test('a series with a negation or in a question is neither liked nor owned', () => {
  for (const [sentence, facts] of [
    ["I don't like Monster", { dislikes: ['Monster'] }],
    ["I don't really like Monster", { dislikes: ['Monster'] }],
    ["I'm not a fan of Monster and my budget is 600 yen", { yenPerVolumeMax: 600, dislikes: ['Monster'] }],
    ['I never liked Monster', { dislikes: ['Monster'] }],
    ['モンスターは好きじゃない', { dislikes: ['Monster'] }],
    ['モンスターはあまり好きではない', { dislikes: ['Monster'] }],
    ["I don't own One Piece", { askedAbout: ['One Piece'] }],
    ['ワンピースは持ってない', { askedAbout: ['One Piece'] }],
    ['Do you have One Piece?', { askedAbout: ['One Piece'] }],
    ['Do I have to read One Piece first?', { askedAbout: ['One Piece'] }],
    ['ワンピースは持っていますか？', { askedAbout: ['One Piece'] }],
  ] as const)
    assert.deepEqual(factsOf(sentence), facts, sentence)
})

test('long runs of digits and spaces do not make the regular expressions slow', () => {
  const long = `I have ${'1 '.repeat(1500)}${'9'.repeat(1500)} of One Piece, 予算は${' '.repeat(1500)}です`
  assert.deepEqual(understand(long, 'en', lexicon).mentioned, ['one-piece'])
})
