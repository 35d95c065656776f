// Signing in with a browser: what opens a session, what ends it, and what a page of another site cannot do with its cookie.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTokenVerifier } from '#adapters/memory/token-verifier.ts'
import { openDoors } from '#fixtures/edge/doors.ts'
import type { DoorOptions } from '#fixtures/edge/doors.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { secretHash } from '#lib/text/secret-hash.ts'

const TOKEN = 'maa_browser'
const OWN = 'http://localhost:80'
const admins = [
  { name: 'aki', hash: secretHash(TOKEN) },
  { name: 'vi', hash: secretHash('maa_viewer'), role: 'viewer' as const },
]
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

async function open(options: DoorOptions = {}) {
  const clock = manualClock()
  const verifier = memoryTokenVerifier({
    clock,
    tokens: new Map(
      Object.entries({
        'a.b.admin': ['support', 'shop-admins'],
        'a.b.support': ['support'],
        'a.b.shopper': ['toString'],
      }).map(([token, operatorValues]) => [
        token,
        {
          issuer: 'https://id.example',
          subject: token.slice(4),
          tiers: [],
          operatorValues,
          expiresAt: clock.now() + HOUR_MS,
        },
      ]),
    ),
  })
  const doors = await openDoors({ clock, verifier, ...options, auth: { admins, ...options.auth } })
  const ask = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    more: { headers?: Record<string, string>; body?: object; from?: string } = {},
  ) => {
    const response = await doors.http.inject({
      method,
      url: `/api/admin${url}`,
      headers: { host: 'localhost:80', ...more.headers },
      ...(more.body === undefined ? {} : { payload: more.body }),
      ...(more.from === undefined ? {} : { remoteAddress: more.from }),
    })
    const { data, error } = response.json() as {
      data?: Record<string, unknown>
      error?: { code: string; details: Record<string, unknown> | undefined }
    }
    return { status: response.statusCode, data: { ...data }, error, headers: response.headers }
  }
  const signIn = async (token = TOKEN, headers: Record<string, string> = {}) => {
    const answer = await ask('POST', '/session', { body: { token }, headers: { origin: OWN, ...headers } })
    const cookie = String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? ''
    return { ...answer, cookie, csrf: String(answer.data['csrfToken']) }
  }
  return { ...doors, clock, ask, signIn, [Symbol.asyncDispose]: doors[Symbol.asyncDispose] }
}

const MAINTENANCE = { body: { on: true, reason: 'a test' } }

test('a token opens a session, whose cookie no script can read and no other site sends', async () => {
  await using doors = await open()
  const { cookie, csrf, data, headers, status } = await doors.signIn()
  assert.equal(status, 200)
  assert.deepEqual([data['name'], data['role'], data['by'], data['idleMs']], ['aki', 'admin', 'token', HOUR_MS])
  assert.equal(Date.parse(String(data['expiresAt'])) - doors.clock.now(), 12 * HOUR_MS)
  assert.match(String(headers['set-cookie']), /^ma_operator=[\w-]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/)
  assert.equal(headers['cache-control'], 'private, no-store')
  assert.ok(!JSON.stringify(data).includes(TOKEN) && !cookie.includes(TOKEN))
  const read = await doors.ask('GET', '/lanes', { headers: { cookie, 'sec-fetch-site': 'same-origin' } })
  assert.equal(read.status, 200)
  const headersOfPage = { cookie, origin: OWN, 'sec-fetch-site': 'same-origin', 'x-csrf-token': csrf }
  const changed = await doors.ask('POST', '/maintenance', { ...MAINTENANCE, headers: headersOfPage })
  assert.deepEqual([changed.status, changed.data['by']], [200, 'aki'])
  const session = await doors.ask('GET', '/session', { headers: { cookie } })
  assert.deepEqual(
    [session.data['csrfToken'], (session.data['capabilities'] as { cluster: boolean }).cluster],
    [csrf, false],
  )
})

test('behind TLS the cookie has the prefix that no sibling domain can set, and only that one counts', async () => {
  await using doors = await open({ server: { publicUrl: 'https://assist.example' } })
  const secure = { host: 'assist.example', origin: 'https://assist.example' }
  const { cookie, headers } = await doors.signIn(TOKEN, secure)
  assert.match(
    String(headers['set-cookie']),
    /^__Host-ma_operator=[\w-]+; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  )
  assert.equal((await doors.ask('GET', '/lanes', { headers: { host: 'assist.example', cookie } })).status, 200)
  const planted = cookie.replace('__Host-', '')
  assert.equal((await doors.ask('GET', '/lanes', { headers: { host: 'assist.example', cookie: planted } })).status, 401)
})

test('a change by cookie needs the CSRF token of its session and a page of ours', async () => {
  await using doors = await open()
  const { cookie, csrf } = await doors.signIn()
  const other = await doors.signIn('maa_viewer')
  const own = { origin: OWN, 'sec-fetch-site': 'same-origin' }
  const attacks: readonly (readonly [string, Record<string, string>, string | undefined])[] = [
    ['cookie only', { cookie }, 'foreign-page'],
    ['no token', { cookie, ...own }, 'csrf-token'],
    ['an empty token', { cookie, ...own, 'x-csrf-token': '' }, 'csrf-token'],
    ['the token of another session', { cookie, ...own, 'x-csrf-token': other.csrf }, 'csrf-token'],
    ['the token without a page', { cookie, 'x-csrf-token': csrf }, 'foreign-page'],
    ['a page of a sibling domain', { cookie, 'sec-fetch-site': 'same-site', 'x-csrf-token': csrf }, 'foreign-page'],
    ['another site', { cookie, 'sec-fetch-site': 'cross-site', 'x-csrf-token': csrf }, 'foreign-page'],
    ['a typed address', { cookie, 'sec-fetch-site': 'none', 'x-csrf-token': csrf }, 'foreign-page'],
    // Refused at every route, before who asks is known.
    ['another scheme', { cookie, origin: 'https://localhost:80', 'x-csrf-token': csrf }, undefined],
  ]
  for (const [what, headers, reason] of attacks) {
    const { error, status } = await doors.ask('POST', '/maintenance', { ...MAINTENANCE, headers })
    assert.deepEqual([status, error?.code, error?.details?.['reason']], [403, 'FORBIDDEN', reason], what)
  }
  assert.equal(doors.app.admin.maintenance(), null)
  for (const site of ['same-site', 'cross-site'])
    assert.equal((await doors.ask('GET', '/lanes', { headers: { cookie, 'sec-fetch-site': site } })).status, 403, site)
})

test('a configured page of another origin may not sign in, read or change, and gets no CORS headers', async () => {
  const shop = 'https://shop.example'
  await using doors = await open({ server: { allowedOrigins: [shop] } })
  const { cookie, csrf } = await doors.signIn()
  const signedIn = await doors.signIn(TOKEN, { origin: shop })
  assert.deepEqual([signedIn.status, signedIn.cookie], [403, ''])
  const headers = { cookie, origin: shop, 'x-csrf-token': csrf }
  const answers = [
    await doors.ask('GET', '/lanes', { headers }),
    await doors.ask('POST', '/maintenance', { ...MAINTENANCE, headers }),
    await doors.ask('GET', '/lanes', { headers: { authorization: `Bearer ${TOKEN}`, origin: shop } }),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [403, 403, 200],
  )
  const preflight = await doors.http.inject({
    method: 'OPTIONS',
    url: '/api/admin/lanes',
    headers: { host: 'localhost:80', origin: shop, 'access-control-request-method': 'POST' },
  })
  for (const answer of [...answers, preflight]) assert.equal(answer.headers['access-control-allow-origin'], undefined)
})

test('a request with a token needs no CSRF token', async () => {
  await using doors = await open()
  const headers = { authorization: `Bearer ${TOKEN}` }
  assert.equal((await doors.ask('POST', '/maintenance', { ...MAINTENANCE, headers })).status, 200)
  const out = await doors.ask('DELETE', '/session', { headers })
  assert.deepEqual([out.status, out.error?.code], [400, 'INVALID_REQUEST'])
})

test('a session ends an hour after its last request, and twelve hours after its beginning', async () => {
  await using doors = await open()
  let { cookie } = await doors.signIn()
  const stale = cookie
  const read = async () => {
    const { headers, status } = await doors.ask('GET', '/session', { headers: { cookie } })
    cookie = String(headers['set-cookie'] ?? cookie).split(';')[0] ?? ''
    return status
  }
  await doors.clock.advance(30_000)
  assert.equal((await doors.ask('GET', '/session', { headers: { cookie } })).headers['set-cookie'], undefined)
  await doors.clock.advance(HOUR_MS - 30_001)
  assert.equal(await read(), 200)
  assert.notEqual(cookie, stale)
  await doors.clock.advance(1)
  const ended = await doors.ask('GET', '/session', { headers: { cookie: stale } })
  assert.deepEqual([ended.status, ended.error?.details?.['reason']], [401, 'session-ended'])
  for (let halfHours = 2; halfHours < 24; halfHours += 1) {
    assert.equal(await read(), 200, `after ${halfHours} half hours`)
    await doors.clock.advance(30 * MINUTE_MS)
  }
  assert.equal(await read(), 401)
})

test('signing out ends the session, also for a copy of its cookie, and both are in the audit', async () => {
  await using doors = await open()
  const { cookie, csrf } = await doors.signIn()
  const headers = { cookie, origin: OWN, 'x-csrf-token': csrf }
  const out = await doors.ask('DELETE', '/session', { headers })
  assert.deepEqual([out.status, out.data], [200, { signedOut: true }])
  assert.match(String(out.headers['set-cookie']), /^ma_operator=; Max-Age=0;/)
  assert.equal((await doors.ask('GET', '/session', { headers: { cookie } })).status, 401)
  const lines = await doors.app.admin.audit({ limit: 9 })
  assert.deepEqual(
    lines.map(({ action, by, subject }) => [action, by, subject]),
    [
      ['signed-out', 'aki', 'aki'],
      ['signed-in', 'aki', 'aki'],
    ],
  )
})

test('a session ends with its entry in the configuration, and gets the role of it', async () => {
  await using before = await open()
  const { cookie } = await before.signIn()
  const viewer = await before.signIn('maa_viewer')
  const promoted = { name: 'vi', hash: secretHash('maa_viewer'), role: 'operator' as const }
  await using after = await open({ auth: { admins: [{ name: 'aki', hash: secretHash('maa_new') }, promoted] } })
  assert.equal((await after.ask('GET', '/session', { headers: { cookie } })).status, 401)
  const still = await after.ask('GET', '/session', { headers: { cookie: viewer.cookie } })
  assert.deepEqual([still.status, still.data['role']], [200, 'operator'])
})

test('a forged, foreign or damaged cookie opens nothing', async () => {
  await using doors = await open()
  const { cookie } = await doors.signIn()
  const damaged = `${cookie.slice(0, -3)}${cookie.endsWith('AAA') ? 'BBB' : 'AAA'}`
  for (const value of [
    damaged,
    'ma_operator=',
    'ma_operator=x',
    `ma_operator=${'A'.repeat(5000)}`,
    'ma_guest=guest_1.x',
  ])
    assert.equal((await doors.ask('GET', '/session', { headers: { cookie: value } })).status, 401, value)
})

test('a token of an issuer opens a session in the highest role of its claim; one without a role does not', async () => {
  await using doors = await open()
  const admin = await doors.signIn('a.b.admin')
  assert.deepEqual([admin.data['name'], admin.data['role'], admin.data['by']], ['id:admin', 'admin', 'issuer'])
  const support = await doors.signIn('a.b.support')
  assert.equal(support.data['role'], 'viewer')
  const headers = { cookie: support.cookie, origin: OWN, 'x-csrf-token': support.csrf }
  const refused = await doors.ask('POST', '/maintenance', { ...MAINTENANCE, headers })
  assert.deepEqual([refused.status, refused.error?.details?.['needed']], [403, 'operator'])
  const shopper = await doors.signIn('a.b.shopper')
  assert.deepEqual([shopper.status, shopper.error?.details?.['reason'], shopper.cookie], [403, 'no-operator-role', ''])
  const direct = await doors.ask('GET', '/lanes', { headers: { authorization: 'Bearer a.b.admin' } })
  assert.equal(direct.status, 401)
})

test('wrong guesses are limited by address, and refusals count; the page of an ended session is no guess', async () => {
  await using doors = await open()
  const guess = async (from: string) =>
    (await doors.ask('POST', '/session', { body: { token: 'maa_wrong' }, from })).status
  for (let reads = 0; reads < 30; reads += 1)
    assert.equal(
      (await doors.ask('GET', '/session', { headers: { cookie: 'ma_operator=old' }, from: '192.0.2.1' })).status,
      401,
    )
  const tries: number[] = []
  for (let tried = 0; tried < 20; tried += 1) tries.push(await guess('192.0.2.1'))
  assert.deepEqual([tries.filter((status) => status === 401).length <= 11, tries.at(-1)], [true, 429])
  const right = await doors.ask('POST', '/session', { body: { token: TOKEN }, from: '192.0.2.1' })
  assert.deepEqual([right.status, right.error?.details?.['scope']], [429, 'sign-ins'])
  assert.ok(Number(right.headers['retry-after']) > 0)
  const byHeader = { headers: { authorization: 'Bearer maa_wrong' }, from: '192.0.2.1' }
  assert.equal((await doors.ask('GET', '/lanes', byHeader)).status, 429)
  assert.equal(await guess('192.0.2.2'), 401)
  await doors.clock.advance(10 * MINUTE_MS)
  assert.equal((await doors.ask('POST', '/session', { body: { token: TOKEN }, from: '192.0.2.1' })).status, 200)
})

test('an operator has a rate of their own, by cookie and by token together', async () => {
  await using doors = await open({ rates: { operators: { perSecond: 1, burst: 3 } } })
  const { cookie } = await doors.signIn()
  const statuses = []
  for (const headers of [{ cookie }, { authorization: `Bearer ${TOKEN}` }, { cookie }, { cookie }])
    statuses.push((await doors.ask('GET', '/lanes', { headers })).status)
  assert.deepEqual(statuses, [200, 200, 200, 429])
  assert.equal((await doors.ask('GET', '/lanes', { headers: { authorization: 'Bearer maa_viewer' } })).status, 200)
})

test('an operator can sign in while the audit cannot be written', async () => {
  await using doors = await open()
  doors.app.operators.admin.note = async () => {
    throw new Error('the store is unavailable')
  }
  assert.equal((await doors.signIn()).status, 200)
  assert.ok(doors.app.operators.telemetry.logged.some(({ event }) => event === 'admin.audit-write-failed'))
})
