// `/v1` over a fake app: OpenAI's format of answers, streams, limits, models and errors, and what happens to a turn whose
// caller leaves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { Refusal } from '#domain/refusal.ts'
import { openDoors } from '#fixtures/edge/doors.ts'
import { quotaState, settle } from '#fixtures/edge/edge.ts'
import { ChatCompletion, ChatCompletionChunk } from './answer.ts'
import { OpenAiError } from './error.ts'

const isCompletion = Compile(ChatCompletion)
const isChunk = Compile(ChatCompletionChunk)
const isError = Compile(OpenAiError)
const question = { model: 'auto', messages: [{ role: 'user', content: 'Any tips?' }] }
const BLUE = { model: 'blue-1', tier: 'primary' } as const

type Doors = Awaited<ReturnType<typeof openDoors>>
const ask = (doors: Doors, more: object = {}, headers: Record<string, string> = {}) =>
  doors.http.inject({ method: 'POST', url: '/v1/chat/completions', payload: { ...question, ...more }, headers })

type Chunk = Static<typeof ChatCompletionChunk>
/** The content of every `data` line; `[DONE]` as it is. */
const dataOf = (body: string) =>
  body
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => (event === 'data: [DONE]' ? '[DONE]' : (JSON.parse(event.slice(6)) as Chunk)))

test('a completion is complete, with the model that answered, its usage, id, limits and time', async () => {
  await using doors = await openDoors()
  const turn = doors.app.turn('turn_1')
  turn.meta()
  turn.say('Read ')
  turn.say('this.')
  turn.end('stop', BLUE)
  const response = await ask(doors, { max_tokens: 9, temperature: 0.5 })
  assert.equal(response.statusCode, 200, response.body)
  assert.ok(isCompletion.Check(response.json()), response.body)
  const { created, ...completion } = response.json()
  assert.deepEqual(completion, {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'blue-1',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Read this.', refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  })
  assert.ok(Math.abs(created - Date.now() / 1000) < 60)
  const { headers } = response
  assert.match(String(headers['x-request-id']), /^req_/)
  assert.match(String(headers['openai-processing-ms']), /^\d+$/)
  assert.equal(headers['ratelimit-limit'], '10')
  assert.equal(headers['x-ratelimit-limit-requests'], '10')
  assert.equal(headers['x-ratelimit-remaining-requests'], '9')
  assert.equal(headers['x-ratelimit-reset-requests'], '42s')
  const [asked] = doors.app.completions
  assert.deepEqual([asked?.maxTokens, asked?.temperature, asked?.model], [9, 0.5, 'auto'])
  assert.equal(asked?.requestId, headers['x-request-id'])
  await settle()
  assert.deepEqual(doors.app.stopped, [])
})

test('a stream begins with the role, ends with its reason and [DONE], and is spelled as OpenAI spells it', async () => {
  await using doors = await openDoors()
  const turn = doors.app.turn('turn_1')
  turn.meta()
  turn.say('漫画"\n')
  turn.say('です')
  turn.end('length')
  const response = await ask(doors, { stream: true })
  assert.equal(response.headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.ok(response.headers['openai-processing-ms'])
  assert.ok(response.headers['x-request-id'])
  assert.equal(response.headers['x-ratelimit-limit-requests'], '10')
  const chunks = dataOf(response.body)
  assert.equal(chunks.pop(), '[DONE]')
  for (const chunk of chunks) assert.ok(isChunk.Check(chunk), JSON.stringify(chunk))
  assert.deepEqual(
    chunks.map((chunk) => (chunk as Chunk).choices),
    [
      [delta({ role: 'assistant', content: '', refusal: null })],
      [delta({ content: '漫画"\n' })],
      [delta({ content: 'です' })],
      [delta({}, 'length')],
    ],
  )
  assert.deepEqual(new Set(chunks.map((chunk) => (chunk as Chunk).id)), new Set(['chatcmpl-1']))
  assert.ok(chunks.every((chunk) => !('usage' in (chunk as object))))
})

test('every chunk of a stream names its model, and the role appears once', async () => {
  await using doors = await openDoors()
  const turn = doors.app.turn('turn_1')
  turn.meta({ model: 'first' })
  turn.say('a')
  turn.meta({ model: 'second' })
  turn.say('b')
  turn.end()
  const chunks = dataOf((await ask(doors, { stream: true })).body).slice(0, 3) as Chunk[]
  assert.deepEqual(
    chunks.map(({ model, choices }) => [model, choices[0]?.delta]),
    [
      ['first', { role: 'assistant', content: '', refusal: null }],
      ['first', { content: 'a' }],
      ['second', { content: 'b' }],
    ],
  )
})

const delta = (delta: object, finish_reason: string | null = null) => ({
  index: 0,
  delta,
  logprobs: null,
  finish_reason,
})

test('with include_usage the last chunk has the usage and no choice, and the others have null', async () => {
  await using doors = await openDoors()
  const turn = doors.app.turn('turn_1')
  turn.say('x')
  turn.end()
  const response = await ask(doors, { stream: true, stream_options: { include_usage: true } })
  const chunks = dataOf(response.body).slice(0, -1) as Chunk[]
  for (const chunk of chunks) assert.ok(isChunk.Check(chunk), JSON.stringify(chunk))
  assert.deepEqual(
    chunks.map(({ choices, usage }) => [choices.length, usage]),
    [
      [1, null],
      [1, null],
      [1, null],
      [0, { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }],
    ],
  )
})

const ends: [string, string | undefined, string, string | number][] = [
  ['stop', undefined, 'x', 'stop'],
  ['length', undefined, 'x', 'length'],
  ['budget', undefined, 'x', 'length'],
  ['blocked', 'blocked', 'x', 'content_filter'],
  ['blocked', 'blocked', '', 422],
  ['stop', undefined, '', 502],
  ['stop', 'tool-use', 'x', 502],
  ['interrupted', 'stream-broken', 'x', 502],
  ['interrupted', 'internal', '', 502],
  ['interrupted', 'access-denied', '', 502],
  ['interrupted', undefined, 'x', 502],
  ['interrupted', 'something new', '', 502],
  ['interrupted', 'throttled', '', 503],
  ['interrupted', 'unavailable', '', 503],
  ['interrupted', 'connection', '', 503],
  ['stopped', undefined, 'x', 503],
  ['interrupted', 'timeout', 'x', 504],
  ['timeout', undefined, 'x', 504],
  ['interrupted', 'context-too-long', '', 400],
  ['interrupted', 'invalid', '', 400],
  ['interrupted', 'budget', '', 429],
]
for (const [finishReason, failure, text, expected] of ends) {
  test(`a turn that ends ${finishReason} (${failure ?? 'no failure'}) with ${text === '' ? 'no' : 'some'} text is ${expected}`, async () => {
    await using doors = await openDoors()
    for (const turnId of ['turn_1', 'turn_2']) {
      const turn = doors.app.turn(turnId)
      turn.meta()
      if (text !== '') turn.say(text)
      turn.end(finishReason as 'stop', failure === undefined ? {} : { failure })
    }
    const whole = await ask(doors)
    const streamed = await ask(doors, { stream: true })
    const data = dataOf(streamed.body)
    if (typeof expected === 'string') {
      assert.equal(whole.json().choices[0].finish_reason, expected)
      assert.equal(data.at(-1), '[DONE]')
      return
    }
    assert.equal(whole.statusCode, expected)
    assert.ok(isError.Check(whole.json()), whole.body)
    assert.doesNotMatch(streamed.body, /DONE|"finish_reason":"/)
    if (text === '') assert.deepEqual([streamed.statusCode, streamed.json()], [expected, whole.json()])
    else assert.deepEqual([streamed.statusCode, data.at(-1)], [200, whole.json()])
    await settle()
    assert.deepEqual(doors.app.stopped, [], 'the turn has ended by itself')
  })
}

const refusals: [string, object, [number, string, string | null, string | null]][] = [
  ['no model', { model: undefined }, [400, 'invalid_request_error', 'model', null]],
  ['no messages', { messages: undefined }, [400, 'invalid_request_error', 'messages', null]],
  ['an empty list', { messages: [] }, [400, 'invalid_request_error', 'messages', null]],
  [
    'an unknown role',
    { messages: [{ role: 'tool', content: 'x' }] },
    [400, 'invalid_request_error', 'messages[0].role', null],
  ],
  [
    'content of another kind',
    { messages: [{ role: 'user', content: 5 }] },
    [400, 'invalid_request_error', 'messages[0].content', null],
  ],
  [
    'an image',
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:' } }] }] },
    [400, 'invalid_request_error', 'messages[0].content[0].type', 'unsupported_parameter'],
  ],
  ['no tokens', { max_tokens: 0 }, [400, 'invalid_request_error', 'max_tokens', null]],
  ['too much heat', { temperature: 3 }, [400, 'invalid_request_error', 'temperature', null]],
  ['tools', { tools: [{}] }, [400, 'invalid_request_error', 'tools', 'unsupported_parameter']],
  [
    'too large a body',
    { messages: [{ role: 'user', content: 'x'.repeat(1024 * 1024) }] },
    [413, 'invalid_request_error', null, 'request_too_large'],
  ],
]
for (const [name, more, [status, type, param, code]] of refusals) {
  test(`${name} is refused in OpenAI’s format, before anything is admitted`, async () => {
    await using doors = await openDoors()
    const response = await ask(doors, more)
    assert.equal(response.statusCode, status, response.body)
    const { message, ...error } = response.json().error
    assert.deepEqual(error, { type, param, code })
    assert.ok(message.length > 10)
    assert.ok(response.headers['x-request-id'])
    assert.ok(response.headers['openai-processing-ms'])
    assert.equal(doors.app.completions.length, 0)
  })
}

const appRefusals: [Refusal, [number, string, string | null, string | null]][] = [
  [
    new Refusal('NOT_FOUND', { details: { field: 'model' } }),
    [404, 'invalid_request_error', 'model', 'model_not_found'],
  ],
  [
    new Refusal('INVALID_REQUEST', { details: { field: 'messages', reason: 'context-too-long', limit: 1, length: 2 } }),
    [400, 'invalid_request_error', 'messages', 'context_length_exceeded'],
  ],
  [new Refusal('RATE_LIMITED', { retryAfterMs: 1500 }), [429, 'requests', null, 'rate_limit_exceeded']],
  [new Refusal('QUOTA_EXCEEDED', { retryAfterMs: 1500 }), [429, 'insufficient_quota', null, 'insufficient_quota']],
  [new Refusal('MAINTENANCE', { retryAfterMs: 1500 }), [503, 'server_error', null, 'service_unavailable']],
]
for (const [refusal, [status, type, param, code]] of appRefusals) {
  test(`${refusal.code} of the app becomes ${status} ${code}`, async () => {
    await using doors = await openDoors()
    doors.app.onComplete = async () => {
      throw refusal
    }
    const response = await ask(doors, { stream: true })
    assert.equal(response.statusCode, status)
    const { message: _, ...error } = response.json().error
    assert.deepEqual(error, { type, param, code })
    assert.equal(response.headers['retry-after'], refusal.retryAfterMs === undefined ? undefined : '2')
    // OpenAI's clients retry a 429 unless this header forbids it.
    assert.equal(response.headers['x-should-retry'], code === 'insufficient_quota' ? 'false' : undefined)
  })
}

test('a refusal by a limit has its headers under both names', async () => {
  await using doors = await openDoors()
  doors.app.onComplete = async () => {
    throw new Refusal('RATE_LIMITED', { retryAfterMs: 1500, quota: quotaState })
  }
  const { headers } = await ask(doors)
  assert.equal(headers['ratelimit-remaining'], '9')
  assert.equal(headers['x-ratelimit-remaining-requests'], '9')
})

test('an unknown error is a server_error that reveals nothing', async () => {
  await using doors = await openDoors()
  doors.app.onComplete = async () => {
    throw new Error('secret')
  }
  const response = await ask(doors)
  assert.equal(response.statusCode, 500)
  assert.equal(response.json().error.type, 'server_error')
  assert.doesNotMatch(response.body, /secret/)
})

test('unknown routes and unreadable bodies are refused in OpenAI’s format too', async () => {
  await using doors = await openDoors()
  const url = '/v1/chat/completions'
  const json = { 'content-type': 'application/json' }
  const cases = [
    [await doors.http.inject({ method: 'POST', url: '/v1/embeddings', payload: {} }), 404, 'unknown_url'],
    [await doors.http.inject({ url }), 404, 'unknown_url'],
    [await doors.http.inject({ method: 'POST', url, payload: '{', headers: json }), 400, null],
    [
      await doors.http.inject({ method: 'POST', url, payload: 'x', headers: { 'content-type': 'text/plain' } }),
      400,
      null,
    ],
    [await ask(doors, {}, { origin: 'https://evil.example' }), 403, 'forbidden'],
    [await ask(doors, {}, { authorization: 'Bearer sk-unknown' }), 401, 'invalid_api_key'],
  ] as const
  for (const [response, status, code] of cases) {
    assert.equal(response.statusCode, status, response.body)
    assert.ok(isError.Check(response.json()), response.body)
    assert.deepEqual([response.json().error.code, response.json().error.param], [code, null])
  }
})

test('the key guest is the network’s guest, without a cookie', async () => {
  await using doors = await openDoors()
  doors.app.turn('turn_1').end()
  const key = { authorization: 'Bearer guest' }
  const response = await ask(doors, {}, key)
  assert.equal(response.headers['set-cookie'], undefined)
  const first = doors.app.completions[0]?.principal
  assert.match(first?.id ?? '', /^guest_v1_[0-9a-f]{32}$/)
  assert.equal(first?.tier, 'free')
  const from = async (remoteAddress: string) => {
    doors.app.turn(`turn_${doors.app.completions.length + 1}`).end()
    await doors.http.inject({
      method: 'POST',
      url: '/v1/chat/completions',
      payload: question,
      headers: key,
      remoteAddress,
    })
    return doors.app.completions.at(-1)?.principal.id
  }
  assert.equal(await from('127.0.0.1'), first?.id)
  assert.notEqual(await from('192.0.2.1'), first?.id)
  assert.equal(await from('2001:db8::1'), await from('2001:db8::2'))
  assert.equal((await doors.http.inject({ url: '/api/sessions', headers: key })).statusCode, 401, 'only on /v1')
})

test('a guest with a cookie or a ticket is the same guest as elsewhere', async () => {
  await using doors = await openDoors()
  const first = await doors.http.inject({ url: '/v1/models' })
  const cookie = String(first.headers['set-cookie']).split(';')[0] ?? ''
  const { guestToken, ticket } = doors.tickets.issue(undefined, undefined)
  for (const turnId of ['turn_1', 'turn_2']) doors.app.turn(turnId).end()
  await ask(doors, {}, { cookie })
  await ask(doors, {}, { authorization: `Bearer ${ticket}` })
  const [byCookie, byTicket] = doors.app.completions.map(({ principal }) => principal.id)
  assert.ok(cookie.startsWith(`ma_guest=${byCookie}.`))
  assert.ok(guestToken.startsWith(`${byTicket}.`))
})

test('models are listed by name and by id, and found by either', async () => {
  await using doors = await openDoors()
  const response = await doors.http.inject({ url: '/v1/models' })
  const { data, object } = response.json()
  assert.equal(object, 'list')
  const sonnet = 'anthropic.claude-3-sonnet-20240229-v1:0'
  assert.deepEqual(
    data.map(({ id, object, owned_by }: Record<string, string>) => [id, object, owned_by]),
    [
      ['auto', 'model', 'mangaassist'],
      ['primary', 'model', 'bedrock'],
      ['economy', 'model', 'openai-compatible'],
      [sonnet, 'model', 'bedrock'],
      ['qwen3:4b', 'model', 'openai-compatible'],
    ],
  )
  for (const url of [`/v1/models/${encodeURIComponent(sonnet)}`, `/v1/models/${sonnet}`]) {
    assert.deepEqual((await doors.http.inject({ url })).json(), data[3])
  }
  const unknown = await doors.http.inject({ url: '/v1/models/gpt-9' })
  assert.deepEqual([unknown.statusCode, unknown.json().error.code], [404, 'model_not_found'])
})

test('a read that fails midway is an error in the stream, and stops the turn', async () => {
  await using doors = await openDoors()
  const turn = doors.app.turn('turn_1')
  turn.say('x')
  doors.app.read = async () =>
    (async function* () {
      yield* turn.frames
      throw new Error('secret')
    })()
  const response = await ask(doors, { stream: true })
  const last = dataOf(response.body).at(-1)
  assert.ok(isError.Check(last), response.body)
  assert.doesNotMatch(response.body, /secret|DONE/)
  assert.deepEqual(doors.app.stopped, ['turn_1'])
})
