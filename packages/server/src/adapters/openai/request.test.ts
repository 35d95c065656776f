// The exact body of a request on the OpenAI wire.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textPart } from '#domain/model/model-message.ts'
import { sampleConversation } from '#fixtures/models/sample-conversation.ts'
import { SAMPLE_FACTS } from '#fixtures/models/vendor-models.ts'
import { bodyOf } from './request.ts'

const target = { id: 'm', facts: SAMPLE_FACTS, outputLimitField: 'max_tokens' } as const

test('openai: a message is sent as one string', () => {
  assert.equal(
    bodyOf(target, sampleConversation(), true),
    String.raw`{"model":"m","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"泣ける漫画は？ <data>\"\n"},{"role":"assistant","content":"はい。"},{"role":"user","content":"more 👨‍👩‍👧"}],"max_tokens":77,"temperature":0.3,"stream":true,"stream_options":{"include_usage":true}}`,
  )
})

test('openai: several parts of text are one string, and no system text is no message', () => {
  const messages = [{ role: 'user', content: [textPart('a '), textPart('b')] }] as const
  assert.equal(
    bodyOf(target, sampleConversation({ system: '', messages }), false),
    '{"model":"m","messages":[{"role":"user","content":"a b"}],"max_tokens":77,"temperature":0.3,"stream":true}',
  )
})
