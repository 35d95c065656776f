// Input of broken, careless or hostile clients: each is refused by name, none ends the server, few end the connection.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ErrorBody } from '@mangaassist/protocol'
import { SocketClient } from '#fixtures/edge/socket-client.ts'
import { postChat, startServer, temporaryFolder } from './server-process.ts'

const folder = await temporaryFolder()
const server = await startServer({ dataDir: folder.path })
after(async () => {
  await server[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const messages: [string, string][] = [
  ['empty', ''],
  ['blank', ' \n\t '],
  ['5,001 code points long', '𠮷'.repeat(5001)],
  ['half a surrogate pair', 'マンガ\ud842'],
  ['the other half', '\udfb7マンガ'],
  ['with a NUL', 'マンガ\u0000'],
  ['with an escape', '\u001b[31mred'],
]
for (const [name, message] of messages) {
  test(`a message that is ${name} is refused over both doors, and the connection stays`, async () => {
    const client = await server.connect()
    const error = await client.refused({ type: 'chat', requestId: 'r1', message })
    assert.deepEqual([error.code, error.requestId, error.details?.['field']], ['INVALID_REQUEST', 'r1', 'message'])
    const response = await postChat(server.address, { message })
    assert.equal(response.status, 400)
    const body = (await response.json()) as { success: boolean; error: ErrorBody }
    assert.deepEqual(
      [body.success, body.error.code, body.error.details?.['field']],
      [false, 'INVALID_REQUEST', 'message'],
    )
    client.send({ type: 'ping' })
    await client.until('heartbeat')
  })
}

test('the error of a message that is too long says how many characters fit, in its language', async () => {
  const client = await server.connect()
  for (const [message, words] of [
    ['漫'.repeat(5001), /^文章が長すぎます。5,000文字以内/],
    ['manga '.repeat(1000), /^This is too long: 5,000 characters fit\./],
    // Within the characters, and past the tokens.
    [`楽${'\u{1D11E}'.repeat(4900)}`, /^文章が長すぎます。[\d,]+文字以内/],
  ] as const) {
    const response = await postChat(server.address, { message })
    assert.match(((await response.json()) as { error: ErrorBody }).error.message, words)
    assert.match((await client.refused({ type: 'chat', requestId: 'r1', message })).message, words)
  }
})

test('a message of 5,000 code points is accepted', async () => {
  const response = await postChat(server.address, { message: 'a'.repeat(5000) })
  assert.equal(response.status, 200)
})

const frames: [string, string, string][] = [
  ['not JSON', '{"type":', 'frame'],
  ['a list', '[]', 'frame'],
  ['of an unknown type', '{"type":"hello"}', 'type'],
  ['without its message', '{"type":"chat","requestId":"r1"}', 'message'],
  ['without its request id', '{"type":"chat","message":"x"}', 'requestId'],
  ['with an offset below zero', '{"type":"resume","turnId":"turn_1","offset":-1}', 'offset'],
  [
    'with a session id of another shape',
    '{"type":"chat","requestId":"r1","message":"x","sessionId":"../x"}',
    'sessionId',
  ],
  ['with no tokens at all', '{"type":"chat","requestId":"r1","message":"x","maxTokens":0}', 'maxTokens'],
]
for (const [name, text, field] of frames) {
  test(`a frame ${name} is refused with its field, and the connection stays`, async () => {
    const client = await server.connect()
    const error = await client.refused(text)
    assert.deepEqual([error.code, error.details?.['field']], ['INVALID_REQUEST', field])
    client.send({ type: 'ping' })
    await client.until('heartbeat')
  })
}

test('unknown sessions and turns are not found', async () => {
  const client = await server.connect()
  assert.equal(
    (await client.refused({ type: 'chat', requestId: 'r', message: 'x', sessionId: 'session_none' })).code,
    'NOT_FOUND',
  )
  assert.equal((await client.refused({ type: 'resume', turnId: 'turn_none', offset: 0 })).code, 'NOT_FOUND')
  assert.equal((await postChat(server.address, { message: 'x', sessionId: 'session_none' })).status, 404)
})

test('a frame beyond the limit closes its connection with 1009 and no other', async () => {
  const other = await server.connect()
  const client = await server.connect()
  client.send({ type: 'chat', requestId: 'r', message: 'x'.repeat(70_000) })
  assert.equal(await client.closed, 1009)
  other.send({ type: 'ping' })
  await other.until('heartbeat')
})

test('a body that is too large, of another type or invalid is refused in the envelope', async () => {
  const post = (body: string, type: string) =>
    fetch(`${server.address}/api/chat`, { method: 'POST', body, headers: { 'content-type': type } })
  const cases: [Response, number, string][] = [
    [await post(JSON.stringify({ message: 'x'.repeat(70_000) }), 'application/json'), 413, 'PAYLOAD_TOO_LARGE'],
    [await post('{"message":', 'application/json'), 400, 'INVALID_REQUEST'],
    [await post('{"message":"x"}', 'text/plain'), 400, 'INVALID_REQUEST'],
    [await fetch(`${server.address}/api/nothing`), 404, 'NOT_FOUND'],
  ]
  for (const [response, status, code] of cases) {
    assert.equal(response.status, status)
    assert.equal(((await response.json()) as { error: ErrorBody }).error.code, code)
  }
})

test('a foreign page is refused at both doors', async () => {
  const headers = { origin: 'https://evil.example' }
  assert.equal((await postChat(server.address, { message: 'x' }, headers)).status, 403)
  const client = new SocketClient(`${server.address.replace('http', 'ws')}/ws`, { headers })
  assert.equal(await client.closed, 1008)
})

test('a tampered cookie makes a new guest; an unverifiable token is refused', async () => {
  const known = await server.connect()
  const [id = '', signature = ''] = known.cookie.split('.')
  const forged = `${id}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
  const stranger = await server.connect(forged)
  assert.match(stranger.cookie, /^ma_guest=guest_/)
  assert.notEqual(stranger.cookie.split('.')[0], id)
  const response = await fetch(`${server.address}/api/sessions`, {
    headers: { authorization: 'Bearer x', cookie: known.cookie },
  })
  assert.equal(response.status, 401)
})

test('an expired conversation says so, and a new one can begin', async () => {
  await using place = await temporaryFolder()
  await using brief = await startServer({ dataDir: place.path, env: { MANGA_SESSIONS__IDLEEXPIRYMS: '1' } })
  const client = await brief.connect()
  client.send({ type: 'chat', requestId: 'r1', message: 'こんにちは' })
  const { sessionId } = await client.until('accepted')
  await client.until('done')
  const error = await client.refused({ type: 'chat', requestId: 'r2', message: 'まだいますか', sessionId })
  assert.equal(error.code, 'SESSION_EXPIRED')
  const response = await fetch(`${brief.address}/api/sessions/${sessionId}`, { headers: { cookie: client.cookie } })
  assert.equal(response.status, 410)
  client.send({ type: 'chat', requestId: 'r3', message: 'はじめまして' })
  await client.until('done', 2)
})
