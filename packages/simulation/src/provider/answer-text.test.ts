// The texts of simulated models.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSeam } from '@mangaassist/server/domain/continuation/create-seam'
import { genericCounter } from '@mangaassist/server/domain/estimator/token-counter'
import { answerAfter, answerTo, within } from './answer-text.ts'

const questions = Array.from({ length: 400 }, (_, index) => `question ${index}`)

test('the same question gets the same answer, another model or question usually a different one', () => {
  assert.equal(answerTo('泣ける漫画', 'a').text, answerTo('泣ける漫画', 'a').text)
  const differing = questions.filter((question) => answerTo(question, 'a').text !== answerTo(question, 'b').text)
  assert.ok(differing.length > 350)
  assert.ok(new Set(questions.map((question) => answerTo(question, 'a').text)).size > 250)
})

test('the stated token count of an answer is about right', () => {
  const answers = questions.map((question) => answerTo(question, 'a'))
  for (const { text, tokens } of answers) assert.ok(Math.abs(genericCounter.text(text) - tokens) <= tokens * 0.1)
})

test('answers contain surrogate pairs, joined emoji and combining marks', () => {
  const all = questions.map((question) => answerTo(question, 'a').text).join('')
  for (const hard of ['𠮷', '👨‍👩‍👧‍👦', 'e\u0301', 'か゚', '🇯🇵']) assert.ok(all.includes(hard), hard)
})

test('a continuation, an overlap or a restart joins the shown text; a mismatch is detected', () => {
  const shown = answerTo('a question', 'a').text.slice(0, 60)
  const joined = (manner: Parameters<typeof answerAfter>[2]) => {
    const seam = createSeam({ shown, question: 'a question' })
    const text = answerAfter(shown, 'b', manner).text
    const said = seam.push(text)
    const end = seam.finish()
    return end.kind === 'ok' ? said + end.text : undefined
  }
  const rest = joined('continue') ?? ''
  assert.ok(rest !== '' && answerAfter(shown, 'b', 'continue').text.endsWith(rest))
  assert.equal(joined('overlap'), rest)
  assert.equal(joined('restart'), rest)
  assert.equal(joined('mismatch'), undefined)
})

test('an answer is cut to the requested number of tokens', () => {
  const whole = answerTo('q', 'a')
  assert.deepEqual(within(whole, whole.tokens), whole)
  const half = within(whole, Math.floor(whole.tokens / 2))
  assert.ok(whole.text.startsWith(half.text) && half.text.length > 0 && half.text.length < whole.text.length)
  assert.equal(half.tokens, Math.floor(whole.tokens / 2))
})
