// Every request ends in exactly one scope, by whichever door it came and however it ended: the whole app behind real
// sockets, with a model that speaks and then waits for the test.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QuotaView } from '@mangaassist/protocol'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { pinoSink } from '#adapters/system/telemetry.ts'
import { createApp } from '#app/app.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import type { Model } from '#ports/model/port.ts'
import type { ScopeDoor } from '#ports/telemetry/port.ts'
import { openDoors } from '#fixtures/edge/doors.ts'
import { settle } from '#fixtures/edge/edge.ts'
import { SocketClient } from '#fixtures/edge/socket-client.ts'
import { END, say, START, usage } from '#fixtures/models/scripted-model.ts'
import { testConfig, wireTest } from '#fixtures/stores/wire-test.ts'
import { sampleFaq, sampleShelves } from '#fixtures/turns/samples.ts'

/** Bounds a hang, and no more. */
const ROUNDS_MAX = 20_000
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`
const QUESTION = '泣ける漫画を教えて'
const TOKEN = 'an operator’s token'.replaceAll(/\W/g, '-')
const JSON_TYPE = { 'content-type': 'application/json' }
const EVENTS = { ...JSON_TYPE, accept: 'text/event-stream' }
const UNKNOWN_SESSION = { message: QUESTION, sessionId: 'sess_unknown' }

async function serving() {
  const clock = systemClock()
  const lines: string[] = []
  const log = pinoSink({
    level: 'info',
    // Every line is written: each is later than the one before by more than a second.
    now: () => lines.length * 2000,
    destination: { write: (line) => void lines.push(line) },
  })
  const telemetry = memoryTelemetry({ now: () => clock.now(), sinks: [log] })
  const mayEnd = Promise.withResolvers<void>()
  const model: Model = {
    id: 'scripted',
    async *stream({ signal }) {
      yield START
      yield say('はい')
      await Promise.race([
        mayEnd.promise,
        new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())),
      ])
      yield usage(10, 2)
      yield END
    },
  }
  const wired = await wireTest({ clock, random: systemRandom(), products: sampleShelves(), faq: sampleFaq(), model })
  const app = createApp({ ...wired, telemetry }, testConfig)
  const admins = [{ name: 'mia', hash: secretHash(TOKEN) }]
  const doors = await openDoors({ served: app, telemetry, clock, models: testConfig.models, auth: { admins } })
  const address = await doors.listen()
  const until = async (is: () => boolean) => {
    for (let round = 0; !is(); round += 1) {
      assert.ok(round < ROUNDS_MAX, `still waiting: ${JSON.stringify(telemetry.ended)}`)
      await settle()
    }
  }
  /** Waits until a door has `count` ended scopes and no turn runs; returns these scopes. */
  const ended = async (door: ScopeDoor, count: number) => {
    const own = () => telemetry.ended.filter(({ attributes }) => attributes['door'] === door)
    await until(() => own().length >= count && app.running() === 0)
    await settle()
    return own().map(({ attributes, name, outcome }) => {
      const { code = '', finishReason = code } = attributes
      return [name, outcome, finishReason].join(' ').trim()
    })
  }
  const statuses = (door: ScopeDoor) =>
    telemetry.ended
      .filter(({ attributes }) => attributes['door'] === door)
      .map(({ attributes }) => String(attributes['status']))
      .toSorted((one, other) => one.localeCompare(other))
  const post = (path: string, body: object, headers: Record<string, string> = JSON_TYPE, signal?: AbortSignal) =>
    fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body), signal: signal ?? null })
  const connect = async (headers: Record<string, string> = {}) => {
    const client = new SocketClient(`${address.replace('http:', 'ws:')}/ws`, { headers })
    await client.until('ready')
    return client
  }
  return {
    address,
    app,
    connect,
    doors,
    ended,
    lines,
    post,
    statuses,
    telemetry,
    turnLog: wired.turnLog,
    until,
    mayEnd: () => mayEnd.resolve(),
    async [Symbol.asyncDispose]() {
      mayEnd.resolve()
      await doors[Symbol.asyncDispose]()
      await app.drain()
    },
  }
}

const chat = (more: object = {}) => ({ type: 'chat', requestId: 'r1', message: QUESTION, ...more })

/** The cookie that makes later requests those of the same guest. */
const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? ''

/** Reads an event stream up to its first text. */
async function untilSpoken(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  let text = ''
  for (let reads = 0; reads < 1000 && !text.includes('event: chunk'); reads += 1) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) break
    text += Buffer.from(value).toString('utf8')
  }
  return text
}

const turnIn = (events: string) => /"turnId":"(\w+)"/.exec(events)?.[1] ?? ''

test('WebSocket: a question, a refusal, a repeat, a stop and a frame that is not valid have one scope each', async () => {
  await using world = await serving()
  const client = await world.connect()
  client.send(chat({ idempotencyKey: 'k1' }))
  const { turnId } = await client.until('accepted')
  client.send(chat({ requestId: 'r2', idempotencyKey: 'k1' }))
  await client.until('accepted', 2)
  await client.refused(chat({ requestId: 'r3', sessionId: 'sess_unknown' }))
  await client.refused('{')
  client.send({ type: 'ping' })
  await client.until('heartbeat')
  client.send({ type: 'stop', turnId })
  await client.until('done')
  assert.deepEqual((await world.ended('ws', 7)).toSorted(), [
    'ws chat completed',
    'ws chat completed stopped',
    'ws chat refused NOT_FOUND',
    'ws connect completed',
    'ws invalid refused INVALID_REQUEST',
    'ws ping completed',
    'ws stop completed',
  ])
})

test('WebSocket: a resumed turn ends its scope with its reader, by the turn’s end or by the client’s', async () => {
  await using world = await serving()
  const client = await world.connect()
  client.send(chat())
  const { turnId } = await client.until('accepted')
  await client.until('chunk')
  const { cookie } = client
  const [left, replaced] = [await world.connect({ cookie }), await world.connect({ cookie })]
  left.send({ type: 'resume', turnId, offset: 0 })
  await left.until('chunk')
  left.socket.terminate()
  replaced.send({ type: 'resume', turnId, offset: 0 })
  await replaced.until('chunk')
  replaced.send({ type: 'resume', turnId, offset: 0 })
  await replaced.until('chunk', 2)
  await replaced.refused({ type: 'resume', turnId: 'turn_unknown', offset: 0 })
  // The client that asked leaves: the turn continues, and its scope with it.
  client.socket.terminate()
  const resumes = () => world.telemetry.ended.filter(({ name }) => name === 'ws resume').length
  await world.until(() => resumes() === 3)
  world.mayEnd()
  await replaced.until('done')
  const all = await world.ended('ws', 8)
  assert.deepEqual(all.filter((name) => !name.startsWith('ws connect')).toSorted(), [
    'ws chat completed stop',
    'ws resume completed',
    'ws resume disconnected',
    'ws resume left',
    'ws resume refused NOT_FOUND',
  ])
})

test('WebSocket: a connection that is refused, before or after the upgrade, ends refused', async () => {
  await using world = await serving()
  const url = world.address.replace('http:', 'ws:')
  assert.equal(await new SocketClient(`${url}/other`).declined(), 404)
  await new SocketClient(`${url}/ws`, { headers: { origin: 'https://evil.example' } }).closed
  assert.deepEqual(await world.ended('ws', 2), ['ws connect refused NOT_FOUND', 'ws connect refused FORBIDDEN'])
})

test('SSE: an answer, a refusal, a resumed turn, and readers that leave', async () => {
  await using world = await serving()
  assert.equal((await world.post('/api/chat', UNKNOWN_SESSION, EVENTS)).status, 404)
  const asking = new AbortController()
  const asked = await world.post('/api/chat', { message: QUESTION }, EVENTS, asking.signal)
  const turnId = turnIn(await untilSpoken(asked))
  const headers = { cookie: cookieOf(asked) }
  const events = `${world.address}/api/turns/${turnId}/events`
  assert.equal((await fetch(`${world.address}/api/turns/turn_unknown/events`, { headers })).status, 404)
  const leaving = new AbortController()
  await untilSpoken(await fetch(events, { headers, signal: leaving.signal }))
  const staying = await fetch(events, { headers })
  leaving.abort()
  asking.abort()
  await world.until(() => world.telemetry.ended.some(({ outcome }) => outcome === 'disconnected'))
  world.mayEnd()
  assert.match(await staying.text(), /event: done/)
  const resume = 'sse GET /api/turns/:turnId/events'
  assert.deepEqual((await world.ended('sse', 5)).toSorted(), [
    `${resume} completed`,
    `${resume} disconnected`,
    `${resume} refused NOT_FOUND`,
    'sse POST /api/chat completed stop',
    'sse POST /api/chat refused NOT_FOUND',
  ])
  assert.deepEqual(world.statuses('sse'), ['200', '200', '200', '404', '404'])
})

test('HTTP: an answer, a refusal, a plain request, an unknown page, and a caller that leaves', async () => {
  await using world = await serving()
  assert.equal((await world.post('/api/chat', UNKNOWN_SESSION)).status, 404)
  const leaving = new AbortController()
  const left = world.post('/api/chat', { message: '別の質問です' }, JSON_TYPE, leaving.signal)
  await world.until(() => world.app.running() === 1)
  leaving.abort()
  await assert.rejects(left)
  world.mayEnd()
  const answered = await world.post('/api/chat', { message: QUESTION })
  assert.equal(answered.status, 200)
  // The quota of an ended turn: nothing is held for it any more, and its use is in it.
  const { metadata } = (await answered.json()) as { metadata: { quota: QuotaView } }
  const { input, output } = metadata.quota
  assert.deepEqual([output.reserved, input.reserved, output.used > 0], [0, 0, true])
  assert.equal((await fetch(`${world.address}/api/faq`)).status, 200)
  assert.equal((await fetch(`${world.address}/nowhere`)).status, 404)
  assert.deepEqual((await world.ended('http', 5)).toSorted(), [
    'http GET /api/faq completed',
    'http GET unknown refused NOT_FOUND',
    'http POST /api/chat completed stop',
    'http POST /api/chat completed stop',
    'http POST /api/chat refused NOT_FOUND',
  ])
  // The caller that left may have left before the server knew.
  const count = (status: string) => world.statuses('http').filter((one) => one === status).length
  assert.deepEqual([count('404'), count('200') >= 2], [2, true])
})

test('/v1: a completion, a refusal, an unknown address, and a caller that leaves and so stops its turn', async () => {
  await using world = await serving()
  const prompt = { model: 'auto', messages: [{ role: 'user', content: 'hello' }] }
  assert.equal((await world.post('/v1/chat/completions', { ...prompt, model: 'unknown' })).status, 404)
  assert.equal((await world.post('/v1/nothing', {})).status, 404)
  const leaving = new AbortController()
  const left = world.post('/v1/chat/completions', prompt, JSON_TYPE, leaving.signal)
  await world.until(() => world.app.running() === 1)
  leaving.abort()
  await assert.rejects(left)
  await world.until(() => world.app.running() === 0)
  world.mayEnd()
  assert.equal((await world.post('/v1/chat/completions', prompt)).status, 200)
  const name = 'v1 POST /v1/chat/completions'
  assert.deepEqual((await world.ended('v1', 4)).toSorted(), [
    'v1 POST /v1/* refused',
    `${name} completed stop`,
    `${name} completed stopped`,
    `${name} refused NOT_FOUND`,
  ])
  assert.deepEqual(world.statuses('v1'), ['200', '404', '404', 'undefined'])
})

test('admin: an operator’s request, one without a token, and one that is not valid', async () => {
  await using world = await serving()
  const audit = `${world.address}/api/admin/audit`
  const headers = { authorization: `Bearer ${TOKEN}` }
  assert.equal((await fetch(audit, { headers })).status, 200)
  assert.equal((await fetch(audit)).status, 401)
  assert.equal((await fetch(`${audit}?after=x`, { headers })).status, 400)
  assert.deepEqual((await world.ended('admin', 3)).toSorted(), [
    'admin GET /api/admin/audit completed',
    'admin GET /api/admin/audit refused INVALID_REQUEST',
    'admin GET /api/admin/audit refused UNAUTHENTICATED',
  ])
})

test('a caller’s trace goes through to the log lines, the spans and the first record of the turn', async () => {
  await using world = await serving()
  world.mayEnd()
  const headers = { ...JSON_TYPE, traceparent: TRACEPARENT, tracestate: 'rojo=1' }
  const response = await world.post('/api/chat', { message: QUESTION }, headers)
  await world.ended('http', 1)
  const line = world.lines.map((text) => JSON.parse(text)).find(({ event }) => event === 'turn.ended')
  assert.equal(line?.traceId, TRACE_ID)
  assert.equal(line?.requestId, response.headers.get('x-request-id'))
  const start = await world.turnLog.start(line?.turnId)
  assert.deepEqual([start?.trace?.traceId, start?.trace?.state], [TRACE_ID, 'rojo=1'])
  const { spans } = world.telemetry
  assert.deepEqual([...new Set(spans.map(({ trace }) => trace.traceId))], [TRACE_ID])
  assert.deepEqual(
    spans.filter(({ kind }) => kind === 'span').map(({ name }) => name),
    ['admission', 'context', 'routing', 'attempt', 'invocation', 'delivery', 'settlement'],
  )
  const [root] = world.telemetry.ended
  assert.deepEqual([root?.parentSpanId, root?.trace.state], [TRACEPARENT.split('-')[2], 'rojo=1'])
})

test('a traceparent that is not well formed begins a new trace, and the request continues', async () => {
  await using world = await serving()
  const response = await fetch(`${world.address}/api/faq`, { headers: { traceparent: `00-${TRACE_ID}-0-01` } })
  assert.equal(response.status, 200)
  await world.ended('http', 1)
  const [root] = world.telemetry.ended
  assert.match(root?.trace.traceId ?? '', /^[0-9a-f]{32}$/)
  assert.deepEqual([root?.trace.traceId === TRACE_ID, root?.parentSpanId], [false, undefined])
})

test('frames of a connection that came with a trace have traces of their own, linked to it', async () => {
  await using world = await serving()
  const client = await world.connect({ traceparent: TRACEPARENT })
  client.send({ type: 'ping' })
  await client.until('heartbeat')
  await world.ended('ws', 2)
  const [connect, ping] = world.telemetry.ended
  assert.equal(connect?.trace.traceId, TRACE_ID)
  assert.deepEqual(ping?.links, [connect?.trace])
  assert.notEqual(ping?.trace.traceId, TRACE_ID)
})
