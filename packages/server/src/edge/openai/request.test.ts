// What OpenAI's clients may request, and which parameters are refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textMessage } from '#domain/model/model-message.ts'
import { Refusal } from '#domain/refusal.ts'
import { promptFrom, taggedPrincipal } from './request.ts'

const user = (content: unknown) => ({ role: 'user', content })
const assistant = (content: unknown) => ({ role: 'assistant', content })
const asked = (messages: unknown[], more: object = {}) =>
  promptFrom({ model: 'auto', messages, ...more } as Parameters<typeof promptFrom>[0])

test('instructions are separated, and adjacent messages of one role become one', () => {
  const { messages, system } = asked([
    { role: 'system', content: 'Be brief.' },
    user('Hello'),
    user([
      { type: 'text', text: 'Are you' },
      { type: 'text', text: 'there?' },
    ]),
    assistant('Yes.'),
    { role: 'developer', content: 'Be kind.' },
    assistant('I am.'),
    user('Good.'),
  ])
  assert.equal(system, 'Be brief.\n\nBe kind.')
  assert.deepEqual(messages, [
    textMessage('user', 'Hello\n\nAre you\nthere?'),
    textMessage('assistant', 'Yes.\n\nI am.'),
    textMessage('user', 'Good.'),
  ])
})

test('limits are read under both names, the newer first, and null counts as unset', () => {
  const limits = (more: object) => {
    const { maxTokens, temperature } = asked([user('x')], more)
    return [maxTokens, temperature]
  }
  assert.deepEqual(limits({}), [undefined, undefined])
  assert.deepEqual(limits({ max_tokens: null, max_completion_tokens: null, temperature: null }), [undefined, undefined])
  assert.deepEqual(limits({ max_tokens: 7, temperature: 0 }), [7, 0])
  assert.deepEqual(limits({ max_tokens: 7, max_completion_tokens: 9 }), [9, undefined])
})

function refusedField(attempt: () => unknown): unknown {
  try {
    attempt()
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error))
    return [error.details?.['field'], error.details?.['code']]
  }
  return 'nothing was refused'
}

const unsupported: Record<string, unknown> = {
  tools: [{ type: 'function' }],
  tool_choice: 'required',
  functions: [{}],
  function_call: { name: 'f' },
  response_format: { type: 'json_object' },
  n: 2,
  stop: ['\n'],
  logprobs: true,
  top_logprobs: 2,
  logit_bias: { 50_256: -100 },
  top_p: 0.5,
  presence_penalty: 1,
  frequency_penalty: 1,
  modalities: ['text', 'audio'],
  audio: { voice: 'x' },
  prediction: {},
  reasoning_effort: 'high',
  verbosity: 'low',
  web_search_options: {},
}
test('an unsupported parameter that would change the answer is refused by name', () => {
  for (const [field, value] of Object.entries(unsupported)) {
    const refused = refusedField(() => asked([user('x')], { [field]: value }))
    assert.deepEqual(refused, [field, 'unsupported_parameter'])
    assert.doesNotThrow(() => asked([user('x')], { [field]: null }), field)
  }
  assert.deepEqual(
    refusedField(() => asked([user('x')], { stop: 'END' })),
    ['stop', 'unsupported_parameter'],
  )
})

test('default values are accepted, and so are labels of a request', () => {
  const neutral = {
    tools: [],
    tool_choice: 'none',
    response_format: { type: 'text' },
    n: 1,
    stop: [],
    logprobs: false,
    logit_bias: {},
    top_p: 1,
    presence_penalty: 0,
    frequency_penalty: 0,
    modalities: ['text'],
    user: 'u',
    seed: 1,
    metadata: { a: 'b' },
    store: false,
  }
  assert.doesNotThrow(() => asked([user('x')], neutral))
})

const wrong: [string, unknown[], string][] = [
  ['no message of the user', [{ role: 'system', content: 'x' }], 'messages'],
  ['an answer first', [assistant('x'), user('y')], 'messages.0.role'],
  ['an answer last', [user('x'), assistant('y')], 'messages'],
  ['an empty message', [user('  ')], 'messages.0.content'],
  ['no content', [user(null)], 'messages.0.content'],
  ['no parts', [user([])], 'messages.0.content'],
  ['half a character', [user('マンガ\ud842')], 'messages.0.content'],
  ['a part without its text', [user([{ type: 'text' }])], 'messages.0.content.0.text'],
  ['an image', [user([{ type: 'image_url', image_url: { url: 'x' } }])], 'messages.0.content.0.type'],
  [
    'a call of a tool',
    [user('x'), { role: 'assistant', content: null, tool_calls: [{}] }, user('y')],
    'messages.1.tool_calls',
  ],
]
for (const [name, messages, field] of wrong) {
  test(`messages with ${name} are refused at ${field}`, () => {
    assert.equal((refusedField(() => asked(messages)) as unknown[])[0], field)
  })
}

test('a request of an API key can name its tag; other callers have none', () => {
  const key = { id: 'key:robot', kind: 'key', tier: 'standard', tag: 'nightly' } as const
  const guest = { id: 'guest_1', kind: 'guest', tier: 'free' } as const
  assert.equal(taggedPrincipal(key, {}).tag, 'nightly')
  assert.equal(taggedPrincipal(key, { metadata: null }).tag, 'nightly')
  assert.equal(taggedPrincipal(key, { metadata: { tag: 'mail/2026-11' } }).tag, 'mail/2026-11')
  assert.equal(taggedPrincipal(guest, { metadata: { tag: 'x'.repeat(999) } }).tag, undefined)
  for (const tag of ['', 'two words', 'x'.repeat(65), 7, '日本'])
    assert.throws(() => taggedPrincipal(key, { metadata: { tag } }), { code: 'INVALID_REQUEST' })
})
