// How our spans look to OpenTelemetry: kinds, names, the GenAI conventions, links, errors, and the words of calls.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { GEN_AI_CONVENTIONS } from '#domain/telemetry/gen-ai-names.ts'
import type { EndedSpan } from '#ports/telemetry/port.ts'
import { spanReader } from './spans.ts'

const read = spanReader({ resource: resourceFromAttributes({}), version: '1.0.0', messageLengthMax: 10 })

const ENDED: EndedSpan = {
  kind: 'span',
  name: 'context',
  trace: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: false },
  parentSpanId: 'c'.repeat(16),
  scopeSpanId: 'c'.repeat(16),
  links: [],
  startedAt: 1_800_000_000_123,
  durationMs: 1500,
  outcome: 'completed',
  attributes: {},
  events: [],
  eventsDropped: 0,
}
const CALL = {
  attempt: 2,
  provider: 'bedrock',
  model: 'primary',
  modelId: 'anthropic.claude-sonnet-5-5',
  laneId: 'primary@ap-northeast-1',
  tier: 'primary',
  maxOutputTokens: 512,
  temperature: 0.3,
  inputTokens: 800,
  outputTokens: 90,
  cacheReadTokens: 700,
  stopReason: 'end',
  callOutcome: 'end',
  serverAddress: 'bedrock-runtime.ap-northeast-1.amazonaws.com',
}
const call = (over: Partial<EndedSpan> = {}) => read({ ...ENDED, name: 'attempt', attributes: CALL, ...over })

test('a call of a model is a client span by the GenAI conventions', () => {
  const { attributes, instrumentationScope, kind, name } = call()
  assert.deepEqual([name, kind], ['chat anthropic.claude-sonnet-5-5', SpanKind.CLIENT])
  assert.equal(instrumentationScope.schemaUrl, GEN_AI_CONVENTIONS.schemaUrl)
  assert.deepEqual(attributes, {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'aws.bedrock',
    'gen_ai.request.model': 'anthropic.claude-sonnet-5-5',
    'gen_ai.request.stream': true,
    'gen_ai.request.max_tokens': 512,
    'gen_ai.request.temperature': 0.3,
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.usage.input_tokens': 800,
    'gen_ai.usage.output_tokens': 90,
    'gen_ai.usage.cache_read.input_tokens': 700,
    'server.address': 'bedrock-runtime.ap-northeast-1.amazonaws.com',
    'server.port': 443,
    'mangaassist.attempt': 2,
    'mangaassist.call.outcome': 'end',
    'mangaassist.lane': 'primary@ap-northeast-1',
    'mangaassist.model': 'primary',
    'mangaassist.outcome': 'completed',
    'mangaassist.tier': 'primary',
  })
})

test('a failed call has the class of its error, and no stop reason of the vendor', () => {
  const attributes = { ...CALL, stopReason: 'error', errorClass: 'throttled', serverAddress: '127.0.0.1:11434' }
  const failed = call({ attributes, outcome: 'failed' })
  assert.deepEqual(failed.status, { code: SpanStatusCode.ERROR, message: 'throttled' })
  assert.equal(failed.attributes['error.type'], 'throttled')
  assert.deepEqual(failed.attributes['gen_ai.response.finish_reasons'], ['error'])
  assert.deepEqual([failed.attributes['server.address'], failed.attributes['server.port']], ['127.0.0.1', 11434])
})

test('the built-in responder runs in the process', () => {
  assert.equal(call({ attributes: { ...CALL, tier: 'embedded' } }).kind, SpanKind.INTERNAL)
})

const storeCall = (attributes: EndedSpan['attributes']) => read({ ...ENDED, name: 'store-call', attributes })

test('a call of a store is a client span by the conventions of databases', () => {
  const script = { dbSystem: 'redis', dbNamespace: '0', dbOperation: 'EVALSHA', dbScript: 'admit' }
  const { attributes, kind, name } = storeCall({ ...script, serverAddress: 'redis.example:6380', turnId: 'turn_1' })
  assert.deepEqual([name, kind], ['EVALSHA admit', SpanKind.CLIENT])
  assert.deepEqual(attributes, {
    'db.system.name': 'redis',
    'db.namespace': '0',
    'db.operation.name': 'EVALSHA',
    'db.stored_procedure.name': 'admit',
    'server.address': 'redis.example',
    'server.port': 6380,
    'mangaassist.outcome': 'completed',
    'mangaassist.turn.id': 'turn_1',
  })
  const batch = {
    dbSystem: 'aws.dynamodb',
    dbOperation: 'TransactWriteItems',
    dbCollection: 'shop-sessions',
    dbBatchSize: 3,
  }
  const transaction = storeCall({ ...batch, serverAddress: 'dynamodb.eu-west-1.amazonaws.com' })
  assert.equal(transaction.name, 'TransactWriteItems shop-sessions')
  assert.deepEqual(
    [transaction.attributes['db.operation.batch.size'], 'server.port' in transaction.attributes],
    [3, false],
  )
  assert.equal(storeCall({ dbSystem: 'redis', dbNamespace: '0', dbOperation: 'HGET' }).name, 'HGET')
  const commit = { dbSystem: 'sqlite', dbNamespace: 'mangaassist.sqlite', dbOperation: 'COMMIT' }
  assert.equal(storeCall(commit).name, 'COMMIT mangaassist.sqlite')
})

test('the words of a call are there only when the span has them, and are cut', () => {
  const names = Object.keys(call().attributes)
  assert.ok(!names.some((name) => /messages|instructions/.test(name)))
  const content = { system: 'You sell manga.', input: [{ role: 'user', text: 'こんにちは' }], output: 'はい' }
  const { attributes } = call({ content })
  assert.deepEqual(JSON.parse(String(attributes['gen_ai.system_instructions'])), [
    { type: 'text', content: 'You sell m' },
  ])
  assert.deepEqual(JSON.parse(String(attributes['gen_ai.input.messages'])), [
    { role: 'user', parts: [{ type: 'text', content: 'こんにちは' }] },
  ])
  assert.deepEqual(JSON.parse(String(attributes['gen_ai.output.messages'])), [
    { role: 'assistant', parts: [{ type: 'text', content: 'はい' }], finish_reason: 'stop' },
  ])
})

test('a scope of HTTP is a server span of its route, below the caller’s', () => {
  const attributes = { door: 'sse', status: 503, requestId: 'r1', turnId: 'turn_1', user: 'u_1', inputTokens: 7 }
  const root = read({ ...ENDED, kind: 'scope', name: 'sse POST /api/chat', attributes, outcome: 'failed' })
  assert.deepEqual([root.name, root.kind, root.status.code], ['POST /api/chat', SpanKind.SERVER, SpanStatusCode.ERROR])
  assert.deepEqual([root.parentSpanContext?.spanId, root.parentSpanContext?.isRemote], ['c'.repeat(16), true])
  assert.deepEqual(root.attributes, {
    'http.request.method': 'POST',
    'http.route': '/api/chat',
    'http.response.status_code': 503,
    'enduser.pseudo.id': 'u_1',
    'mangaassist.door': 'sse',
    'mangaassist.outcome': 'failed',
    'mangaassist.request.id': 'r1',
    'mangaassist.turn.id': 'turn_1',
    // Only a call has the names of the conventions: else a backend that adds them up would count a turn twice.
    'mangaassist.input_tokens': 7,
  })
})

test('a takeover is a trace of the server’s own, with its link and its event', () => {
  const trace = { traceId: 'd'.repeat(32), spanId: 'e'.repeat(16), sampled: true, state: 'rojo=1' }
  const events = [
    { name: 'turn.taken-over' as const, at: 1_800_000_000_200, attributes: { epoch: 2, continued: true } },
  ]
  const root = read({
    ...ENDED,
    kind: 'scope',
    name: 'takeover turn',
    parentSpanId: undefined,
    attributes: { door: 'takeover' },
    links: [trace],
    events,
    eventsDropped: 3,
  })
  assert.deepEqual([root.name, root.kind, root.parentSpanContext], ['takeover turn', SpanKind.INTERNAL, undefined])
  assert.deepEqual([root.links[0]?.context.traceId, root.links[0]?.context.spanId], [trace.traceId, trace.spanId])
  assert.equal(root.links[0]?.context.traceState?.serialize(), 'rojo=1')
  assert.deepEqual(root.events[0]?.time, [1_800_000_000, 200_000_000])
  assert.deepEqual(root.events[0]?.attributes, { 'mangaassist.turn.epoch': 2, 'mangaassist.turn.continued': true })
  assert.equal(root.droppedEventsCount, 3)
})

test('times are exact to the millisecond, and what is exported counts as sampled', () => {
  const { duration, endTime, spanContext, startTime } = read(ENDED)
  assert.deepEqual(
    [startTime, endTime, duration],
    [
      [1_800_000_000, 123_000_000],
      [1_800_000_001, 623_000_000],
      [1, 500_000_000],
    ],
  )
  assert.equal(spanContext().traceFlags, 1)
})
