// The exact requests of Bedrock's two APIs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textPart } from '#domain/model/model-message.ts'
import { sampleConversation } from '#fixtures/models/sample-conversation.ts'
import { SAMPLE_FACTS } from '#fixtures/models/vendor-models.ts'
import { conversation, converseCommand, invokeCommand } from './request.ts'

const target = { id: 'm', facts: SAMPLE_FACTS }

test('bedrock converse: a message is sent as blocks of text', () => {
  assert.equal(
    JSON.stringify(converseCommand(target, sampleConversation()).input),
    String.raw`{"modelId":"m","system":[{"text":"Be brief."}],"messages":[{"role":"user","content":[{"text":"泣ける漫画は？ <data>\"\n"}]},{"role":"assistant","content":[{"text":"はい。"}]},{"role":"user","content":[{"text":"more 👨‍👩‍👧"}]}],"inferenceConfig":{"maxTokens":77,"temperature":0.3}}`,
  )
})

test('bedrock invoke: a message is sent as one string', () => {
  assert.equal(
    invokeCommand(target, sampleConversation()).input.body,
    String.raw`{"anthropic_version":"bedrock-2023-05-31","max_tokens":77,"system":"Be brief.","messages":[{"role":"user","content":"泣ける漫画は？ <data>\"\n"},{"role":"assistant","content":"はい。"},{"role":"user","content":"more 👨‍👩‍👧"}],"temperature":0.3}`,
  )
})

test('bedrock: several parts of text are several blocks of Converse, and one string of Invoke', () => {
  const request = sampleConversation({
    system: '',
    messages: [{ role: 'user', content: [textPart('a '), textPart('b')] }],
  })
  assert.deepEqual(conversation(request), {
    messages: [{ role: 'user', content: [{ text: 'a ' }, { text: 'b' }] }],
  })
  assert.equal(
    invokeCommand(target, request).input.body,
    '{"anthropic_version":"bedrock-2023-05-31","max_tokens":77,"messages":[{"role":"user","content":"a b"}],"temperature":0.3}',
  )
})
