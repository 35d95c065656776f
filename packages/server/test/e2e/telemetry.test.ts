// The life of one turn as a collector sees it: two real processes on one real Redis, a provider that fails, and OTLP over real
// HTTP. The turn is retried, fails over, waits in the queue, is resumed by its reader on the other node, and is taken over there.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startSimulator } from '@mangaassist/simulation/vendor/start-simulator'
import { systemClock } from '#adapters/system/clock.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { startReceiver } from '#fixtures/telemetry/otlp-receiver.ts'
import type { ReceivedSpan, Receiver } from '#fixtures/telemetry/otlp-receiver.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { cookieOf, launch, postChat, startServer, temporaryFolder } from './server-process.ts'

const QUESTION = 'カレーの作り方を教えて'
const PRIMARY = 'primary-1'
const ECONOMY = 'economy-1'
const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`

const exporting = ({ url }: Receiver) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
  OTEL_SERVICE_NAME: 'shop-assistant',
  OTEL_BSP_SCHEDULE_DELAY: '100',
  MANGA_TELEMETRY__TRACES__SHARE: '1',
})
const model = (name: string, id: string, url: string) => ({
  [`MANGA_MODELS__${name}__PROVIDER`]: 'openai-compatible',
  [`MANGA_MODELS__${name}__ID`]: id,
  [`MANGA_MODELS__${name}__BASEURL`]: `${url}/v1`,
  [`MANGA_MODELS__${name}__PRICE`]: '1,2',
})

/** Reads server-sent events until one fits; the rest stays readable. */
function eventsOf(response: Response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    async until(pattern: RegExp): Promise<string> {
      await waitUntil(`the stream has ${pattern}`, async () => {
        if (pattern.test(text)) return true
        const piece = await reader?.read()
        if (piece === undefined || piece.done) throw new Error(`ended without ${pattern}: ${text}`)
        text += piece.value
        return pattern.test(text)
      })
      const found = pattern.exec(text)
      return found?.[1] ?? found?.[0] ?? ''
    },
    leave: () => reader?.cancel(),
  }
}

suite('the trace of a turn', () => {
  test('retried, failed over, queued, resumed on another node and taken over there', async () => {
    await using redis = await startRedis()
    await using receiver = await startReceiver()
    await using simulator = await startSimulator({
      clock: systemClock(),
      pace: { tokensPerSecond: 25 },
      identicalText: 'カレーの本はありますが、作り方は本で読んでください。'.repeat(12),
      faults: [{ fault: 'error', error: 'unavailable', model: PRIMARY }],
    })
    const env = {
      ...exporting(receiver),
      ...model('PRIMARY', PRIMARY, simulator.url),
      ...model('ECONOMY', ECONOMY, simulator.url),
      MANGA_MODELS__ECONOMY__CONNECTIONSMAX: '1',
      MANGA_PROBE__EVERYMS: '0',
      MANGA_AUTH__V1GUESTS: 'true',
      MANGA_SERVER__DRAINMS: '300',
      MANGA_STATE__REDIS: redis.url,
      MANGA_STATE__CALLMS: '10000',
      MANGA_TURNS__LEASEMS: '4000',
      MANGA_TURNS__RENEWMS: '500',
      MANGA_TURNS__ORPHANSCANMS: '300',
    }
    await using folders = new AsyncDisposableStack()
    const node = async () => {
      const folder = folders.use(await temporaryFolder())
      return folders.use(await startServer({ dataDir: folder.path, env }))
    }
    const [tokyo, osaka] = await Promise.all([node(), node()])

    // A program has the only connection of the economy model, for some seconds.
    const prompt = { model: 'economy', stream: true, max_tokens: 150, messages: [{ role: 'user', content: 'Count.' }] }
    const other = await fetch(`${tokyo.address}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(prompt),
    })
    await eventsOf(other).until(/"content":"./)
    const headers = { accept: 'text/event-stream', traceparent: TRACEPARENT, tracestate: 'rojo=1' }
    const asked = await postChat(tokyo.address, { message: QUESTION, requestId: 'asked' }, headers)
    const stream = eventsOf(asked)
    const turnId = await stream.until(/"turnId":"([^"]+)"/)
    await stream.until(/event: queued/)
    await stream.until(/event: chunk/)
    await stream.leave()
    const resumed = await fetch(`${osaka.address}/api/turns/${turnId}/events`, {
      headers: { cookie: cookieOf(asked), accept: 'text/event-stream' },
    })
    const reading = eventsOf(resumed)
    await reading.until(/event: chunk/)
    tokyo.child.kill('SIGTERM')
    await reading.until(/event: done/)
    await tokyo.exited
    osaka.child.kill('SIGTERM')
    await osaka.exited
    assertTrace(receiver, turnId)
    assert.equal(receiver.resource()['service.name'], 'shop-assistant')
    assert.ok(receiver.logs.some(({ name, traceId }) => name === 'turn.taken-over' && traceId !== undefined))
    assert.ok(receiver.metrics.has('mangaassist_turn_taken_over_total'))
    // The span of each call was sent to the vendor.
    const sent = new Set(simulator.attempts().map(({ trace }) => trace?.traceparent?.split('-')[2]))
    const calls = receiver.spans.filter(({ name }) => name.startsWith('chat '))
    assert.ok(calls.length >= 6 && calls.every(({ spanId }) => sent.has(spanId)))
  })
})

function assertTrace({ spans }: Receiver, turnId: string): void {
  const ofTurn = spans.filter(({ attributes }) => attributes['mangaassist.turn.id'] === turnId)
  const root = ofTurn.find(({ name }) => name === 'POST /api/chat')
  assert.ok(root !== undefined, ofTurn.map(({ name }) => name).join())
  assert.deepEqual([root.traceId, root.parentSpanId, root.kind], [CALLER.traceId, CALLER.spanId, 2])
  assert.equal(root.attributes['mangaassist.outcome'], 'left')
  assert.ok(eventNames(root).includes('turn.abandoned'))
  const below = (parent: ReceivedSpan) => ofTurn.filter(({ parentSpanId }) => parentSpanId === parent.spanId)
  const stages = below(root).map(({ name }) => name)
  for (const stage of ['admission', 'context', 'routing', 'invocation', 'delivery'])
    assert.ok(stages.includes(stage), stage)
  const invocation = below(root).find(({ name }) => name === 'invocation')
  assert.ok(invocation !== undefined)
  // Retried at the primary model, refused, and queued at the next.
  const happened = eventNames(invocation)
  assert.deepEqual(
    happened.filter((name) => name !== 'lane.circuit-seen'),
    [
      'lane.permit-granted',
      'model.retry-granted',
      'model.retry-granted',
      'model.retry-refused',
      'lane.queue-entered',
      'lane.queue-left',
      'lane.permit-granted',
    ],
  )
  const calls = below(invocation).filter(({ name }) => name.startsWith('chat '))
  assert.deepEqual(
    calls.map(({ attributes, isError, name }) => [name, isError, attributes['error.type']]),
    [
      [`chat ${PRIMARY}`, true, 'unavailable'],
      [`chat ${PRIMARY}`, true, 'unavailable'],
      [`chat ${PRIMARY}`, true, 'unavailable'],
      [`chat ${ECONOMY}`, false, undefined],
    ],
  )
  assert.ok(calls.every(({ attributes }) => attributes['gen_ai.provider.name'] === 'openai'))
  assert.ok(calls.every(({ attributes }) => attributes['server.address'] === '127.0.0.1'))
  const reader = spans.find(({ name }) => name === 'GET /api/turns/:turnId/events')
  assert.deepEqual([reader?.links, reader?.events[0]?.name], [[linkTo(root)], 'reader.resumed'])
  const takeover = ofTurn.find(({ name }) => name === 'takeover turn')
  assert.ok(takeover !== undefined)
  assert.deepEqual([takeover.links, takeover.parentSpanId], [[linkTo(root)], undefined])
  assert.notEqual(takeover.traceId, root.traceId)
  assert.ok(eventNames(takeover).includes('turn.taken-over'))
  const continued = below(takeover).find(({ name }) => name === 'invocation')
  assert.ok(continued !== undefined && eventNames(continued).includes('turn.continued'), 'the answer was continued')
  assert.ok(below(takeover).some(({ name }) => name === 'settlement'))
  // The user is a pseudonym: no id of a guest is anywhere in the traces.
  assert.ok(typeof takeover.attributes['enduser.pseudo.id'] === 'string')
  assert.doesNotMatch(JSON.stringify(spans), /guest_/)
}

const eventNames = ({ events }: ReceivedSpan) => events.map(({ name }) => name)
const linkTo = ({ spanId, traceId }: ReceivedSpan) => ({ traceId, spanId })

test('a dead collector neither slows nor breaks a turn, and the process ends in time', async () => {
  const receiver = await startReceiver()
  await receiver[Symbol.asyncDispose]()
  await using folder = await temporaryFolder()
  await using server = await startServer({
    dataDir: folder.path,
    env: { ...exporting(receiver), OTEL_EXPORTER_OTLP_TIMEOUT: '1000' },
  })
  const answer = await postChat(server.address, { message: '送料はいくらですか' })
  assert.equal(answer.status, 200)
  await waitUntil('it is said', () => server.stderr().includes('telemetry.export-failed'))
  server.child.kill('SIGTERM')
  assert.deepEqual(await server.exited, { code: 0, signal: null })
})

test('a variable that is not supported aborts the start, with the fix', async () => {
  await using folder = await temporaryFolder()
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }
  const process = launch({ dataDir: folder.path, env })
  assert.equal((await process.exited).code, 1)
  assert.match(process.stderr(), /OTEL_EXPORTER_OTLP_PROTOCOL[^]*http\/protobuf/)
})
