// What is left of a raw event: its form, and nothing that anybody said.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redactEvent } from './redact-sample.ts'

const redacted = (event: unknown, withText = false) => redactEvent(event, { withText })

test('names, types, figures and lengths stay; words go', () => {
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

test('the same id has the same hash, another another', () => {
  const hash = (id: string) => (redacted({ requestId: id }) as { requestId: string }).requestId
  assert.equal(hash('a'), hash('a'))
  assert.notEqual(hash('a'), hash('b'))
})

test('a field that nobody knows is masked, its name too when it is no name', () => {
  assert.deepEqual(redacted({ novelty: 'Hanako', 'Hanako says hi': 1 }), { novelty: 'xxxxxx', 'xxxxxx xxxx xx': 1 })
  assert.deepEqual(redacted({ type: 'two words of a shopper' }), { type: 'xxx xxxxx xx x xxxxxxx' })
})

test('numbers in a row are text by another name: only how many there are stays', () => {
  assert.deepEqual(redacted({ logprobs: [{ token: 'Hi', bytes: [72, 105] }] }), {
    logprobs: [{ token: 'xx', bytes: '(2 numbers)' }],
  })
})

test('an event that is not JSON keeps its shape, and the end its name', () => {
  assert.deepEqual(redacted('{"text":"abc'), { undecodable: '{"xxxx":"xxx' })
  assert.equal(redacted('[DONE]'), '[DONE]')
})

test('an error keeps its name and figures, not what it quotes', () => {
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

test('with texts, what was said stays, and ids and secrets do not', () => {
  const found = redacted({ id: 'a', text: 'こんにちは', headers: { authorization: 'Bearer abc' } }, true)
  assert.deepEqual(found, {
    id: (redacted({ id: 'a' }) as { id: string }).id,
    text: 'こんにちは',
    headers: { authorization: 'xxxxxx xxx' },
  })
})

test('what has no bounds is given some', () => {
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
