// Questions that continue the policy of the last answer, and what follows a complaint.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleAspect, sampleReading } from '../../../test/fixtures/dialogue.ts'
import type { Reading } from '../../understanding/reading.ts'
import { advance } from '../advance.ts'
import { intend } from '../intend.ts'
import type { Intent } from '../intent.ts'
import { replay } from '../replay.ts'
import { NO_STATE } from '../state.ts'
import type { DialogueState } from '../state.ts'

const DAMAGED: DialogueState = {
  ...NO_STATE,
  policy: 'returns-damaged',
  previous: 'service',
  said: ['We exchange it free of charge. 無料で交換いたします。'],
  turns: 1,
}
const POLICY: Intent = { kind: 'faq', id: 'returns-damaged', isContinued: true }
const asked = (id: string) => ({ faq: { id, isSure: true, isAsked: true } })

function meant(words: string, over: Partial<Reading>, before = DAMAGED): Intent {
  const reading = sampleReading(over)
  return intend({ reading, words, before, state: advance(before, reading, words) })
}

test('a question that shares a word with the last policy, is elliptic or asks for more continues it', () => {
  assert.deepEqual(meant('does the exchange cost me anything?', { act: 'unclear' }), POLICY)
  assert.deepEqual(meant('交換ってお金かかりますか', { act: 'smalltalk' }), POLICY)
  assert.deepEqual(meant('what about the postage?', { act: 'smalltalk' }), POLICY)
  assert.deepEqual(meant('もう開けてたら？', { act: 'order' }), POLICY)
  assert.deepEqual(meant('tell me more', { act: 'smalltalk' }), POLICY)
  assert.deepEqual(meant('with a ribbon?', { act: 'faq' }), POLICY)
})

test('a wish, a named series, another policy and small talk do not continue it', () => {
  const after = { ...DAMAGED, previous: 'faq' } as const
  assert.equal(meant('what about horror?', { want: [sampleAspect()] }, after).kind, 'suggest')
  assert.equal(
    meant('and X?', { act: 'title', series: [{ role: 'title', text: 'X', id: 'x' }] }, after).kind,
    'introduce',
  )
  assert.deepEqual(meant('what about returns?', { act: 'faq', ...asked('returns') }, after), {
    kind: 'faq',
    id: 'returns',
  })
  assert.deepEqual(meant('do you like football?', { act: 'smalltalk' }, after), { kind: 'talk', topic: 'smalltalk' })
  assert.deepEqual(meant('what about the postage?', { act: 'smalltalk' }, NO_STATE), {
    kind: 'talk',
    topic: 'smalltalk',
  })
})

test('after a complaint a question that nothing answers is for the staff, and thanks are for the way', () => {
  assert.deepEqual(meant('what will you do about it?', { act: 'smalltalk' }), { kind: 'person' })
  assert.deepEqual(meant('ok thanks', { act: 'thanks' }), { kind: 'talk', topic: 'resolved' })
  assert.deepEqual(meant('ok thanks', { act: 'thanks' }, NO_STATE), { kind: 'talk', topic: 'thanks' })
})

test('the number of an order after a complaint is for the staff; a question with a number is not', () => {
  assert.deepEqual(meant('注文番号は5521です', { act: 'order', orderId: '5521' }), { kind: 'person', orderId: '5521' })
  const question = meant('where is order 5521?', { act: 'order', orderId: '5521' })
  assert.deepEqual(question, { kind: 'order', topic: 'status', orderId: '5521' })
  assert.equal(meant('order 5521', { act: 'order', orderId: '5521' }, NO_STATE).kind, 'order')
})

test('the last policy is repeated in another language', () => {
  const repeated = { kind: 'faq', id: 'returns-damaged' } as const
  assert.deepEqual(meant('once more in English please', { act: 'language', answerIn: 'en' }), repeated)
  assert.deepEqual(meant('in English please', { act: 'language', answerIn: 'en' }), { kind: 'talk', topic: 'language' })
})

test('a complaint that names the words of a policy is still apologised for', () => {
  const late = meant('配達済みなのに届いてない', { act: 'complaint', ...asked('late-delivery') }, NO_STATE)
  assert.deepEqual(late, { kind: 'complaint', grievance: 'late' })
})

test('a policy is remembered until the next answer', () => {
  const turn = (question: string) => ({ question, answer: '…', language: 'en', productIds: [] }) as const
  const read = (words: string) =>
    sampleReading(words === 'fee?' ? { act: 'faq', ...asked('shipping-fee') } : { act: 'greet' })
  assert.equal(replay([turn('fee?')], read).policy, 'shipping-fee')
  assert.equal(replay([turn('fee?'), turn('hi')], read).policy, undefined)
})
