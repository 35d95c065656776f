// Which past turns go into the prompt.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { genericGauge } from '#domain/estimator/gauge.ts'
import { sampleStoredTurn } from '../../../test/fixtures/samples.ts'
import { anyText } from '../../../test/fixtures/texts.ts'
import { historyMessages as trimmed } from './trim.ts'

const turn = (question: string, answer: string) => sampleStoredTurn({ question, answer })
const historyMessages = (history: Parameters<typeof trimmed>[0], tokensMax: number) =>
  trimmed(history, tokensMax, genericGauge)
const anyTurns = fc.array(fc.record({ question: anyText.map((text) => `q${text}`), answer: anyText }), {
  maxLength: 10,
})

test('whatever the history, what leaves alternates, starts with the user, ends with the answer, and fits', () => {
  fc.assert(
    fc.property(anyTurns, fc.integer({ min: 0, max: 400 }), (turns, tokensMax) => {
      const messages = historyMessages(
        turns.map(({ question, answer }) => turn(question, answer)),
        tokensMax,
      )
      assert.ok(genericGauge.messages(messages) <= tokensMax)
      assert.equal(messages.length % 2, 0)
      for (const [index, message] of messages.entries()) {
        assert.equal(message.role, index % 2 === 0 ? 'user' : 'assistant')
        assert.notEqual(message.content, '')
        assert.ok(message.content.isWellFormed())
      }
    }),
  )
})

test('with room for it, the newest answered pair is always there', () => {
  fc.assert(
    fc.property(anyTurns, fc.integer({ min: 40, max: 400 }), (turns, tokensMax) => {
      const newest = turns.findLast(({ answer }) => answer !== '')
      const messages = historyMessages(
        turns.map(({ question, answer }) => turn(question, answer)),
        tokensMax,
      )
      if (newest === undefined) return assert.deepEqual(messages, [])
      const [question, answer] = messages.slice(-2).map(({ content }) => content.replace(/…$/u, ''))
      assert.ok(newest.question.startsWith(question ?? '?') && newest.answer.startsWith(answer ?? '?'))
    }),
  )
})

test('the newest that fit are kept, without a gap, in their order', () => {
  const history = ['a', 'b', 'c'].map((name) => turn(`question ${name} ${'x'.repeat(80)}`, `answer ${name}`))
  const two = genericGauge.messages(historyMessages(history.slice(1), 1000))
  const kept = historyMessages(history, two + 1).map(({ content }) => content.slice(0, 10))
  assert.deepEqual(kept, ['question b', 'answer b', 'question c', 'answer c'])
})

test('a question that was never answered is left out, and those around it stay in turn', () => {
  const history = [turn('first', 'one'), turn('stopped before a word', ''), turn('third', 'three')]
  assert.deepEqual(
    historyMessages(history, 1000).map(({ content }) => content),
    ['first', 'one', 'third', 'three'],
  )
})

test('a newest pair that is too long is shortened on both sides and says so', () => {
  const messages = historyMessages([turn('older', 'older'), turn('問'.repeat(500), '答'.repeat(500))], 200)
  assert.equal(messages.length, 2)
  for (const { content } of messages) assert.match(content, /^[問答]{20,}…$/u)
})

test('where nothing helpful fits, there is no history', () => {
  assert.deepEqual(historyMessages([turn('問'.repeat(500), '答')], 39), [])
  assert.deepEqual(historyMessages([], 1000), [])
})
