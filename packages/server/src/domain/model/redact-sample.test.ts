// A redacted event keeps its structure and no text of a person.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redactEvent } from './redact-sample.ts'

const redacted = (event: unknown, withText = false) => redactEvent(event, { withText })

test('names, types, figures and lengths stay; texts are masked', () => {
  const chunk = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    model: 'qwen3:4b',
    choices: [{ index: 0, delta: { role: 'assistant', content: '田中さん, 090-1234!' }, finish_reason: null }],
    usage: { prompt_tokens: 12, completion_tokens: '34', cached: { total: 5 } },
  }
  const found = redacted(JSON.stringify(chunk)) as typeof chunk
  assert.match(found.id, /^#[0-9a-f]{12}$/)
  assert.deepEqual(found, {
    ...chunk,
    id: found.id,
    choices: [{ index: 0, delta: { role: 'assistant', content: 'xxxx, 000-0000!' }, finish_reason: null }],
  })
})

test('the same id has the same hash, and another id another hash', () => {
  const hash = (id: string) => (redacted({ requestId: id }) as { requestId: string }).requestId
  assert.equal(hash('a'), hash('a'))
  assert.notEqual(hash('a'), hash('b'))
})

test('an unknown field is masked, and its name too if it is not a valid field name', () => {
  assert.deepEqual(redacted({ novelty: 'Hanako', 'Hanako says hi': 1 }), { novelty: 'xxxxxx', 'xxxxxx xxxx xx': 1 })
  assert.deepEqual(redacted({ type: 'two words of a shopper' }), { type: 'xxx xxxxx xx x xxxxxxx' })
})

test('a list of numbers is encoded text: only its length stays', () => {
  assert.deepEqual(redacted({ logprobs: [{ token: 'Hi', bytes: [72, 105] }] }), {
    logprobs: [{ token: 'xx', bytes: '(2 numbers)' }],
  })
})

test('an event that is not JSON keeps its structure, and the end marker stays', () => {
  assert.deepEqual(redacted('{"text":"abc'), { undecodable: '{"xxxx":"xxx' })
  assert.equal(redacted('[DONE]'), '[DONE]')
})

test('an error keeps its name and figures, but not the text that it quotes', () => {
  const error = Object.assign(new TypeError('prompt: hello', { cause: new Error('why') }), {
    $metadata: { httpStatusCode: 429, requestId: 'r-1' },
    responseHeaders: { 'set-cookie': 'sid=1', id: 'plain' },
  })
  assert.deepEqual(redacted(error), {
    errorName: 'TypeError',
    message: 'xxxxxx: xxxxx',
    cause: { errorName: 'Error', message: 'xxx' },
    $metadata: { httpStatusCode: 429, requestId: (redacted({ id: 'r-1' }) as { id: string }).id },
    responseHeaders: { 'set-cookie': 'xxx=0', id: 'xxxxx' },
  })
})

test('with withText texts stay, and ids and secrets are still hidden', () => {
  const found = redacted({ id: 'a', text: 'こんにちは', headers: { authorization: 'Bearer abc' } }, true)
  assert.deepEqual(found, {
    id: (redacted({ id: 'a' }) as { id: string }).id,
    text: 'こんにちは',
    headers: { authorization: 'xxxxxx xxx' },
  })
})

test('depth, items and text length are bounded', () => {
  const deep: Record<string, unknown> = {}
  deep.self = deep
  assert.ok(JSON.stringify(redacted(deep)).endsWith('"(deeper)"}}}}}}}}'))
  assert.equal((redacted({ list: Array.from({ length: 100 }, () => null) }) as { list: unknown[] }).list.length, 65)
  assert.equal((redacted({ text: 'a'.repeat(9000) }) as { text: string }).text.length, 2001)
  assert.deepEqual(redacted({ bytes: new Uint8Array(7), f: () => 1, n: 1n }), {
    bytes: '(7 bytes)',
    f: '(function)',
    n: '(bigint)',
  })
})
