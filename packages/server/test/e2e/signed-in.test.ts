// Users with a real issuer's tokens and programs with keys at the real server: each tier has its own limits, a guest who
// signs in keeps the conversations, on one machine and in a cluster, and no user's name is in the log.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { ErrorEnvelope, QuotaView, SessionDetail, SessionSummary } from '@mangaassist/protocol'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { SocketClient } from '#fixtures/edge/socket-client.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { signedToken, signingPair, startKeyServer } from '#fixtures/edge/token-issuer.ts'
import { cookieOf, postChat, SLOWLY, startServer, temporaryFolder } from './server-process.ts'

const ISSUER = 'https://id.example'
const KEY = 'mak_0123456789abcdefABCDEF'
const QUESTION = '進撃の巨人が好きなら次は何を読む？'

async function startIssuer() {
  const pair = await signingPair('k1')
  const server = await startKeyServer(pair)
  const hash = `sha256:${createHash('sha256').update(KEY).digest('hex')}`
  const env = {
    MANGA_AUTH__ISSUERS: JSON.stringify([{ issuer: ISSUER, audience: 'shop', jwksUrl: server.url, clockSkewMs: 0 }]),
    MANGA_AUTH__APIKEYS: JSON.stringify([{ name: 'robot', hash, tier: 'standard' }]),
  }
  const bearer = async (sub: string, claims: object = {}) => {
    const exp = Math.floor(Date.now() / 1000) + 600
    return { authorization: `Bearer ${await signedToken(pair, { iss: ISSUER, aud: 'shop', sub, exp, ...claims })}` }
  }
  return { env, bearer, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}

interface Answer<Data> {
  readonly response: Response
  readonly data: Data
  readonly error: ErrorEnvelope['error']
}

async function get(address: string, path: string, headers: Record<string, string>): Promise<Answer<unknown>> {
  const response = await fetch(`${address}${path}`, { headers })
  return { response, ...((await response.json()) as { data: unknown } & ErrorEnvelope) }
}

async function rate(address: string, turnId: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(`${address}/api/turns/${turnId}/feedback`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ value: 'down', reason: '長い' }),
  })
  await response.arrayBuffer()
  return response.status
}

const quotaOf = async (address: string, headers: Record<string, string>) =>
  (await get(address, '/api/quota', headers)) as Answer<QuotaView>
const sessionsOf = async (address: string, headers: Record<string, string>) =>
  (await get(address, '/api/sessions', headers)) as Answer<SessionSummary[]>

test('each tier has its own limits, and premium really gets three times the rate', async () => {
  await using issuer = await startIssuer()
  await using folder = await temporaryFolder()
  const env = {
    ...issuer.env,
    MANGA_MODELS__EMBEDDED__PROVIDER: 'embedded',
    MANGA_MODELS__EMBEDDED__TOKENSPERSECOND: '0',
    MANGA_RATES__USERPERSECOND: '0.001',
    MANGA_RATES__USERBURST: '3',
  }
  await using server = await startServer({ dataDir: folder.path, env })
  const accepted = async (headers: Record<string, string>) => {
    const messages = Array.from({ length: 12 }, (_, index) => ({ message: `こんにちは ${index}` }))
    const answers = await Promise.all(messages.map((body) => postChat(server.address, body, headers)))
    for (const { status } of answers) assert.ok(status === 200 || status === 429, String(status))
    return answers.filter(({ status }) => status === 200).length
  }
  const quota = async (headers: Record<string, string>) => {
    const { data } = await quotaOf(server.address, headers)
    return [data.tier, data.requestsPerMinute.limit]
  }
  const [free, premium] = [await issuer.bearer('free-one'), await issuer.bearer('premium-one', { tier: 'premium' })]
  const robot = { authorization: `Bearer ${KEY}` }
  assert.deepEqual(
    [await quota(free), await quota(robot), await quota(premium)],
    [
      ['free', 10],
      ['standard', 30],
      ['premium', 60],
    ],
  )
  assert.equal(await accepted(free), 3)
  assert.equal(await accepted(premium), 9)
  assert.equal(await accepted(robot), 3)
  const other = await issuer.bearer('free-two', { tier: 'platinum' })
  assert.deepEqual(await quota(other), ['free', 10])
  const bad = await get(server.address, '/api/quota', { authorization: `${free.authorization}x` })
  assert.deepEqual([bad.response.status, bad.error.code], [401, 'UNAUTHENTICATED'])
  await waitUntil('the unknown tier is in the log', () => server.stderr().includes('auth.tier-unknown'))
  const log = server.stderr() + server.stdout()
  assert.doesNotMatch(log, /free-one|premium-one|free-two|robot|mak_|eyJ|platinum/)
})

for (const kind of ['one machine', 'a fleet'] as const) {
  test(`on ${kind} a guest who signs in during an answer reads it to its end and keeps the conversation`, async () => {
    await using opened = new AsyncDisposableStack()
    const issuer = opened.use(await startIssuer())
    const redis = kind === 'a fleet' ? opened.use(await startRedis()) : undefined
    const state = redis === undefined ? {} : { MANGA_STATE__REDIS: redis.url, MANGA_STATE__CALLMS: '10000' }
    const env = { ...SLOWLY, MANGA_MODELS__EMBEDDED__TOKENSPERSECOND: '25', ...issuer.env, ...state }
    const folders = [opened.use(await temporaryFolder()), opened.use(await temporaryFolder())] as const
    const start = async (index: 0 | 1) => opened.use(await startServer({ dataDir: folders[index].path, env }))
    const first = await start(0)
    const second = redis === undefined ? first : await start(1)

    const socket = await first.connect()
    socket.send({ type: 'chat', requestId: 'r', message: QUESTION })
    const { sessionId, turnId } = await socket.until('accepted')
    await socket.until('chunk')
    const user = await issuer.bearer('aki@example.com', { tier: 'premium' })
    const both = { ...user, cookie: socket.cookie }
    const list = await sessionsOf(second.address, both)
    assert.deepEqual(
      list.data.map((one) => one.sessionId),
      [sessionId],
    )
    assert.match(list.response.headers.getSetCookie()[0] ?? '', /^ma_guest=; Max-Age=0/)

    const device = new SocketClient(`${second.address.replace('http', 'ws')}/ws`, { headers: user })
    assert.equal((await device.until('ready')).principal.tier, 'premium')
    device.send({ type: 'resume', turnId, offset: 0 })
    const busy = await postChat(second.address, { message: 'ほかには？', sessionId }, user)
    assert.deepEqual([busy.status, ((await busy.json()) as ErrorEnvelope).error.code], [409, 'SESSION_BUSY'])
    await Promise.all([device.until('done'), socket.until('done')])
    assert.equal(device.answer(turnId), socket.answer(turnId))
    device.socket.close()
    const stranger = await issuer.bearer('somebody-else')
    assert.equal(await rate(first.address, turnId, { cookie: socket.cookie }), 404, 'it is the user’s now')
    assert.equal(await rate(second.address, turnId, stranger), 404)
    assert.equal(await rate(second.address, turnId, user), 200)

    const next = await postChat(second.address, { message: 'ほかには？', sessionId }, user)
    assert.equal(next.status, 200)
    const detail = await get(first.address, `/api/sessions/${sessionId}`, user)
    const thumbs = ({ data }: Answer<unknown>) => (data as SessionDetail).turns.map((turn) => turn.feedback?.value)
    assert.deepEqual(thumbs(detail), ['down', undefined])
    const guest = await sessionsOf(first.address, { cookie: socket.cookie })
    assert.deepEqual(guest.data, [])
    assert.equal((await get(first.address, `/api/sessions/${sessionId}`, stranger)).response.status, 404)
    const visitor = await postChat(second.address, { message: 'こんにちは' })
    assert.notEqual(cookieOf(visitor), socket.cookie)
    assert.doesNotMatch(first.stderr() + second.stderr(), /aki|example\.com|user:|guest_/)

    await first.kill()
    const again = await start(0)
    const after = await sessionsOf(again.address, user)
    assert.deepEqual(
      after.data.map((one) => [one.sessionId, one.version]),
      [[sessionId, 2]],
    )
    assert.deepEqual(thumbs(await get(again.address, `/api/sessions/${sessionId}`, user)), ['down', undefined])
    await fetch(`${again.address}/api/me`, { method: 'DELETE', headers: user })
    assert.equal(await rate(again.address, turnId, user), 404)
  })
}

test('a connection whose token expires is closed with 4401, and a new token continues', async () => {
  await using issuer = await startIssuer()
  await using folder = await temporaryFolder()
  await using server = await startServer({ dataDir: folder.path, env: { ...SLOWLY, ...issuer.env } })
  const address = `${server.address.replace('http', 'ws')}/ws`
  const asked = async (lifeS: number) => {
    const headers = await issuer.bearer('aki', { exp: Math.floor(Date.now() / 1000) + lifeS })
    const socket = new SocketClient(address, { headers })
    await socket.until('ready')
    socket.send({ type: 'chat', requestId: 'r', message: QUESTION })
    const { turnId } = await socket.until('accepted')
    return { soon: headers, socket, turnId }
  }
  // On a busy machine a token may expire before the question is accepted: then use a longer one.
  const { soon, socket, turnId } = await asked(3).catch(() => asked(20))
  assert.equal(await socket.closed, 4401)
  const late = new SocketClient(address, { headers: soon })
  assert.equal(await late.closed, 1008)
  assert.deepEqual(late.of('error')[0]?.details, { reason: 'token-expired' })
  const again = new SocketClient(address, { headers: await issuer.bearer('aki') })
  await again.until('ready')
  again.send({ type: 'resume', turnId, offset: 0 })
  await again.until('done')
  assert.ok(again.answer(turnId).length > 20)
  again.socket.close()
})
