// The exact prompt that a provider of the AI SDK is given.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textPart } from '#domain/model/model-message.ts'
import { sampleConversation } from '#fixtures/models/sample-conversation.ts'
import { SAMPLE_FACTS } from '#fixtures/models/vendor-models.ts'
import { callOptions } from './request.ts'

test('ai-sdk: a message is sent as its parts', () => {
  const { abortSignal: _, ...options } = callOptions(SAMPLE_FACTS, sampleConversation(), { includeRawChunks: false })
  assert.equal(
    JSON.stringify(options),
    String.raw`{"prompt":[{"role":"system","content":"Be brief."},{"role":"user","content":[{"type":"text","text":"泣ける漫画は？ <data>\"\n"}]},{"role":"assistant","content":[{"type":"text","text":"はい。"}]},{"role":"user","content":[{"type":"text","text":"more 👨‍👩‍👧"}]}],"maxOutputTokens":77,"temperature":0.3}`,
  )
})

test('ai-sdk: several parts of text stay several', () => {
  const content = [textPart('a '), textPart('b')]
  const { prompt } = callOptions(
    SAMPLE_FACTS,
    sampleConversation({ system: '', messages: [{ role: 'user', content }] }),
    { includeRawChunks: false },
  )
  assert.deepEqual(prompt, [{ role: 'user', content }])
})
