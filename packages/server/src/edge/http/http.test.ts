// The HTTP door over a fake app: envelopes, headers, cookies, streams and pages, as a client sees them.
import assert from 'node:assert/strict'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ErrorEnvelope } from '@mangaassist/protocol'
import { Compile } from 'typebox/compile'
import { Refusal } from '#domain/refusal.ts'
import { openDoors } from '#fixtures/edge/doors.ts'
import { quotaState, quotaView as sampleView } from '#fixtures/edge/edge.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'

const envelope = Compile(ErrorEnvelope)
const question = { message: 'Any tips?' }

test('a question is answered as JSON with its envelope, limits and cookie', async () => {
  await using doors = await openDoors()
  const turn = doors.app.turn('turn_1')
  turn.meta()
  turn.say('Read ')
  turn.say('this.')
  turn.end()
  const response = await doors.http.inject({ method: 'POST', url: '/api/chat', payload: question })
  assert.equal(response.statusCode, 200)
  const { data, metadata, success } = response.json()
  assert.equal(success, true)
  assert.deepEqual(data, {
    sessionId: 'session_1',
    turnId: 'turn_1',
    text: 'Read this.',
    products: [],
    finishReason: 'stop',
  })
  assert.equal(metadata.costMicroUsd, 7)
  assert.equal(metadata.requestId, response.headers['x-request-id'])
  assert.equal(response.headers['ratelimit-limit'], '10')
  assert.equal(response.headers['ratelimit-remaining'], '9')
  assert.equal(response.headers['ratelimit-reset'], '42')
  assert.equal(response.headers['ratelimit-policy'], '10;w=60')
  assert.match(
    String(response.headers['set-cookie']),
    /^ma_guest=guest_\w+\.[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  assert.equal(doors.app.asked[0]?.route, 'rest')
})

test('an answer has its warning; its quota is the current one as JSON, and that of the admission in the events', async () => {
  await using doors = await openDoors()
  const held = { used: 87, reserved: 10, limit: 100 }
  for (const [turnId, accept, expected] of [
    ['turn_1', 'application/json', sampleView.output],
    ['turn_2', 'text/event-stream', held],
  ] as const) {
    const turn = doors.app.turn(turnId)
    turn.meta({ warning: 'Nearly used up.', quota: { ...sampleView, output: held } })
    turn.end()
    const { body } = await doors.http.inject({
      method: 'POST',
      url: '/api/chat',
      payload: question,
      headers: { accept },
    })
    const said = accept === 'application/json' ? JSON.parse(body).metadata : metaOf(body)
    assert.deepEqual([said.warning, said.quota.output], ['Nearly used up.', expected])
  }
})

const metaOf = (events: string) => JSON.parse(/^data: (.*"type":"meta".*)$/m.exec(events)?.[1] ?? '{}')

test('the cookie brings the same guest back', async () => {
  await using doors = await openDoors()
  const first = await doors.http.inject({ url: '/api/sessions' })
  const cookie = String(first.headers['set-cookie']).split(';')[0] ?? ''
  doors.app.turn('turn_1').end()
  const again = await doors.http.inject({ method: 'POST', url: '/api/chat', payload: question, headers: { cookie } })
  assert.equal(again.headers['set-cookie'], undefined)
  assert.equal(cookie.startsWith(`ma_guest=${doors.app.asked[0]?.principal.id}.`), true)
})

test('the cookie is Secure behind a trusted proxy that speaks https', async () => {
  await using doors = await openDoors({ server: { trustProxy: true } })
  const response = await doors.http.inject({ url: '/api/sessions', headers: { 'x-forwarded-proto': 'https' } })
  assert.match(String(response.headers['set-cookie']), /; Secure/)
})

test('a turn that does not end in time is answered with its text so far', async () => {
  const rest = { firstWordMs: 1, endMs: 20 }
  await using doors = await openDoors({ deadlines: { rest, settleMs: 1 } })
  doors.app.turn('turn_1').say('Half an ans')
  const response = await doors.http.inject({ method: 'POST', url: '/api/chat', payload: question })
  const { data, metadata } = response.json()
  assert.equal(data.text, 'Half an ans')
  assert.equal(data.finishReason, 'timeout')
  assert.equal(metadata.usage.estimated, true)
  assert.match(metadata.advice, /WebSocket/)
  assert.deepEqual(doors.app.stopped, [])
})

test('a degraded answer has its reason', async () => {
  await using doors = await openDoors()
  doors.app.turn('turn_1').meta({ tier: 'faq', degraded: true, confidence: 0.3, reason: 'timeout' })
  doors.app.turn('turn_1').end()
  const response = await doors.http.inject({ method: 'POST', url: '/api/chat', payload: question })
  const { degraded, confidence, reason } = response.json().metadata
  assert.deepEqual({ degraded, confidence, reason }, { degraded: true, confidence: 0.3, reason: 'timeout' })
})

test('an answer that was expected to take long advises streaming, however long it took', async () => {
  await using doors = await openDoors()
  const adviceFor = async (expectedMs: number, totalMs: number) => {
    const turnId = `turn_${doors.app.asked.length + 1}`
    doors.app.turn(turnId).say('Whole')
    doors.app.turn(turnId).end('stop', { timings: { ttftMs: 1, totalMs, tokensPerSecond: 1 } })
    doors.app.expectedMs = expectedMs
    const response = await doors.http.inject({ method: 'POST', url: '/api/chat', payload: question })
    return response.json().metadata.advice
  }
  assert.match(await adviceFor(20_001, 100), /WebSocket/)
  assert.equal(await adviceFor(20_000, 24_000), undefined)
})

const refusals: [string, object, number, string, string | undefined][] = [
  ['malformed JSON', { payload: '{', headers: { 'content-type': 'application/json' } }, 400, 'INVALID_REQUEST', 'body'],
  ['an empty body', { headers: { 'content-type': 'application/json' } }, 400, 'INVALID_REQUEST', 'body'],
  ['no body at all', {}, 400, 'INVALID_REQUEST', 'body'],
  ['an array', { payload: [] }, 400, 'INVALID_REQUEST', 'body'],
  ['a missing field', { payload: {} }, 400, 'INVALID_REQUEST', 'message'],
  ['a field of the wrong kind', { payload: { message: 1 } }, 400, 'INVALID_REQUEST', 'message'],
  ['a bad session id', { payload: { message: 'x', sessionId: '../etc' } }, 400, 'INVALID_REQUEST', 'sessionId'],
  ['plain text', { payload: 'hi', headers: { 'content-type': 'text/plain' } }, 400, 'INVALID_REQUEST', 'content-type'],
  [
    'a form',
    { payload: 'message=hi', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    400,
    'INVALID_REQUEST',
    'content-type',
  ],
  ['too large a body', { payload: { message: 'x'.repeat(70_000) } }, 413, 'PAYLOAD_TOO_LARGE', undefined],
  [
    'a page of another origin',
    { payload: question, headers: { origin: 'https://evil.example' } },
    403,
    'FORBIDDEN',
    undefined,
  ],
  ['a sandboxed page', { payload: question, headers: { origin: 'null' } }, 403, 'FORBIDDEN', undefined],
  [
    'an unverifiable token',
    { payload: question, headers: { authorization: 'Bearer x' } },
    401,
    'UNAUTHENTICATED',
    undefined,
  ],
]
for (const [name, request, status, code, field] of refusals) {
  test(`${name} is ${code} in the envelope`, async () => {
    await using doors = await openDoors()
    const response = await doors.http.inject({ method: 'POST', url: '/api/chat', ...request })
    assert.equal(response.statusCode, status)
    assert.ok(envelope.Check(response.json()), response.body)
    assert.equal(response.json().error.code, code)
    assert.equal(response.json().error.details?.field, field)
    assert.ok(response.headers['x-request-id'])
    assert.equal(doors.app.asked.length, 0)
  })
}

test('an unknown path is NOT_FOUND in the language of the browser, also under another method', async () => {
  await using doors = await openDoors()
  for (const [method, url] of [
    ['GET', '/api/nothing'],
    ['PUT', '/api/chat'],
    ['GET', '/nothing.html'],
    ['GET', '/api/%zz'],
  ] as const) {
    const response = await doors.http.inject({ method, url, headers: { 'accept-language': 'en' } })
    assert.ok(envelope.Check(response.json()), response.body)
    assert.match(response.json().error.message, /^We could not/)
  }
})

test('a refusal of the app keeps its code, message, retry time and limits', async () => {
  await using doors = await openDoors()
  doors.app.onChat = async () => {
    throw new Refusal('RATE_LIMITED', { retryAfterMs: 1500, quota: quotaState, details: { scope: 'user-rate' } })
  }
  const response = await doors.http.inject({ method: 'POST', url: '/api/chat', payload: { message: 'おすすめ' } })
  assert.equal(response.statusCode, 429)
  assert.equal(response.headers['retry-after'], '2')
  assert.equal(response.headers['ratelimit-remaining'], '9')
  assert.deepEqual(response.json().error.details, { scope: 'user-rate' })
  assert.match(response.json().error.message, /間隔/)
})

test('an unknown error reveals nothing and is logged once with the request id', async () => {
  await using doors = await openDoors()
  doors.app.onChat = async () => {
    throw new Error('secret')
  }
  const response = await doors.http.inject({ method: 'POST', url: '/api/chat', payload: question })
  assert.equal(response.statusCode, 500)
  assert.doesNotMatch(response.body, /secret/)
  const logged = doors.telemetry.logged.filter((entry) => entry.level === 'error')
  assert.equal(logged.length, 1)
  assert.equal(logged[0]?.within?.requestId, response.headers['x-request-id'])
})

test('a caller’s own request id is used where it is one, and replaced where it is not', async () => {
  await using doors = await openDoors()
  const idOf = async (id: string) => {
    const response = await doors.http.inject({ url: '/healthz', headers: { 'x-request-id': id } })
    return String(response.headers['x-request-id'])
  }
  assert.equal(await idOf('shop.order:42-a_B'), 'shop.order:42-a_B')
  for (const id of ['', 'two words', 'hanako@example.jp', 'x'.repeat(65)]) assert.match(await idOf(id), /^req_/)
})

test('metrics can be asked for by HEAD', async () => {
  await using doors = await openDoors()
  const response = await doors.http.inject({ method: 'HEAD', url: '/metrics' })
  assert.deepEqual([response.statusCode, response.body], [200, ''])
})

test('only the pattern of a request’s route is logged', async () => {
  await using doors = await openDoors()
  await doors.http.inject({ url: '/api/products?q=himitsu' })
  await doors.http.inject({ url: '/api/sessions/session_himitsu' })
  assert.doesNotMatch(JSON.stringify(doors.telemetry.logged), /himitsu/)
})

test('pages of configured origins may read answers, others may not', async () => {
  await using doors = await openDoors({ server: { allowedOrigins: ['https://shop.example'] } })
  const from = (origin: string) => doors.http.inject({ url: '/api/quota', headers: { origin } })
  const shop = await from('https://shop.example')
  assert.equal(shop.headers['access-control-allow-origin'], 'https://shop.example')
  assert.equal(shop.headers['vary'], 'Origin')
  assert.equal((await from('https://evil.example')).headers['access-control-allow-origin'], undefined)
  const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
  const preflight = await doors.http.inject({ method: 'OPTIONS', url: '/api/chat', headers })
  assert.equal(preflight.statusCode, 204)
  assert.match(String(preflight.headers['access-control-allow-methods']), /POST/)
  assert.match(String(preflight.headers['access-control-allow-headers']), /Idempotency-Attempt.*Traceparent/)
})

test('every response has the security headers', async () => {
  await using doors = await openDoors()
  for (const url of ['/', '/api/quota', '/healthz', '/nothing']) {
    const { headers } = await doors.http.inject({ url })
    assert.match(String(headers['content-security-policy']), /^default-src 'self'; object-src 'none'/, url)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.ok(headers['referrer-policy'])
  }
})

test('readyz follows the state, healthz does not', async () => {
  await using doors = await openDoors()
  const ready = await doors.http.inject({ url: '/readyz' })
  assert.equal(ready.statusCode, 200)
  const dependencies = { database: { products: 3, status: 'ok' } }
  assert.deepEqual(ready.json(), { status: 'ready', mode: 'normal', dependencies })
  for (const state of ['starting', 'lame-duck', 'draining'] as const) {
    doors.readiness.state = state
    const response = await doors.http.inject({ url: '/readyz' })
    assert.equal(response.statusCode, 503)
    assert.equal(response.json().status, state)
    assert.equal((await doors.http.inject({ url: '/healthz' })).statusCode, 200)
  }
})

test('pages are revalidated, hashed assets are cached for ever, and a page creates a guest', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'web-'))
  const webRoot = folder.path
  await mkdir(join(webRoot, 'assets'))
  await writeFile(join(webRoot, 'index.html'), '<!doctype html>')
  await writeFile(join(webRoot, 'assets', 'a-1234.js'), '1')
  await using doors = await openDoors({ webRoot })
  const page = await doors.http.inject({ url: '/', headers: { accept: 'text/html' } })
  assert.equal(page.body, '<!doctype html>')
  assert.equal(page.headers['cache-control'], 'private, no-store')
  assert.match(String(page.headers['set-cookie']), /^ma_guest=/)
  const asset = await doors.http.inject({ url: '/assets/a-1234.js' })
  assert.match(String(asset.headers['cache-control']), /immutable/)
  assert.equal(asset.headers['set-cookie'], undefined)
  const missing = await doors.http.inject({ url: '/assets/b.js' })
  assert.equal(missing.statusCode, 404)
  assert.ok(envelope.Check(missing.json()))
  assert.equal((await doors.http.inject({ url: '/..%2f..%2fetc/passwd' })).statusCode >= 400, true)
})

function events(body: string): { event: string; id?: string; data: Record<string, unknown> }[] {
  return body
    .split('\n\n')
    .filter(Boolean)
    .map((block) => {
      const fields = Object.fromEntries(
        block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      )
      return { ...fields, data: JSON.parse(fields['data'] ?? '') } as {
        event: string
        id?: string
        data: Record<string, unknown>
      }
    })
}

test('a question streams as events: accepted, frames with their end offsets, done', async () => {
  await using doors = await openDoors()
  const turn = doors.app.turn('turn_1')
  turn.meta()
  turn.say('漫画\n')
  turn.say('です')
  turn.end()
  const response = await doors.http.inject({
    method: 'POST',
    url: '/api/chat',
    payload: question,
    headers: { accept: 'text/event-stream' },
  })
  assert.equal(response.headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.equal(response.headers['ratelimit-limit'], '10')
  assert.match(String(response.headers['set-cookie']), /^ma_guest=/)
  const sent = events(response.body)
  assert.deepEqual(
    sent.map(({ event, id }) => [event, id]),
    [
      ['accepted', undefined],
      ['meta', undefined],
      ['chunk', '3'],
      ['chunk', '5'],
      ['done', undefined],
    ],
  )
  assert.equal(sent[2]?.data['text'], '漫画\n')
  assert.equal(doors.app.asked[0]?.route, 'stream')
})

test('a turn is resumed from its offset, and from Last-Event-ID before that', async () => {
  await using doors = await openDoors()
  doors.app.turn('turn_1').say('abcdef')
  doors.app.turn('turn_1').end()
  const texts = async (url: string, headers: Record<string, string> = {}) =>
    events((await doors.http.inject({ url, headers })).body)
      .filter(({ event }) => event === 'chunk')
      .map(({ data }) => data['text'])
  assert.deepEqual(await texts('/api/turns/turn_1/events'), ['abcdef'])
  assert.deepEqual(await texts('/api/turns/turn_1/events?offset=2'), ['cdef'])
  assert.deepEqual(await texts('/api/turns/turn_1/events?offset=2', { 'last-event-id': '5' }), ['f'])
  assert.equal((await doors.http.inject({ url: '/api/turns/turn_1/events?offset=-1' })).statusCode, 400)
  const unknown = await doors.http.inject({ url: '/api/turns/turn_x/events' })
  assert.equal(unknown.statusCode, 404)
  assert.ok(envelope.Check(unknown.json()))
})

test('a stream that fails midway sends an error event', async () => {
  await using doors = await openDoors()
  doors.app.read = async () =>
    (async function* () {
      yield* []
      throw new Error('secret')
    })()
  const response = await doors.http.inject({
    method: 'POST',
    url: '/api/chat',
    payload: question,
    headers: { accept: 'text/event-stream' },
  })
  const last = events(response.body).at(-1)
  assert.equal(last?.event, 'error')
  assert.equal(last?.data['code'], 'INTERNAL_ERROR')
  assert.doesNotMatch(response.body, /secret/)
})

test('a silent stream sends heartbeats, and a client that leaves ends the read, not the turn', async () => {
  await using doors = await openDoors({ streaming: { heartbeatMs: 10, stalledPollMs: 5 } })
  const turn = doors.app.turn('turn_1')
  const address = await doors.listen()
  const leave = new AbortController()
  const response = await fetch(`${address}/api/turns/turn_1/events`, { signal: leave.signal })
  let received = ''
  for await (const bytes of response.body ?? []) {
    received += Buffer.from(bytes).toString()
    if (received.includes('event: heartbeat')) break
  }
  leave.abort()
  await waitUntil('the reading has ended', () => turn.readers === 0)
  assert.deepEqual(doors.app.stopped, [])
})

test('a turn is stopped over HTTP, without a body or with an empty one', async () => {
  await using doors = await openDoors()
  doors.app.turn('turn_1')
  for (const headers of [{}, { 'content-type': 'application/json' }]) {
    const response = await doors.http.inject({ method: 'POST', url: '/api/turns/turn_1/stop', headers })
    assert.equal(response.statusCode, 200, response.body)
  }
  assert.deepEqual(doors.app.stopped, ['turn_1', 'turn_1'])
})
