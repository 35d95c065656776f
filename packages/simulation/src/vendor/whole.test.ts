// Answers that do not stream, token counts and the list of models, through the vendors' own clients.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { ConverseCommand, CountTokensCommand, InvokeModelCommand } from '@aws-sdk/client-bedrock-runtime'
import { manualClock } from '@mangaassist/server/fixtures/time/manual-clock'
import { waitUntil } from '@mangaassist/server/fixtures/time/wait-until'
import type { VendorFault } from './faults.ts'
import { bedrockClient, openaiClient, simulatorFor } from './testing/clients.ts'

const FIVE = 'one two three four five'
const MODEL = 'anthropic.claude-3-haiku-20240307-v1:0'
const QUESTION = 'What should I read next?'
const anthropicBody = {
  anthropic_version: 'bedrock-2023-05-31',
  max_tokens: 50,
  system: [{ type: 'text', text: 'Be brief.' }],
  messages: [{ role: 'user', content: [{ type: 'text', text: QUESTION }] }],
}
const converseMessages = [{ role: 'user' as const, content: [{ text: QUESTION }] }]

async function clientsOf(context: TestContext, faults: readonly VendorFault[] = []) {
  const simulator = await simulatorFor(context, { identicalText: FIVE, faults })
  const bedrock = bedrockClient(context, simulator)
  const openai = openaiClient(simulator)
  const invoke = async () => {
    const { body } = await bedrock.send(new InvokeModelCommand({ modelId: MODEL, body: JSON.stringify(anthropicBody) }))
    return JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>
  }
  const converse = () => bedrock.send(new ConverseCommand({ modelId: MODEL, messages: converseMessages }))
  const chat = () =>
    openai.chat.completions.create({
      model: MODEL,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: QUESTION },
      ],
    })
  return { simulator, bedrock, openai, invoke, converse, chat }
}

test('InvokeModel, Converse and chat completions answer at once', async (context) => {
  const { chat, converse, invoke, simulator } = await clientsOf(context)
  const message = await invoke()
  assert.deepEqual(message.content, [{ type: 'text', text: FIVE }])
  assert.deepEqual([message.stop_reason, message.usage], ['end_turn', { input_tokens: 12, output_tokens: 5 }])
  const { output, stopReason, usage } = await converse()
  assert.deepEqual(output?.message?.content, [{ text: FIVE }])
  assert.deepEqual([stopReason, usage], ['end_turn', { inputTokens: 9, outputTokens: 5, totalTokens: 14 }])
  const completion = await chat()
  assert.equal(completion.choices[0]?.message.content, FIVE)
  assert.equal(completion.choices[0]?.finish_reason, 'stop')
  assert.deepEqual(completion.usage, { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 })
  const seen = simulator.attempts().map(({ api, outcome, tokensSent }) => [api, outcome, tokensSent])
  assert.deepEqual(seen, [
    ['invoke', 'answered', 5],
    ['converse', 'answered', 5],
    ['chat', 'answered', 5],
  ])
})

test('CountTokens counts the prompt of either api and uses no output quota', async (context) => {
  const { bedrock, simulator } = await clientsOf(context, [{ fault: 'quota', tokens: 30 }])
  const invokeModel = { body: Buffer.from(JSON.stringify(anthropicBody)) }
  const invoked = await bedrock.send(new CountTokensCommand({ modelId: MODEL, input: { invokeModel } }))
  assert.equal(invoked.inputTokens, 12)
  const converse = { messages: converseMessages }
  const conversed = await bedrock.send(new CountTokensCommand({ modelId: MODEL, input: { converse } }))
  assert.equal(conversed.inputTokens, 9)
  assert.deepEqual(
    simulator.attempts().map(({ api, maxTokens }) => [api, maxTokens]),
    [
      ['count-tokens', 0],
      ['count-tokens', 0],
    ],
  )
})

test('GET /v1/models lists the models', async (context) => {
  const simulator = await simulatorFor(context, { models: ['a', 'b'] })
  const { data } = await openaiClient(simulator).models.list()
  assert.deepEqual(
    data.map(({ id }) => id),
    ['a', 'b'],
  )
})

test('a stream has usage only if the request asks for it', async (context) => {
  const { openai } = await clientsOf(context)
  const request = { model: MODEL, stream: true as const, messages: [{ role: 'user' as const, content: QUESTION }] }
  for await (const event of await openai.chat.completions.create(request)) assert.equal(event.usage, undefined)
})

test('a guardrail is recorded from the headers or from the body', async (context) => {
  const { bedrock, simulator } = await clientsOf(context)
  const guardrail = { guardrailIdentifier: 'gr-1', guardrailVersion: '3' }
  await bedrock.send(new InvokeModelCommand({ modelId: MODEL, body: JSON.stringify(anthropicBody), ...guardrail }))
  await bedrock.send(new ConverseCommand({ modelId: MODEL, messages: converseMessages, guardrailConfig: guardrail }))
  for (const attempt of simulator.attempts()) assert.deepEqual(attempt.guardrail, { id: 'gr-1', version: '3' })
})

test('a body can be cut, truncated, garbled or replaced by an error', async (context) => {
  for (const fault of [
    { fault: 'cut' },
    { fault: 'cut', how: 'end' },
    { fault: 'malformed' },
    { fault: 'exception', error: 'unavailable' },
  ] as const) {
    const { chat, converse, invoke, simulator } = await clientsOf(context, [fault])
    for (const ask of [invoke, converse, chat]) await assert.rejects(ask())
    const outcome = fault.fault === 'exception' ? 'refused' : 'broken'
    for (const attempt of simulator.attempts()) assert.equal(attempt.outcome, outcome)
  }
})

test('a filter or a tool call ends a whole answer as well', async (context) => {
  const blocked = await clientsOf(context, [{ fault: 'blocked', afterTokens: 2 }])
  const message = await blocked.invoke()
  assert.deepEqual(message.content, [{ type: 'text', text: 'one two' }])
  assert.equal(message['amazon-bedrock-guardrailAction'], 'INTERVENED')
  assert.equal((await blocked.converse()).stopReason, 'guardrail_intervened')
  assert.equal((await blocked.chat()).choices[0]?.finish_reason, 'content_filter')
  const tool = await clientsOf(context, [{ fault: 'tool-use' }])
  assert.equal((await tool.invoke()).stop_reason, 'tool_use')
  assert.equal((await tool.converse()).stopReason, 'tool_use')
  assert.equal((await tool.chat()).choices[0]?.finish_reason, 'tool_calls')
})

test('an answer without a stream takes as long as its stream would, and longer under load', async (context) => {
  const clock = manualClock()
  const simulator = await simulatorFor(context, {
    clock,
    identicalText: FIVE,
    pace: { firstTokenMs: 500, tokensPerSecond: 10 },
    faults: [{ fault: 'brownout', slots: 1 }],
  })
  const openai = openaiClient(simulator)
  const ask = () => openai.chat.completions.create({ model: MODEL, messages: [{ role: 'user', content: QUESTION }] })
  const asking = [ask(), ask(), ask()]
  await waitUntil('three requests have arrived', () => clock.timers() === 3)
  // One second for a single call, four with two at once, nine with three.
  for (const ms of [1000, 3000, 5000]) {
    await clock.advance(ms)
    await waitUntil(
      'the answers that are due',
      () => simulator.attempts().filter(({ outcome }) => outcome === 'answered').length === 3 - clock.timers(),
    )
  }
  await Promise.all(asking)
  const tookMs = simulator.attempts().map(({ at, endedAt = 0 }) => endedAt - at)
  assert.deepEqual(tookMs, [1000, 4000, 9000])
})

test('an unknown request is refused, and a client that disconnects during its request does no harm', async (context) => {
  const { simulator, chat } = await clientsOf(context)
  const post = (path: string, body: string) => fetch(`${simulator.url}${path}`, { method: 'POST', body })
  assert.equal((await post('/v1/chat/completions', '{')).status, 400)
  assert.equal((await post('/model/m/count-tokens', '{"input":{"invokeModel":{"body":"e30"}}}')).status, 400)
  assert.equal((await post('/v1/images', '{}')).status, 404)
  const { hostname, port } = new URL(simulator.url)
  const leaving = request({ hostname, port, path: '/model/m/converse', method: 'POST' }).on('error', () => {})
  leaving.write('{"messages"', () => leaving.destroy())
  await new Promise((resolve) => leaving.once('close', resolve))
  assert.equal((await chat()).choices.length, 1)
})
