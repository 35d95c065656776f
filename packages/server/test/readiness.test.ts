// When the built-in responder is certain of its answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wireLookUp } from '#wiring/profiles/look-up.ts'
import { introducing, suggesting } from '@mangaassist/bookseller/fixtures/dialogue'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import { readinessOf } from '@mangaassist/bookseller/dialogue/readiness'

test('a question about something else is not answered with the contact page', async () => {
  const lookUp = await wireLookUp()
  for (const [message, language] of [
    ['a question about robots', 'en'],
    ['one more question about dragons', 'en'],
    ['stories about a human and a robot', 'en'],
    ['who is the strongest person?', 'en'],
    ['ロボットについての質問', 'ja'],
  ] as const) {
    const { intent } = await lookUp.find({ message, language, history: [], limit: 5 }, new AbortController().signal)
    assert.notEqual(intent.kind, 'faq', message)
  }
})

test('a question that depends on the conversation, or names nothing that was found, is not certain', () => {
  assert.equal(readinessOf(introducing()), 'sure')
  assert.equal(readinessOf(introducing({ products: [] })), 'none')
  assert.equal(readinessOf(UNGROUNDED), 'none')
  assert.equal(readinessOf(suggesting()), 'likely')
  assert.equal(readinessOf(suggesting({ isUnsure: true })), 'none')
})
