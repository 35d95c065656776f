// What the next question says about the answer before it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleReading } from '@mangaassist/bookseller/fixtures/dialogue'
import { NOTHING_MEANT } from '@mangaassist/bookseller/grounding'
import type { Meant } from '@mangaassist/bookseller/grounding'
import type { Reading } from '@mangaassist/bookseller/understanding/reading'
import { escalationBy, faultIn, isComplaintAboutAnswer, receptionBy, repeatsQuestion } from './last-answer.ts'

const meant = (reading: Partial<Reading> = {}, over: Partial<Meant> = {}): Meant => ({
  ...NOTHING_MEANT,
  reading: sampleReading({ act: 'fact', ...reading }),
  ...over,
})
const repeats = (message: string, last: string, reading: Partial<Reading> = {}) =>
  repeatsQuestion({ message, meant: meant(reading) }, last)

test('the same words ask again, whatever their signs, width, case and small words', () => {
  for (const [message, last] of [
    ['Is One Piece in stock?', 'is one piece in stock'],
    ['One Piece: is it in stock?', 'Do you have One Piece in stock?'],
    ['ワンピースの在庫は？', 'ワンピースは在庫ありますか'],
    ['ﾜﾝﾋﾟｰｽの在庫は？', 'ワンピースの在庫は？'],
    ['進撃の巨人は完結した？', '進撃の巨人は完結してますか？'],
  ] as const)
    assert.ok(repeats(message, last), `${message} | ${last}`)
})

test('another series, number or wish does not ask again', () => {
  for (const [message, last] of [
    ['Is Naruto in stock?', 'Is Boruto in stock?'],
    ['ナルトの在庫は？', 'ワンピースの在庫は？'],
    ['Something under 1000 yen', 'Something under 500 yen'],
    ['こわい漫画は？', 'やさしい漫画は？'],
    ['Is One Piece finished?', 'Is One Piece in stock?'],
    ['それは？', 'これは？'],
  ] as const)
    assert.ok(!repeats(message, last), `${message} | ${last}`)
})

test('a yes, a choice or a wish for others may be repeated without asking again', () => {
  assert.ok(!repeats('はい', 'はい', { act: 'yes' }))
  assert.ok(!repeats('the second one', 'the second one', { act: 'choose' }))
  assert.ok(!repeats('もっと見せて', 'もっと見せて', { act: 'recommend', changes: ['others'] }))
})

test('a complaint is about the answer when it, a grievance or a protest says so', () => {
  assert.ok(isComplaintAboutAnswer(meant({}, { intent: { kind: 'complaint', grievance: 'answer' } })))
  assert.ok(isComplaintAboutAnswer(meant({ grievances: ['answer'] })))
  assert.ok(isComplaintAboutAnswer(meant({ otherwise: 'complaint' }, { isProtest: true })))
  assert.ok(!isComplaintAboutAnswer(meant({ otherwise: 'find' }, { isProtest: true })))
  assert.ok(
    !isComplaintAboutAnswer(meant({ grievances: ['late'] }, { intent: { kind: 'complaint', grievance: 'late' } })),
  )
  assert.ok(!isComplaintAboutAnswer(meant()))
})

test('a complaint and a question that is asked again escalate, another question does not', () => {
  const by = (message: string, over: Partial<Meant> = {}) =>
    escalationBy({ message, meant: meant({}, over) }, 'Is One Piece in stock?')
  const grievance = { intent: { kind: 'complaint', grievance: 'answer' } } as const
  assert.equal(by('that is wrong', grievance), 'complaint')
  assert.equal(by('is one piece in stock', grievance), 'complaint')
  assert.equal(by('is one piece in stock'), 'asked-again')
  assert.equal(by('Is Naruto in stock?'), undefined)
})

test('every next question follows up; asking again and calling for a person are noted too', () => {
  const next = (over: Partial<Meant> = {}) => ({ message: 'What about Naruto?', meant: meant({}, over) })
  assert.deepEqual(receptionBy(next(), 'Is it finished?'), { followedUp: true })
  assert.deepEqual(receptionBy(next(), 'what about naruto'), { followedUp: true, askedAgain: true })
  assert.deepEqual(receptionBy(next({ intent: { kind: 'complaint', grievance: 'answer' } }), 'x'), {
    followedUp: true,
    askedAgain: true,
  })
  assert.deepEqual(receptionBy(next({ intent: { kind: 'person' } }), 'x'), { followedUp: true, handedOver: true })
})

test('a thumb down or a contradiction by the store is a fault, a thumb up is not', () => {
  const thumb = (value: 'up' | 'down') => ({ feedback: { value, at: 0 } })
  assert.equal(faultIn({ mismatches: ['price'], received: thumb('down') }), 'thumb-down')
  assert.equal(faultIn({ mismatches: ['price'], received: {} }), 'mismatch')
  assert.equal(faultIn({ mismatches: [], received: thumb('up') }), undefined)
})
