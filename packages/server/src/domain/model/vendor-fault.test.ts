// The words of a vendor: what an operator needs stays, what is of a person or secret does not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultOf } from './call-fault.ts'
import { textMessage } from './model-message.ts'
import { hostOf, redactedMessage, requestIdIn, vendorFault, withoutEcho } from './vendor-fault.ts'

test('what a vendor says about our mistake stays readable', () => {
  for (const message of [
    'Rate limit reached.',
    "You don't have access to the model with the specified model ID.",
    "This model's maximum context length is 8192 tokens, you asked for 9000.",
    "Unsupported parameter: 'max_tokens' is not supported with this model, use 'max_completion_tokens'.",
    'connect ECONNREFUSED 127.0.0.1:8181',
    'The model `global.anthropic.claude-sonnet-5-5` does not exist.',
  ]) {
    assert.equal(redactedMessage(message), message)
  }
})

test('keys, tokens, people and texts do not', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['Incorrect API key provided: sk-proj-abc123***xyz9.', 'Incorrect API key provided: [secret].'],
    ['bad header Authorization: Bearer abc.def.ghi', 'bad header Authorization: [secret]'],
    ['key AKIAIOSFODNN7EXAMPLE is not valid', 'key [secret] is not valid'],
    ['token eyJhbGciOiJIUzI1NiIsInR5cCI6 was refused', 'token [secret] was refused'],
    ['user hanako.sato@example.jp is not allowed', 'user [email] is not allowed'],
    ["invalid content: 'I live in Shibuya and my name is Hanako'", 'invalid content: [text]'],
    ['invalid content: "cut off in the middle of a quotati', 'invalid content: [text]'],
    ['内容が不適切です: 佐藤花子', '[text]: [text]'],
    ['account 123456789012 is closed', 'account [number] is closed'],
    ['see https://user:pass@host.example/path?key=abc for more', 'see host.example for more'],
    ['two\nlines\u0000 and\ttabs', 'two lines and tabs'],
  ]
  for (const [message, redacted] of cases) assert.equal(redactedMessage(message), redacted)
})

test('a long message is cut, in no more than a moment', () => {
  assert.equal(redactedMessage('word '.repeat(100_000)).length, 300)
  assert.ok(redactedMessage('"'.repeat(100_000)).length <= 300)
})

test('a piece of the prompt that a vendor repeats is taken out', () => {
  const messages = [textMessage('user', 'my neighbour sells stolen volumes of a rare series')]
  const fault = vendorFault({ message: 'Refused: my neighbour sells stolen volumes. Try again.' })
  assert.equal(withoutEcho(fault, 'nothing of it').message, fault.message)
  assert.deepEqual(faultOf({ class: 'invalid', fault }, { host: 'host:1', messages }), {
    fault: { host: 'host:1', message: 'Refused: [text]. Try again.' },
  })
  assert.deepEqual(faultOf({ class: 'cancelled', fault }, { host: 'host:1', messages }), {})
})

test('what is no status, code, address or id is left out', () => {
  const seen = {
    status: 200,
    codes: [null, 'a code\nwith a line', 'throttled'],
    host: 'a b',
    requestId: 'x'.repeat(200),
  }
  assert.deepEqual(vendorFault(seen), { code: 'throttled' })
  assert.deepEqual(vendorFault({ status: 429, codes: [42], requestId: 'req_1' }), {
    status: 429,
    code: '42',
    requestId: 'req_1',
  })
})

test('the id of a request is found under any vendor’s name', () => {
  assert.equal(requestIdIn({ 'request-id': 'req_1' }), 'req_1')
  assert.equal(requestIdIn({ 'x-amzn-requestid': 'a-b' }), 'a-b')
  assert.equal(requestIdIn({ 'x-request-id': 'not an id', 'cf-ray': 'ray-1' }), 'ray-1')
  assert.equal(requestIdIn(undefined), undefined)
})

test('of an address only host and port are kept', () => {
  assert.equal(hostOf('http://user:secret@127.0.0.1:11434/v1?key=1'), '127.0.0.1:11434')
  assert.equal(hostOf('not an address'), undefined)
})
