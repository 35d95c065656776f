// The OpenAI adapter against the simulator: the contract, every fault, every shape of usage, and the differences of servers
// that are not OpenAI.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { modelContract, sampleModelRequest } from '#ports/model/contract.ts'
import type { ModelPart } from '#ports/model/port.ts'
import { startSimulator } from '@mangaassist/simulation/vendor/start-simulator'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { collect } from '#fixtures/time/streams.ts'
import { ask, endOf, faultSuite, textOf, usageIn, usageSuite } from '#fixtures/models/vendor-faults.contract.ts'
import { overOpenAi, SAMPLE_FACTS, SHORT_LIMITS, vendorClock } from '#fixtures/models/vendor-models.ts'
import { traceSuite } from '#fixtures/models/vendor-trace.contract.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { openAiModel } from './model.ts'

modelContract('openai', async (context) => {
  const simulator = await startSimulator({ clock: vendorClock })
  context.after(() => simulator.close())
  return (await overOpenAi(simulator.url)).model
})
faultSuite('openai', overOpenAi)
usageSuite('openai', overOpenAi)
traceSuite('openai', overOpenAi, { isAws: false })

test('openai: silence in mid-stream is measured by the given clock', async () => {
  await using simulator = await startSimulator({ clock: vendorClock, faults: [{ fault: 'stall', afterTokens: 5 }] })
  const clock = manualClock()
  const hourMs = 3_600_000
  const model = openAiModel({
    id: 'qwen3:4b',
    facts: SAMPLE_FACTS,
    baseURL: `${simulator.url}/v1`,
    outputLimitField: 'max_tokens',
    limits: { ...SHORT_LIMITS, stallMs: hourMs },
    clock,
    onAnomaly: () => {},
  })
  const parts: ModelPart[] = []
  const reading = (async () => {
    for await (const part of model.stream(sampleModelRequest())) parts.push(part)
  })()
  await waitUntil('five pieces are read', () => parts.filter(({ type }) => type === 'text-delta').length === 5)
  await clock.advance(hourMs)
  await reading
  assert.equal(endOf(parts), 'timeout')
})

test('openai: a stream that lacks only its [DONE] is complete', async () => {
  const { parts } = await ask(overOpenAi, { fault: 'missing-end', only: 'last' })
  assert.equal(endOf(parts), 'end')
})

interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

async function serverOf(context: TestContext, reply: (body: Record<string, unknown>) => Reply): Promise<string> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks = await collect<Buffer>(request)
    const { status = 200, headers = {}, body } = reply(JSON.parse(Buffer.concat(chunks).toString()))
    response.writeHead(status, headers).end(body)
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  context.after(() => server.closeAllConnections())
  context.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const said = (delta: unknown, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ delta, finish_reason: finish }] })}\n\n`

async function askServer(context: TestContext, reply: (body: Record<string, unknown>) => Reply) {
  const { model, anomalies } = await overOpenAi(await serverOf(context, reply))
  return { parts: await collect(model.stream(sampleModelRequest())), anomalies }
}

test('openai: the request for usage is dropped for a server that does not support it', async (context) => {
  const bodies: Record<string, unknown>[] = []
  const url = await serverOf(context, (body) => {
    bodies.push(body)
    return 'stream_options' in body
      ? { status: 400, body: '{"error":{"message":"Unknown field stream_options"}}' }
      : { body: said({ content: 'hi' }, 'stop') }
  })
  const { model } = await overOpenAi(url)
  for (let round = 0; round < 2; round += 1) {
    const parts = await collect(model.stream(sampleModelRequest()))
    assert.deepEqual([textOf(parts), endOf(parts), usageIn(parts)], ['hi', 'end', [undefined, undefined]])
  }
  assert.equal(bodies.length, 3)
})

test('openai: carriage returns, comments, split data and a last event without its blank line are read', async (context) => {
  const body = ': hello\r\n\r\nevent: x\r\ndata: {"choices":\r\ndata: [{"delta":{"content":"a"}}]}\r\n\r\n'
  const { parts } = await askServer(context, () => ({ body: body + said({ content: 'b' }, 'length').trimEnd() }))
  assert.deepEqual([textOf(parts), endOf(parts)], ['ab', 'length'])
})

test('openai: reasoning is found under every name that servers have for it, and between tags in the text', async (context) => {
  for (const delta of [
    { reasoning_content: 'hm' },
    { reasoning: 'hm' },
    { reasoning: null, reasoning_content: 'hm' },
    { content: '<think>hm</think>' },
  ]) {
    const { parts } = await askServer(context, () => ({ body: said(delta) + said({ content: 'a' }, 'stop') }))
    assert.deepEqual(
      parts.flatMap((part) =>
        part.type === 'reasoning-delta' || part.type === 'text-delta' ? [part.type, part.text] : [],
      ),
      ['reasoning-delta', 'hm', 'text-delta', 'a'],
    )
  }
})

test('openai: only the first choice is read, because one answer was requested', async (context) => {
  const chunk = (...choices: object[]) => `data: ${JSON.stringify({ choices })}\n\n`
  const delta = (index: number, content: string) => ({ index, delta: { content } })
  const body =
    chunk(delta(1, 'other'), delta(0, 'a')) +
    chunk(delta(1, 'other')) +
    chunk({ ...delta(1, ''), finish_reason: 'length' })
  const { parts } = await askServer(context, () => ({ body: body + said({ content: 'b' }, 'stop') }))
  assert.deepEqual([textOf(parts), endOf(parts)], ['ab', 'end'])
})

test('openai: an unknown stop reason is a broken stream, and is counted', async (context) => {
  for (const reason of ['bored', 'abort', 'error']) {
    const { parts, anomalies } = await askServer(context, () => ({ body: said({ content: 'a' }, reason) }))
    const last = parts.at(-1)
    assert.ok(last?.type === 'model-error' && last.class === 'stream-broken', reason)
    assert.deepEqual(anomalies, ['unknown-stop-reason'])
  }
})

test('openai: an error in another format after text, or a missing stop reason, is never a clean end', async (context) => {
  const words = 'data: {"choices":[{"index":0,"delta":{"content":"half"},"finish_reason":null}]}\n\n'
  for (const trouble of [
    'data: {"object":"error","message":"boom","code":500}\n\n',
    'event: error\ndata: {"message":"boom"}\n\n',
    'data: {"choices":[{"index":0,"delta":{},"finish_reason":"error","error":{"message":"boom"}}]}\n\n',
    '',
  ]) {
    const { parts } = await askServer(context, () => ({ body: `${words}${trouble}data: [DONE]\n\n` }))
    assert.equal(parts.at(-1)?.type, 'model-error', trouble)
  }
})

test('openai: Retry-After may be a date, or milliseconds in a header of its own', async (context) => {
  const inAMinute = new Date(vendorClock.now() + 60_000).toUTCString()
  for (const [headers, low, high] of [
    [{ 'retry-after': inAMinute }, 55_000, 60_000],
    [{ 'retry-after-ms': '1500' }, 1500, 1500],
  ] as const) {
    const { parts } = await askServer(context, () => ({ status: 429, headers, body: '' }))
    const [part] = parts
    assert.ok(part?.type === 'model-error' && part.class === 'throttled')
    assert.ok((part.retryAfterMs ?? 0) >= low && (part.retryAfterMs ?? 0) <= high)
  }
})

test('openai: the errors of other servers are classified', async (context) => {
  for (const [status, body, errorClass] of [
    [404, '{"error":"model \\"qwen9\\" not found, try pulling it first"}', 'not-found'],
    [503, '{"error":{"message":"Loading model","type":"unavailable_error","code":503}}', 'not-ready'],
    [400, '{"object":"error","message":"This model\'s maximum context length is 4096 tokens"}', 'context-too-long'],
    [400, '{"error":{"code":"content_filter","message":"The response was filtered"}}', 'blocked'],
    [502, '<html>bad gateway</html>', 'unavailable'],
    [418, '', 'invalid'],
  ] as const) {
    const { parts } = await askServer(context, () => ({ status, body }))
    assert.equal(endOf(parts), errorClass, body)
  }
})

test('openai: a model without a temperature parameter is sent none, and OpenAI gets its own name of the output limit', async () => {
  await using simulator = await startSimulator({ clock: vendorClock })
  const model = openAiModel({
    id: 'gpt-6-luna',
    facts: { ...SAMPLE_FACTS, temperature: false },
    baseURL: `${simulator.url}/v1/`,
    outputLimitField: 'max_completion_tokens',
    limits: SHORT_LIMITS,
    clock: vendorClock,
    onAnomaly: () => {},
  })
  await collect(model.stream(sampleModelRequest({ maxOutputTokens: 77 })))
  const body = simulator.attempts()[0]?.body as Record<string, unknown>
  assert.deepEqual([body.temperature, body.max_tokens, body.max_completion_tokens], [undefined, undefined, 77])
})
