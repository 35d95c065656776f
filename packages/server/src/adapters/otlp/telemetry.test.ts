// The exporter against a collector over real HTTP: the contract, both formats, every way in which a collector can be bad.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { telemetryContract } from '#ports/telemetry/contract.ts'
import { telemetryTo } from '#ports/telemetry/telemetry-to.ts'
import { startReceiver } from '#fixtures/telemetry/otlp-receiver.ts'
import type { Answer, Receiver } from '#fixtures/telemetry/otlp-receiver.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { asyncContext } from '../system/async-context.ts'
import { systemClock } from '../system/clock.ts'
import { MetricsRegistry } from '../system/metrics.ts'
import { systemRandom } from '../system/random.ts'
import { otlpSink } from './telemetry.ts'
import type { OtlpParts } from './telemetry.ts'
import type { SignalSettings } from './settings.ts'
import { foldLines } from '#adapters/system/fold-lines.ts'

const HOUR_MS = 3_600_000
const ALL = { ...testConfig.telemetry.traces, share: 1 }

interface Over extends Partial<SignalSettings> {
  readonly queueMax?: number
  readonly parts?: Partial<OtlpParts>
}

function exporter(url: string, { parts: other = {}, queueMax = 2048, ...signal }: Over = {}) {
  const metrics = new MetricsRegistry()
  const logged: string[] = []
  const at = (name: string): SignalSettings => ({
    url: `${url}/v1/${name}`,
    protocol: 'http/protobuf',
    headers: { 'x-api-key': 'a-secret' },
    compression: 'none',
    timeoutMs: 500,
    ...signal,
  })
  const batch = { queueMax, batchMax: 512, delayMs: HOUR_MS }
  const clock = systemClock()
  const sink = otlpSink({
    settings: {
      resource: { 'service.name': 'shop' },
      signals: { traces: at('traces'), metrics: at('metrics'), logs: at('logs') },
      spans: batch,
      logs: batch,
      metricsEveryMs: HOUR_MS,
    },
    sampling: ALL,
    messageLengthMax: 1000,
    logLevel: 'debug',
    lines: { fold: (_line, write) => write({ leftOut: 0 }), flush() {} },
    clock,
    random: systemRandom(),
    version: '1.2.3',
    metrics,
    report: { log: (_level, event, fields) => void logged.push(`${event} ${(fields as { signal?: string }).signal}`) },
    ...other,
  })
  const beside = {
    ...sink,
    count: ({ name, fields }: { name: string; fields: Parameters<MetricsRegistry['count']>[1] }) =>
      metrics.count(name, fields),
    observe: ({
      name,
      value,
      fields,
    }: {
      name: string
      value: number
      fields: Parameters<MetricsRegistry['count']>[1]
    }) => metrics.observe(name, value, fields),
  }
  const telemetry = telemetryTo({ clock, random: systemRandom(), sinks: [beside], context: asyncContext })
  const counted = (name: string) =>
    metrics
      .readings()
      .filter((reading) => reading.name === name)
      .flatMap(({ points }) => points.filter(({ value }) => value !== 0))
      .map(({ labels, value }) => `${Object.values(labels).join(' ')} ${Number(value)}`)
  return { sink, beside, telemetry, logged, counted }
}

suite('the contract, over HTTP with JSON', () => {
  const receivers: Receiver[] = []
  const sinks: (() => Promise<void>)[] = []
  after(async () => {
    await Promise.all(sinks.map((close) => close()))
    await Promise.all(receivers.map((receiver) => receiver[Symbol.asyncDispose]()))
  })
  telemetryContract(
    'otlp sink',
    () => {
      const bodies: string[] = []
      // The address is known only later, and the contract makes its sinks at once.
      const opened = startReceiver().then((receiver) => {
        receivers.push(receiver)
        return receiver
      })
      const early: ((sink: ReturnType<typeof exporter>['beside']) => void)[] = []
      const sink = {
        wantsSpans: true,
        log: (line: never) => void early.push((to) => to.log(line)),
        count: (counted: never) => void early.push((to) => to.count(counted)),
        observe: (observed: never) => void early.push((to) => to.observe(observed)),
        spanEnded: (span: never) => void early.push((to) => to.spanEnded(span)),
      }
      let made: ReturnType<typeof exporter> | undefined
      const written = async () => {
        const receiver = await opened
        made ??= exporter(receiver.url, { protocol: 'http/json' })
        if (sinks.length < receivers.length) sinks.push(made.sink.close)
        for (const replay of early.splice(0)) replay(made.beside)
        await made.sink.flush()
        const { logs, metrics, spans } = receiver
        bodies.push(JSON.stringify({ logs, metrics: [...metrics.values()], spans }))
        return bodies.join('\n')
      }
      return { sink, written }
    },
    { sendsWords: true },
  )
})

for (const protocol of ['http/protobuf', 'http/json'] as const) {
  for (const compression of ['none', 'gzip'] as const) {
    test(`${protocol}, ${compression}: spans, metrics and logs arrive with their resource, scope and values`, async () => {
      await using receiver = await startReceiver()
      const { sink, telemetry, counted } = exporter(receiver.url, { protocol, compression })
      const scope = telemetry.scope({ door: 'http', name: 'POST /api/chat', requestId: 'r1' })
      const span = scope.span('invocation')
      span.event('lane.permit-granted', { model: 'primary', waitMs: 12 })
      span.end()
      scope.log('warn', 'turn.settle-failed', { turnId: 'turn_1' }, new Error('the disk is full'))
      telemetry.count('reader_resumed_total', { door: 'sse' })
      telemetry.observe('turn_first_word_seconds', 0.3, { tier: 'faq', model: 'none' })
      scope.end('completed', { status: 200 })
      await sink.close()
      const [stage, root] = receiver.spans
      assert.deepEqual([stage?.name, root?.name, root?.kind], ['invocation', 'POST /api/chat', 2])
      assert.deepEqual([stage?.traceId, stage?.parentSpanId], [root?.traceId, root?.spanId])
      assert.deepEqual(stage?.events, [
        { name: 'lane.permit-granted', attributes: { 'mangaassist.model': 'primary', 'mangaassist.wait_ms': 12 } },
      ])
      assert.equal(root?.attributes['http.response.status_code'], 200)
      assert.equal(root?.attributes['http.route'], '/api/chat')
      const [log] = receiver.logs
      assert.deepEqual([log?.name, log?.severity, log?.traceId], ['turn.settle-failed', 'warn', root?.traceId])
      assert.equal(log?.attributes['exception.message'], 'the disk is full')
      const resumed = receiver.metrics.get('mangaassist_reader_resumed_total')
      assert.deepEqual(
        resumed?.points.find(({ attributes }) => attributes['door'] === 'sse'),
        { attributes: { door: 'sse' }, value: 1 },
      )
      const words = receiver.metrics.get('mangaassist_turn_first_word_seconds')
      assert.deepEqual([words?.unit, words?.points[0]?.value], ['s', 0.3])
      assert.equal(
        words?.points[0]?.counts?.reduce((sum, one) => sum + one, 0),
        1,
      )
      assert.equal(receiver.resource()['service.name'], 'shop')
      assert.ok(receiver.requests.every(({ headers }) => headers['x-api-key'] === 'a-secret'))
      assert.deepEqual(counted('telemetry_exported_total'), ['traces 2', 'metrics 1', 'logs 1'])
    })
  }
}

for (const share of [0, 1]) {
  test(`the calls of stores are ${share === 1 ? 'exported' : 'dropped'} with their turn`, async () => {
    await using receiver = await startReceiver()
    const sampling = { ...ALL, share, perSecond: 0 }
    const { counted, sink, telemetry } = exporter(receiver.url, { parts: { sampling } })
    const turn = telemetry.scope({ door: 'ws', name: 'chat' }).becomeTurn('turn_1')
    const stage = turn.span('settlement')
    stage.within(() => telemetry.currentSpan()?.storeCall({ dbSystem: 'redis', dbOperation: 'GET' }).end())
    stage.end()
    turn.end('completed')
    await sink.close()
    const [call, settlement] = receiver.spans
    assert.equal(receiver.spans.length, 3 * share)
    assert.equal(call?.parentSpanId, settlement?.spanId)
    assert.deepEqual(counted('trace_spans_dropped_total'), share === 1 ? [] : ['not-sampled 3'])
  })
}

const ended = (telemetry: ReturnType<typeof exporter>['telemetry'], count = 1) => {
  for (let scopes = 0; scopes < count; scopes += 1) telemetry.scope({ door: 'ws', name: 'chat' }).end('failed')
}
const TAKEN = ['metrics 1', 'traces 2']
const LOST = ['metrics failed 1', 'traces failed 2']
const refusing =
  (status: number): Answer =>
  (_, response) => {
    response.writeHead(status).end()
    return 'answered'
  }

for (const status of [400, 401, 404, 413, 429, 500, 503]) {
  test(`a collector that answers ${status} costs its records, which are counted and said once`, async () => {
    await using receiver = await startReceiver(refusing(status))
    const { counted, logged, sink, telemetry } = exporter(receiver.url)
    for (let batch = 0; batch < 2; batch += 1) {
      ended(telemetry, 3)
      telemetry.log('warn', 'turn.settle-failed')
      await sink.flush()
    }
    await sink.close()
    assert.deepEqual(counted('telemetry_exported_total'), [])
    assert.deepEqual(counted('telemetry_export_dropped_total'), [
      'traces failed 6',
      'metrics failed 3',
      'logs failed 2',
    ])
    assert.deepEqual(logged.toSorted(), [
      'telemetry.export-failed logs',
      'telemetry.export-failed metrics',
      'telemetry.export-failed traces',
    ])
  })
}

test('a collector that works again is said once, and later records arrive', async () => {
  await using receiver = await startReceiver(refusing(400))
  const { logged, sink, telemetry } = exporter(receiver.url)
  ended(telemetry)
  await sink.flush()
  receiver.answer = () => undefined
  ended(telemetry)
  await sink.close()
  assert.equal(receiver.spans.length, 1)
  assert.equal(logged.filter((line) => line === 'telemetry.export-resumed traces').length, 1)
})

test('a collector that asks for patience gets the batch again', async () => {
  let refusals = 0
  await using receiver = await startReceiver((_, response) => {
    refusals += 1
    if (refusals > 1) return undefined
    response.writeHead(503, { 'retry-after': '1' }).end()
    return 'answered'
  })
  const { counted, sink, telemetry } = exporter(receiver.url, { timeoutMs: 10_000 })
  ended(telemetry)
  await sink.close()
  assert.ok(counted('telemetry_exported_total').includes('traces 1'))
})

test('a dead collector costs its records', async () => {
  const receiver = await startReceiver()
  const { url } = receiver
  await receiver[Symbol.asyncDispose]()
  const { counted, sink, telemetry } = exporter(url)
  ended(telemetry, 2)
  await sink.close()
  assert.ok(counted('telemetry_export_dropped_total').includes('traces failed 2'))
})

for (const [how, answer] of [
  ['never answers', () => 'answered' as const],
  [
    'sends a byte now and then',
    (_, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('.'), 50)
      response.once('close', () => clearInterval(timer))
      return 'answered' as const
    },
  ],
  [
    'answers with far too much',
    (_, response) => {
      response.writeHead(200)
      const chunk = Buffer.alloc(1024 * 1024)
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', more)
      more()
      return 'answered' as const
    },
  ],
] as const satisfies readonly (readonly [string, Answer])[]) {
  test(`a collector that ${how} is cut, and the process can end`, async () => {
    await using receiver = await startReceiver(answer)
    const { counted, sink, telemetry } = exporter(receiver.url)
    ended(telemetry, 2)
    await sink.close()
    const lost = counted('telemetry_export_dropped_total')
    const taken = counted('telemetry_exported_total')
    // A collector that has answered 200 has taken the batch, whatever becomes of the rest of its answer.
    assert.deepEqual([...taken, ...lost].toSorted(), how.startsWith('sends') ? TAKEN : LOST)
  })
}

test('the queue is bounded by number and by size, while a batch is in flight', async () => {
  await using receiver = await startReceiver(() => 'answered')
  const { counted, sink, telemetry } = exporter(receiver.url, { queueMax: 10, timeoutMs: 60_000 })
  ended(telemetry, 3)
  void sink.flush()
  await waitUntil('a batch is in flight', () => receiver.requests.some(({ path }) => path === '/v1/traces'))
  ended(telemetry, 25)
  assert.ok(counted('telemetry_export_dropped_total').includes('traces queue 15'))
  const huge = { system: 'x'.repeat(4 * 1024 * 1024), input: [], output: '' }
  const other = exporter(receiver.url, { timeoutMs: 60_000, parts: { sampling: { ...ALL, bytesMax: 2 ** 30 } } })
  const scope = other.telemetry.scope({ door: 'ws', name: 'chat' })
  scope.span('attempt').end('completed', {}, huge)
  scope.end('failed')
  assert.deepEqual(other.counted('telemetry_export_dropped_total'), ['traces bytes 1'])
  await Promise.all([sink.close(), other.sink.close()])
})

test('a partial success counts what the collector refused', async () => {
  await using receiver = await startReceiver((request, response) => {
    if (request.path !== '/v1/traces') return undefined
    const body = JSON.stringify({ partialSuccess: { rejectedSpans: 2, errorMessage: 'too old' } })
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    return 'answered'
  })
  const { counted, sink, telemetry } = exporter(receiver.url, { protocol: 'http/json' })
  ended(telemetry, 5)
  await sink.close()
  assert.ok(counted('telemetry_exported_total').includes('traces 3'))
  assert.ok(counted('telemetry_export_dropped_total').includes('traces failed 2'))
})

test('after the end nothing is exported, and nothing throws', async () => {
  await using receiver = await startReceiver()
  const { counted, sink, telemetry } = exporter(receiver.url)
  await sink.close()
  ended(telemetry)
  telemetry.log('warn', 'turn.settle-failed')
  await sink.close()
  assert.deepEqual(receiver.spans, [])
  assert.ok(counted('telemetry_export_dropped_total').includes('traces closing 1'))
})

test('lines below the level are not exported, and equal ones are folded', async () => {
  await using receiver = await startReceiver()
  const lines = foldLines({ now: () => 0, after: () => ({ [Symbol.dispose]() {} }) })
  const { sink, telemetry } = exporter(receiver.url, { parts: { logLevel: 'warn', lines } })
  telemetry.log('info', 'turn.ended')
  for (let sent = 0; sent < 4; sent += 1) telemetry.log('warn', 'turn.settle-failed')
  await sink.close()
  assert.deepEqual(
    receiver.logs.map(({ attributes }) => attributes['mangaassist.left_out']),
    [undefined, 2],
  )
})

test('spans that are not sampled are never sent', async () => {
  await using receiver = await startReceiver()
  const none = { ...ALL, share: 0, perSecond: 0, callerPerSecond: 0 }
  const { counted, sink, telemetry } = exporter(receiver.url, { parts: { sampling: none } })
  for (let scopes = 0; scopes < 5; scopes += 1) telemetry.scope({ door: 'ws', name: 'chat' }).end('completed')
  ended(telemetry)
  await sink.close()
  assert.equal(receiver.spans.length, 1)
  assert.deepEqual(counted('trace_sampled_total'), ['error 1'])
  assert.deepEqual(counted('trace_spans_dropped_total'), ['not-sampled 5'])
})
