// Whether an answer may be reused for another shopper with the same question.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sampleAttempt } from '#fixtures/turns/samples.ts'
import { sampleQuest, sampleReading, suggesting } from '@mangaassist/bookseller/fixtures/dialogue'
import { NO_STATE } from '@mangaassist/bookseller/dialogue/state'
import { answerNotShared, questionNotShared } from './shareable.ts'
import type { AskedQuestion, MadeAnswer } from './shareable.ts'

const MEANT = suggesting()
const QUESTION: AskedQuestion = {
  message: '泣ける漫画を教えて',
  meant: MEANT,
  isFirst: true,
  missing: [],
  mayShare: true,
}
const ANSWER: MadeAnswer = {
  text: '「四月は君の嘘」はいかがでしょう。',
  finishReason: 'stop',
  tier: 'primary',
  isDegraded: false,
  attempts: [sampleAttempt()],
  hasMismatch: false,
  promptText: '',
}
const asking = (over: Partial<AskedQuestion>) => questionNotShared({ ...QUESTION, ...over })
const answering = (over: Partial<MadeAnswer>) => answerNotShared({ ...ANSWER, ...over })

test('an answer that fits any shopper is shared', () => {
  assert.equal(asking({}), undefined)
  assert.equal(answering({}), undefined)
  for (const intent of [
    { kind: 'talk', topic: 'identity' },
    { kind: 'introduce', ids: ['a'], isGuessed: false },
    { kind: 'compare', ids: ['a', 'b'], measures: [] },
    { kind: 'faq', id: 'shipping' },
  ] as const)
    assert.equal(asking({ meant: { ...MEANT, intent } }), undefined)
  for (const tier of ['economy', 'embedded'] as const) assert.equal(answering({ tier }), undefined)
})

test('a question that depends on its conversation is not shared', () => {
  assert.equal(asking({ isFirst: false }), 'conversation')
  assert.equal(asking({ meant: { ...MEANT, state: { ...NO_STATE, turns: 1 } } }), 'conversation')
  assert.equal(asking({ meant: { ...MEANT, state: { ...NO_STATE, page: 'one-piece' } } }), 'conversation')
})

test('a question that concerns one person, or was not understood, is not shared', () => {
  for (const intent of [
    { kind: 'talk', topic: 'greet' },
    { kind: 'talk', topic: 'unclear' },
    { kind: 'talk', topic: 'distress' },
    { kind: 'order', topic: 'status' },
    { kind: 'unstocked', name: 'X', quest: sampleQuest() },
  ] as const)
    assert.equal(asking({ meant: { ...MEANT, intent } }), 'intent')
  const faq = { kind: 'faq', id: 'tracking' } as const
  assert.equal(asking({ message: '私の注文はどこですか', meant: { ...MEANT, intent: faq } }), 'personal')
  const reading = sampleReading({ isPersonal: true })
  assert.equal(asking({ meant: { ...MEANT, reading } }), 'personal')
  assert.equal(asking({ message: 'あ'.repeat(201) }), 'long')
})

test('a question that mentions the shopper’s own life is not shared', () => {
  for (const message of [
    '山田太郎です。泣ける漫画を教えて',
    'ヤマダと申しますが、おすすめを教えて',
    'A present for my son Kenji, who likes pirates',
    'Something for my ten year old daughter',
    'I have been diagnosed with cancer, something light please',
    'My wife is pregnant, what can she read?',
    '息子が10歳です。おすすめは？',
    '妻へのプレゼントに',
    'うつ病なので明るい漫画を',
    '入院中の母に贈りたい',
    '娘の誕生日に',
  ])
    assert.equal(asking({ message }), 'personal', message)
  for (const message of [
    '彼女、お借りしますはどんな漫画ですか',
    'Do you have a manga called Monster?',
    'A manga about sisters',
    '兄弟の絆を描いた漫画',
    '鬼滅の刃みたいな漫画',
  ])
    assert.equal(asking({ message }), undefined, message)
})

test('a caller’s own prompt and a question with missing context are not shared', () => {
  assert.equal(asking({ mayShare: false }), 'policy')
  assert.equal(asking({ missing: ['retrieval'] }), 'missing')
})

test('an answer that is cut off, degraded or put together from several calls is not shared', () => {
  for (const finishReason of ['length', 'budget', 'timeout', 'stopped', 'interrupted', 'blocked', 'deferred'] as const)
    assert.equal(answering({ finishReason }), 'not-whole')
  assert.equal(answering({ text: ' \n' }), 'not-whole')
  assert.equal(answering({ isDegraded: true }), 'degraded')
  for (const tier of ['cached', 'faq', 'message'] as const) assert.equal(answering({ tier }), 'degraded')
  assert.equal(answering({ attempts: [sampleAttempt(), sampleAttempt({ attempt: 2 })] }), 'patched')
  const silent = sampleAttempt({ usage: { inputTokens: 10, outputTokens: 0, estimated: false } })
  assert.equal(answering({ attempts: [silent, sampleAttempt({ attempt: 2 })] }), undefined)
})

test('an answer that the store contradicts is not shared', () => {
  assert.equal(answering({ hasMismatch: true }), 'mismatch')
})

test('a shared answer may contain the store’s own contact details and no others', () => {
  const promptText = '窓口は Support@Shop.example です。'
  assert.equal(answering({ text: '詳しくは support@shop.example まで。', promptText }), undefined)
  assert.equal(answering({ text: 'Write to taro@example.jp.', promptText }), 'personal')
})

test('a degraded answer is never shared', () => {
  const anyAnswer = fc.record({
    text: fc.string(),
    finishReason: fc.constantFrom('stop' as const, 'length' as const, 'interrupted' as const),
    tier: fc.constantFrom('primary' as const, 'economy' as const, 'faq' as const, 'cached' as const),
    attempts: fc.array(fc.constant(sampleAttempt()), { maxLength: 3 }),
    hasMismatch: fc.boolean(),
    promptText: fc.string(),
  })
  fc.assert(fc.property(anyAnswer, (answer) => answerNotShared({ ...answer, isDegraded: true }) !== undefined))
})
