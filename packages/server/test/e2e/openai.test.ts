// `/v1` of the real server with programs that know only OpenAI's API: the `openai` package and the AI SDK, over a provider
// with faults on demand.
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, generateText, streamText } from 'ai'
import OpenAI from 'openai'
import { serve } from '../../src/main.ts'
import type { VendorFault } from '@mangaassist/simulation/vendor/faults'
import { startSimulator } from '@mangaassist/simulation/vendor/start-simulator'
import { loopClock } from '#fixtures/time/loop-clock.ts'
import { collect } from '#fixtures/time/streams.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { startServer, temporaryFolder } from './server-process.ts'

const ANSWER = '鬼滅の刃は全23巻です。Complete in 23 volumes, and well worth reading from the first. 👨‍👩‍👧'
const MODEL = 'qwen3:4b'
const OTHER = 'Another text, by another model, and as good.'

/** Clock for a provider's silence, which a busy machine does not disturb. */
const SILENCE_MS = 5000
const clock = loopClock()
const simulator = await startSimulator({
  clock,
  identicalText: ANSWER,
  answers: [{ when: 'in your own words', model: 'spare-1', text: OTHER }],
  pace: { tokensPerSecond: 300 },
})
const folder = await temporaryFolder()
const server = await serve({
  workspaceRoot: folder.path,
  clock,
  print: () => {},
  env: {
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: folder.path,
    MANGA_SERVER__LOGLEVEL: 'silent',
    MANGA_MODELS__PRIMARY__PROVIDER: 'openai-compatible',
    MANGA_MODELS__PRIMARY__ID: MODEL,
    MANGA_MODELS__PRIMARY__BASEURL: `${simulator.url}/v1`,
    MANGA_MODELS__PRIMARY__PRICE: '1,2',
    MANGA_MODELS__PRIMARY__FIRSTTOKENMS: String(SILENCE_MS),
    MANGA_MODELS__PRIMARY__STALLMS: String(SILENCE_MS),
    MANGA_MODELS__SPARE__PROVIDER: 'openai-compatible',
    MANGA_MODELS__SPARE__ID: 'spare-1',
    MANGA_MODELS__SPARE__BASEURL: `${simulator.url}/v1`,
    MANGA_MODELS__SPARE__PRICE: '1,2',
    MANGA_LADDER: 'primary,spare',
    MANGA_AUTH__V1GUESTS: 'true',
    // One try each, so that faults are visible; faults.test.ts tests retries.
    MANGA_RETRIES__ATTEMPTSPERMODELMAX: '1',
    // No circuits, because one fault after another would open them all; faults.test.ts tests circuits.
    MANGA_LANES__POLICY: 'reference',
    MANGA_LANES__CIRCUITS__PRIMARY__FAILURES: '1000',
    MANGA_LANES__CIRCUITS__PRIMARY__RATE: '1',
    MANGA_LANES__CIRCUITS__ECONOMY__FAILURES: '1000',
    MANGA_LANES__CIRCUITS__ECONOMY__RATE: '1',
    MANGA_TIERS__FREE__REQUESTSPERMINUTE: '1000',
    MANGA_RATES__USERPERSECOND: '1000',
    MANGA_RATES__USERBURST: '1000',
  },
})
after(async () => {
  await server.close()
  await simulator.close()
  await folder[Symbol.asyncDispose]()
})
afterEach(() => simulator.heal())

const client = new OpenAI({ baseURL: `${server.address}/v1`, apiKey: 'guest', maxRetries: 0 })
const sdk = createOpenAICompatible({
  name: 'mangaassist',
  baseURL: `${server.address}/v1`,
  apiKey: 'guest',
  includeUsage: true,
})

let asked = 0
/** A unique text, so that a test finds its own attempt at the provider. */
const question = () => `How many volumes, please? (${(asked += 1)})`
const request = (content = question()) => ({ model: 'primary', messages: [{ role: 'user' as const, content }] })
const attemptsFor = (content: string) =>
  simulator.attempts().filter(({ body }) => JSON.stringify(body).includes(JSON.stringify(content)))

test('the openai client gets a complete answer with its model, usage and request id', async () => {
  const content = question()
  const asking = client.chat.completions.create({ ...request(content), max_tokens: 200, temperature: 0.2 })
  const { data, response, request_id } = await asking.withResponse()
  assert.equal(data.object, 'chat.completion')
  assert.match(data.id, /^chatcmpl-\w+$/)
  assert.equal(data.model, MODEL)
  assert.equal(data.choices[0]?.message.content, ANSWER)
  assert.equal(data.choices[0]?.finish_reason, 'stop')
  const { completion_tokens = 0, prompt_tokens = 0, total_tokens } = data.usage ?? {}
  assert.ok(completion_tokens > 0 && prompt_tokens > 0)
  assert.equal(total_tokens, completion_tokens + prompt_tokens)
  assert.match(request_id ?? '', /^req_/)
  assert.equal(response.headers.get('x-ratelimit-limit-requests'), '1000')
  assert.ok(Number(response.headers.get('openai-processing-ms')) >= 0)
  const [attempt] = attemptsFor(content)
  const body = attempt?.body as { messages: unknown; max_tokens: number; temperature: number }
  assert.deepEqual(body.messages, [{ role: 'user', content }], 'taken as they are: no prompt of ours, no grounding')
  assert.deepEqual([body.max_tokens, body.temperature], [200, 0.2])
})

test('the openai client streams the same answer in chunks, with the usage on request', async () => {
  const stream = await client.chat.completions.create({
    ...request(),
    stream: true,
    stream_options: { include_usage: true },
  })
  const chunks = await collect(stream)
  const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
  assert.equal(text, ANSWER)
  assert.ok(chunks.length > 4)
  assert.equal(chunks[0]?.choices[0]?.delta.role, 'assistant')
  assert.equal(chunks.at(-2)?.choices[0]?.finish_reason, 'stop')
  assert.deepEqual(chunks.at(-1)?.choices, [])
  assert.ok((chunks.at(-1)?.usage?.completion_tokens ?? 0) > 0)
  assert.deepEqual(new Set(chunks.map(({ model }) => model)), new Set([MODEL]))
})

test('the openai client’s stream helper works too', async () => {
  const runner = client.chat.completions.stream(request())
  const { choices, model } = await runner.finalChatCompletion()
  assert.deepEqual([choices[0]?.message.content, choices[0]?.finish_reason, model], [ANSWER, 'stop', MODEL])
})

test('instructions and the turns of a conversation reach the model in their order', async () => {
  const content = question()
  await client.chat.completions.create({
    model: MODEL,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Yes?' },
      { role: 'user', content: [{ type: 'text', text: content }] },
    ],
  })
  const { messages } = (attemptsFor(content)[0]?.body ?? {}) as { messages?: unknown }
  assert.deepEqual(messages, [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Yes?' },
    { role: 'user', content },
  ])
})

test('an answer cut at its token limit has finish_reason length', async () => {
  const { choices } = await client.chat.completions.create({ ...request(), max_completion_tokens: 5 })
  assert.equal(choices[0]?.finish_reason, 'length')
  assert.ok(ANSWER.startsWith(choices[0]?.message.content ?? 'x'))
})

test('auto goes down the ladder, and the answer names the model that gave it', async () => {
  simulator.faults({ fault: 'error', error: 'unavailable', model: MODEL })
  const whole = await client.chat.completions.create({ ...request(), model: 'auto' })
  assert.deepEqual([whole.model, whole.choices[0]?.message.content], ['spare-1', ANSWER])
  const stream = await client.chat.completions.create({ ...request(), model: 'auto', stream: true })
  for await (const chunk of stream) assert.equal(chunk.model, 'spare-1')
})

test('a broken answer comes whole from the next model, and a stream continues exactly', async () => {
  simulator.faults({ fault: 'cut', afterTokens: 5, how: 'destroy', model: MODEL })
  const content = question()
  const whole = await client.chat.completions.create({ ...request(content), model: 'auto' })
  assert.deepEqual([whole.model, whole.choices[0]?.message.content], ['spare-1', ANSWER])
  const chunks = await collect(
    await client.chat.completions.create({ ...request(content), model: 'auto', stream: true }),
  )
  assert.equal(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join(''), ANSWER)
  assert.deepEqual([chunks[0]?.model, chunks.at(-1)?.model], [MODEL, 'spare-1'])
  const prompts = attemptsFor(content).map(({ body }) => JSON.stringify((body as { messages: unknown }).messages))
  assert.deepEqual([prompts.length, new Set(prompts).size], [4, 1])
})

test('who does not stream gets a whole answer also where the next model says something else, and a stream then ends with an error', async () => {
  simulator.faults({ fault: 'cut', afterTokens: 5, model: MODEL })
  const asking = () => ({ ...request(`Tell me in your own words. ${question()}`), model: 'auto' })
  const whole = await client.chat.completions.create(asking())
  const [choice] = whole.choices
  assert.deepEqual([whole.model, choice?.message.content, choice?.finish_reason], ['spare-1', OTHER, 'stop'])
  const stream = await client.chat.completions.create({ ...asking(), stream: true })
  let shown = ''
  await assert.rejects(async () => {
    for await (const { choices } of stream) shown += choices[0]?.delta.content ?? ''
  }, OpenAI.APIError)
  assert.ok(shown !== '' && ANSWER.startsWith(shown))
})

test('an error that a retry cannot fix says so', async () => {
  simulator.faults({ fault: 'error', error: 'access-denied' })
  const response = await fetch(`${server.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer guest' },
    body: JSON.stringify(request()),
  })
  assert.deepEqual([response.status, response.headers.get('x-should-retry')], [502, 'false'])
})

test('models are listed and found', async () => {
  const names = (await collect(client.models.list())).map(({ id }) => id)
  assert.deepEqual(names.toSorted(), ['auto', 'primary', MODEL, 'spare', 'spare-1'].toSorted())
  assert.equal((await client.models.retrieve(MODEL)).owned_by, 'openai-compatible')
})

test('a refusal is an error of its class in the openai client', async () => {
  const refused = async (asking: Promise<unknown>) => {
    const error = await asking.then(
      () => assert.fail('it was answered'),
      (error: unknown) => error,
    )
    assert.ok(error instanceof OpenAI.APIError, String(error))
    assert.match(error.requestID ?? '', /^req_/)
    return [error.constructor, error.status, error.code, error.param]
  }
  const { completions } = client.chat
  assert.deepEqual(await refused(completions.create({ ...request(), model: 'gpt-9' })), [
    OpenAI.NotFoundError,
    404,
    'model_not_found',
    'model',
  ])
  assert.deepEqual(await refused(client.models.retrieve('gpt-9')), [
    OpenAI.NotFoundError,
    404,
    'model_not_found',
    'model',
  ])
  const tools = [{ type: 'function' as const, function: { name: 'f' } }]
  assert.deepEqual(await refused(completions.create({ ...request(), tools })), [
    OpenAI.BadRequestError,
    400,
    'unsupported_parameter',
    'tools',
  ])
  assert.deepEqual(await refused(client.embeddings.create({ model: 'x', input: 'y' })), [
    OpenAI.NotFoundError,
    404,
    'unknown_url',
    null,
  ])
  const stranger = new OpenAI({ baseURL: `${server.address}/v1`, apiKey: 'sk-unknown', maxRetries: 0 })
  assert.deepEqual(await refused(stranger.chat.completions.create(request())), [
    OpenAI.AuthenticationError,
    401,
    'invalid_api_key',
    null,
  ])
})

const faults: [string, VendorFault, number, 'before' | 'midway'][] = [
  ['throttled', { fault: 'error', error: 'throttled' }, 503, 'before'],
  ['out of credit', { fault: 'error', error: 'quota-exhausted' }, 502, 'before'],
  ['unavailable', { fault: 'error', error: 'unavailable' }, 503, 'before'],
  ['failing', { fault: 'error', error: 'internal' }, 502, 'before'],
  ['resetting', { fault: 'reset' }, 503, 'before'],
  ['silent', { fault: 'silence' }, 504, 'before'],
  ['too small', { fault: 'error', error: 'context-too-long' }, 400, 'before'],
  ['filtering at once', { fault: 'blocked' }, 422, 'before'],
  ['cutting the connection', { fault: 'cut', afterTokens: 5, how: 'destroy' }, 502, 'midway'],
  ['ending the body too soon', { fault: 'cut', afterTokens: 5, how: 'end' }, 502, 'midway'],
  ['stalling', { fault: 'stall', afterTokens: 5 }, 504, 'midway'],
  ['failing inside its stream', { fault: 'exception', error: 'internal', afterTokens: 5 }, 502, 'midway'],
  ['leaving out the end', { fault: 'missing-end' }, 502, 'midway'],
  ['calling a tool', { fault: 'tool-use', afterTokens: 5 }, 502, 'midway'],
]
for (const [name, fault, status, when] of faults) {
  test(`a provider that is ${name} is never a success: ${status}, or an error in the stream`, async () => {
    simulator.faults(fault)
    await assert.rejects(client.chat.completions.create(request()), { status })
    const spoken: string[] = []
    const streaming = async () => {
      for await (const { choices } of await client.chat.completions.create({ ...request(), stream: true })) {
        spoken.push(choices[0]?.delta.content ?? '')
        assert.equal(choices[0]?.finish_reason, null)
      }
    }
    await assert.rejects(streaming, (error) => {
      assert.ok(error instanceof OpenAI.APIError, String(error))
      assert.equal(error.status, when === 'before' ? status : undefined)
      assert.equal(error.type, status < 500 ? 'invalid_request_error' : 'server_error')
      return true
    })
    assert.equal(spoken.join('') !== '', when === 'midway')
    assert.ok(ANSWER.startsWith(spoken.join('')))
  })
}

test('a filter in the middle of an answer ends it as content_filter', async () => {
  simulator.faults({ fault: 'blocked', afterTokens: 5, by: 'content-filter' })
  const { choices } = await client.chat.completions.create(request())
  assert.equal(choices[0]?.finish_reason, 'content_filter')
  const chunks = await collect(await client.chat.completions.create({ ...request(), stream: true }))
  assert.equal(chunks.at(-1)?.choices[0]?.finish_reason, 'content_filter')
})

for (const stream of [true, false]) {
  test(`a client that leaves closes the provider’s connection (stream: ${stream})`, async () => {
    simulator.faults({ fault: 'stall', afterTokens: 5 })
    const content = question()
    const leave = new AbortController()
    const asking = client.chat.completions.create({ ...request(content), stream }, { signal: leave.signal })
    if (stream) await asking
    else asking.catch(() => {})
    await waitUntil('five tokens are sent', () => attemptsFor(content)[0]?.tokensSent === 5)
    const spokenAt = clock.now()
    leave.abort()
    await waitUntil('the connection is closed', () => attemptsFor(content)[0]?.clientClosedAt !== undefined)
    const [attempt] = attemptsFor(content)
    assert.equal(attempt?.outcome, 'abandoned')
    assert.ok((attempt.clientClosedAt ?? 0) - spokenAt < SILENCE_MS, 'the stall ends it, not the client')
  })
}

test('the AI SDK streams a whole answer, with its usage', async () => {
  const result = streamText({ model: sdk('primary'), prompt: question(), maxRetries: 0 })
  const pieces = await collect(result.textStream)
  assert.equal(pieces.join(''), ANSWER)
  assert.ok(pieces.length > 1)
  assert.equal(await result.finishReason, 'stop')
  const { inputTokens = 0, outputTokens = 0 } = await result.usage
  assert.ok(inputTokens > 0 && outputTokens > 0)
  assert.equal((await result.response).modelId, MODEL)
})

test('the AI SDK gets an answer that is not streamed', async () => {
  const { finishReason, text } = await generateText({ model: sdk('auto'), prompt: question(), maxRetries: 0 })
  assert.deepEqual([text, finishReason], [ANSWER, 'stop'])
})

test('the AI SDK gets errors for refusals and broken answers', async () => {
  const errors: unknown[] = []
  const onError = ({ error }: { error: unknown }) => void errors.push(error)
  const refused = streamText({ model: sdk('gpt-9'), prompt: question(), maxRetries: 0, onError })
  await refused.consumeStream()
  assert.ok(APICallError.isInstance(errors[0]))
  assert.deepEqual([errors[0].statusCode, errors[0].message.includes('does not exist')], [404, true])
  simulator.faults({ fault: 'cut', afterTokens: 5 })
  const broken = streamText({ model: sdk('primary'), prompt: question(), maxRetries: 0, onError })
  await broken.consumeStream()
  assert.equal(errors.length, 2)
  assert.match(JSON.stringify(errors[1]), /broke off/)
  await assert.rejects(generateText({ model: sdk('primary'), prompt: question(), maxRetries: 0 }), { statusCode: 502 })
})

test('a guest’s limits apply on /v1, and the client gets the retry time', async () => {
  await using place = await temporaryFolder()
  await using strict = await startServer({ dataDir: place.path, env: { MANGA_TIERS__FREE__REQUESTSPERMINUTE: '1' } })
  const guest = new OpenAI({ baseURL: `${strict.address}/v1`, apiKey: 'guest', maxRetries: 0 })
  const { choices } = await guest.chat.completions.create({ ...request('おすすめは？'), model: 'auto' })
  assert.ok((choices[0]?.message.content?.length ?? 0) > 0, 'without any model configured the embedded one answers')
  await assert.rejects(guest.chat.completions.create({ ...request('おすすめは？'), model: 'auto' }), (error) => {
    assert.ok(error instanceof OpenAI.RateLimitError)
    assert.equal(error.code, 'rate_limit_exceeded')
    assert.ok(Number(error.headers.get('retry-after')) >= 1)
    assert.equal(error.headers.get('x-ratelimit-remaining-requests'), '0')
    return true
  })
})
