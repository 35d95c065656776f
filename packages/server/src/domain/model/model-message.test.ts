// A message's content as parts, and its text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageText, textMessage, textPart } from './model-message.ts'

test('a message of text is one part, and its text is that of its parts in their order', () => {
  assert.deepEqual(textMessage('user', 'hi'), { role: 'user', content: [{ type: 'text', text: 'hi' }] })
  assert.equal(messageText(textMessage('assistant', 'はい。')), 'はい。')
  assert.equal(messageText({ content: [textPart('a'), textPart(''), textPart('b\n')] }), 'ab\n')
})

test('a message without content has no text', () => {
  assert.equal(messageText(undefined), '')
  assert.equal(messageText({ content: [] }), '')
})
