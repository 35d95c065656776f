// The admin API: only operators may use it, schemas check every request, and every change has a reason.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { sampleLedgerRow, sampleProduct } from '#fixtures/turns/samples.ts'
import { openDoors } from '#fixtures/edge/doors.ts'
import { secretHash } from '#lib/text/secret-hash.ts'

const TOKEN = 'maa_secret'
const open = () => openDoors({ auth: { admins: [{ name: 'aki', hash: secretHash(TOKEN) }] } })
type Doors = Awaited<ReturnType<typeof open>>

async function ask(doors: Doors, method: InjectOptions['method'], url: string, body?: object) {
  const response = await doors.http.inject({
    method: method ?? 'GET',
    url: `/api/admin${url}`,
    headers: { authorization: `Bearer ${TOKEN}` },
    ...(body === undefined ? {} : { payload: body }),
  })
  const { data, error, metadata } = response.json()
  return { status: response.statusCode, data, error, metadata, headers: response.headers }
}

test('only the token gives access: no guest, no cookie, no other bearer', async () => {
  await using doors = await open()
  const { operationIds } = await adminOperations(doors)
  assert.ok(operationIds.length >= 15)
  let asked = 0
  for (const headers of [{}, { authorization: 'Bearer guest' }, { authorization: `Bearer ${secretHash(TOKEN)}` }]) {
    for (const [method, url] of [
      ['GET', '/tiers'],
      ['GET', '/usage'],
      ['GET', '/usage/rows'],
      ['GET', '/audit'],
      ['GET', '/spenders'],
      ['GET', '/overrides'],
      ['GET', '/users/guest_1'],
      ['GET', '/lanes'],
      ['POST', '/lanes/embedded'],
      ['GET', '/maintenance'],
      ['POST', '/maintenance'],
      ['PUT', '/tiers/free'],
      ['POST', '/users/guest_1/reset'],
      ['DELETE', '/users/guest_1/override'],
    ] as const) {
      // Each from another address: guesses of one address are limited.
      asked += 1
      const remoteAddress = `192.0.2.${asked}`
      const response = await doors.http.inject({ method, url: `/api/admin${url}`, headers, remoteAddress })
      assert.equal(response.statusCode, 401, `${method} ${url}`)
      assert.equal(response.headers['set-cookie'], undefined)
    }
  }
})

async function adminOperations(doors: Doors) {
  const document = (await doors.http.inject({ url: '/openapi.json' })).json() as {
    paths: Record<string, Record<string, { operationId: string; security?: object[]; 'x-role'?: string }>>
  }
  const own = Object.entries(document.paths).filter(([path]) => path.startsWith('/api/admin'))
  const operations = own.flatMap(([, methods]) => Object.values(methods))
  const known = operations.filter(({ operationId }) => operationId !== 'adminSignIn')
  assert.ok(known.every(({ security }) => JSON.stringify(security) === '[{"admin":[]},{"operator":[]}]'))
  assert.ok(known.every(({ 'x-role': role }) => role !== undefined))
  return { operationIds: operations.map(({ operationId }) => operationId) }
}

test('errors are in English without a wish, and in the language of the browser with one', async () => {
  await using doors = await open()
  for (const url of ['/api/admin/tiers', '/api/admin/nothing', '/metrics']) {
    const said = async (headers: Record<string, string>) =>
      (await doors.http.inject({ url, headers, remoteAddress: '192.0.2.1' })).json().error.message as string
    assert.doesNotMatch(await said({}), /[ぁ-ん]/, url)
    assert.match(await said({ 'accept-language': 'ja' }), /[ぁ-ん]/, url)
  }
})

test('a path with a step up has no route, however it is written, because a proxy judges the path without it', async () => {
  await using doors = await open()
  const statusOf = async (user: string) => (await ask(doors, 'GET', `/users/${user}`)).status
  for (const user of ['a%2f..%2f..', 'a%2F%2e%2E%2f..', 'a%2f..', '%2e%2e', 'a%2f.%2fb', 'a%2f..?x=1'])
    assert.equal(await statusOf(user), 404, user)
  for (const user of ['user:id:a%2fb', 'a..b', 'a%2f..b', '...', 'a%3f%2f..b'])
    assert.equal(await statusOf(user), 200, user)
})

test('a name in a query that the route does not have is refused', async () => {
  await using doors = await open()
  const refused = await ask(doors, 'GET', '/turn-records?sessionId=sess_1&limit=5')
  assert.deepEqual(
    [refused.status, refused.error.code, refused.error.details.field],
    [400, 'INVALID_REQUEST', 'sessionId'],
  )
  assert.match(refused.error.details.reason, /^is not known here: turn, request, user, session, [a-zA-Z, ]+$/)
  assert.equal((await ask(doors, 'GET', '/turn-records?session=sess_1&limit=5')).status, 200)
  for (const url of ['/tiers?x=', '/usage?users=guest_1', '/audit?toString=1'])
    assert.equal((await ask(doors, 'GET', url)).error?.code, 'INVALID_REQUEST', url)
  const put = await ask(doors, 'PUT', '/tiers/free?reason=x', { limits: { requestsPerMinute: 3 }, reason: 'a storm' })
  assert.deepEqual([put.status, put.error.details.field], [400, 'reason'])
})

test('a tier is changed and reset, and the audit has who, what and why', async () => {
  await using doors = await open()
  const set = await ask(doors, 'PUT', '/tiers/free', { limits: { requestsPerMinute: 3 }, reason: 'a storm' })
  assert.equal(set.status, 200)
  assert.deepEqual([set.data.by, set.data.before, set.data.after], ['aki', null, { requestsPerMinute: 3 }])
  const tiers = await ask(doors, 'GET', '/tiers')
  assert.equal(tiers.data[0].effective.requestsPerMinute, 3)
  assert.equal(tiers.headers['cache-control'], 'no-store')
  const cleared = await ask(doors, 'DELETE', '/tiers/free?reason=over')
  assert.deepEqual([cleared.data.action, cleared.data.reason], ['tier-cleared', 'over'])
  const audit = await ask(doors, 'GET', '/audit?limit=1')
  assert.deepEqual([audit.data.length, audit.data[0].number, audit.metadata.next], [1, 2, '2'])
  const older = await ask(doors, 'GET', `/audit?after=${audit.metadata.next}`)
  assert.deepEqual([older.data.length, older.data[0].number, older.metadata.next], [1, 1, undefined])
})

test('a user gets limits until a given time, is read, and is reset', async () => {
  await using doors = await open()
  const override = { tier: 'premium', limits: { microUsdPerDay: 50 }, expiresAt: '2999-01-01T00:00:00+09:00' }
  const set = await ask(doors, 'PUT', '/users/user%3Aid%3A1/override', { ...override, reason: 'a guest of honour' })
  assert.equal(set.status, 200)
  const user = await ask(doors, 'GET', '/users/user%3Aid%3A1')
  assert.deepEqual([user.data.userId, user.data.quota.tier], ['user:id:1', 'premium'])
  assert.equal(user.data.override.expiresAt, '2998-12-31T15:00:00.000Z')
  assert.deepEqual((await ask(doors, 'GET', '/overrides')).data.length, 1)
  const reset = await ask(doors, 'POST', '/users/user%3Aid%3A1/reset', { scope: 'day', reason: 'our mistake' })
  assert.deepEqual([reset.status, reset.data.action], [200, 'day-reset'])
  const cleared = await ask(doors, 'DELETE', '/users/user%3Aid%3A1/override?reason=over')
  assert.equal(cleared.data.after, null)
  assert.equal((await ask(doors, 'GET', '/audit?subject=user%3Aid%3A1')).data.length, 3)
})

test('an invalid change is refused with its field, and changes nothing', async () => {
  await using doors = await open()
  const wrong: readonly [InjectOptions['method'], string, object | undefined, string, number][] = [
    ['PUT', '/tiers/free', { limits: { requestsPerMinute: 3 } }, 'reason', 400],
    ['PUT', '/tiers/free', { limits: {}, reason: 'x' }, 'limits', 400],
    ['PUT', '/tiers/free', { limits: { requestsPerMinute: 0 }, reason: 'x' }, 'limits.requestsPerMinute', 400],
    [
      'PUT',
      '/tiers/free',
      { limits: { outputTokensPerRequest: 4096 }, reason: 'x' },
      'limits.outputTokensPerRequest',
      400,
    ],
    ['PUT', '/tiers/free', { limits: { dollars: 1 }, reason: 'x' }, 'limits.dollars', 400],
    ['PUT', '/tiers/gold', { limits: { requestsPerMinute: 3 }, reason: 'x' }, 'tier', 404],
    ['PUT', '/users/u/override', { reason: 'x' }, 'body', 400],
    ['PUT', '/users/u/override', { tier: 'gold', reason: 'x' }, 'tier', 400],
    ['PUT', '/users/u/override', { tier: 'premium', expiresAt: 'tomorrow', reason: 'x' }, 'expiresAt', 400],
    ['PUT', '/users/u/override', { tier: 'premium', expiresAt: '2001-01-01T00:00Z', reason: 'x' }, 'expiresAt', 400],
    ['DELETE', '/users/u/override', undefined, 'reason', 400],
    ['POST', '/users/u/reset', { scope: 'session', reason: 'x' }, 'sessionId', 400],
    ['POST', '/users/u/reset', { scope: 'session', sessionId: 'sess_none', reason: 'x' }, 'sessionId', 404],
    ['GET', '/users/u?tier=gold', undefined, 'tier', 400],
    ['GET', '/usage?by=shoe', undefined, 'by', 400],
    ['GET', '/usage?day=today', undefined, 'day', 400],
    ['GET', '/usage?after=x', undefined, 'after', 400],
    ['GET', '/audit?after=x', undefined, 'after', 400],
    ['POST', '/lanes/nobody', { action: 'reset', reason: 'x' }, 'lane', 404],
    ['POST', '/lanes/constructor', { action: 'reset', reason: 'x' }, 'lane', 404],
    ['POST', '/lanes/embedded', { action: 'close', reason: 'x' }, 'action', 400],
    ['POST', '/lanes/embedded', { action: 'reset' }, 'reason', 400],
    ['POST', '/lanes/embedded', { action: 'reset', reason: '' }, 'reason', 400],
    ['POST', '/lanes/embedded', undefined, 'body', 400],
    ['POST', '/maintenance', { on: 'yes', reason: 'x' }, 'on', 400],
    ['POST', '/maintenance', { on: true }, 'reason', 400],
    ['POST', '/maintenance', { on: true, reason: '   ' }, 'reason', 400],
    ['PUT', '/tiers/free', { limits: { requestsPerMinute: 3 }, reason: '\u3000\n' }, 'reason', 400],
    ['DELETE', '/users/u/override?reason=%20%20', undefined, 'reason', 400],
    ['POST', '/experiments/short/start', { reason: '   ' }, 'reason', 400],
    ['POST', '/experiments/short/stop', { reason: '\t' }, 'reason', 400],
    ['GET', '/feedback/worst?reason=%20', undefined, 'reason', 400],
  ]
  for (const [method, url, body, field, status] of wrong) {
    const answer = await ask(doors, method, url, body)
    assert.deepEqual([answer.status, answer.error?.details?.field], [status, field], `${method} ${url}`)
  }
  assert.deepEqual((await ask(doors, 'GET', '/audit')).data, [])
})

test('a reason that shows nothing, or another text than it has, is refused', async () => {
  await using doors = await open()
  const blocked = (reason: string) => ask(doors, 'PUT', '/blocks', { target: 'guest_1', reason })
  const hidden = [
    '',
    ' \n',
    '\u200B',
    '\u3164',
    '\u2800',
    '\u2028\u3000',
    '\u0000',
    '\u001B[2J',
    'spam\u0007',
    'a\u009B8mb',
    'yes\u202Eon',
    'ok\u{E0041}',
  ]
  for (const reason of hidden) {
    const { error, status } = await blocked(reason)
    assert.deepEqual([status, error?.details.field], [400, 'reason'], JSON.stringify(reason))
  }
  for (const [reason, kept] of [
    ['spam,\n\tsince 09:00', 'spam, since 09:00'],
    ['👩\u200D🔧 迷惑行為', '👩\u200D🔧 迷惑行為'],
  ] as const)
    assert.equal((await blocked(reason)).data.reason, kept)
})

test('an import belongs to the operator who began it, whom the audit names', async () => {
  const admins = [
    { name: 'aki', hash: secretHash(TOKEN) },
    { name: 'mallory', hash: secretHash('maa_other') },
  ]
  await using doors = await openDoors({ auth: { admins } })
  const as = async (token: string, method: 'POST' | 'DELETE', url: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await doors.http.inject({
      method,
      url: `/api/admin/catalogue/imports${url}`,
      headers,
      ...(body === undefined ? {} : { payload: body }),
    })
    return { status: response.statusCode, data: response.json().data }
  }
  const { data } = await as(TOKEN, 'POST', '', { kind: 'catalogue', source: 'own', reason: 'a test' })
  const rows = { from: 0, rows: [sampleProduct()] }
  assert.equal((await as('maa_other', 'POST', `/${data.importId}/rows`, rows)).status, 404)
  assert.equal((await as('maa_other', 'POST', `/${data.importId}/commit`, {})).status, 404)
  assert.equal((await as('maa_other', 'DELETE', `/${data.importId}`)).status, 404)
  assert.deepEqual((await as(TOKEN, 'POST', `/${data.importId}/rows`, rows)).data, { rows: 1 })
  const committed = await as(TOKEN, 'POST', `/${data.importId}/commit`, {})
  assert.deepEqual([committed.status, committed.data.by, committed.data.after.rows], [200, 'aki', 1])
})

test('a reason is kept without the space around it', async () => {
  await using doors = await open()
  const started = await ask(doors, 'POST', '/experiments/short/start', { reason: '  shorter may do\n' })
  assert.deepEqual([started.status, started.data.reason], [200, 'shorter may do'])
  const cleared = await ask(doors, 'DELETE', '/users/u/override?reason=%20over%20')
  assert.deepEqual([cleared.status, cleared.data.reason], [200, 'over'])
})

test('the ledger is summed by the requested group, and read row by row', async () => {
  await using doors = await open()
  await doors.app.operators.ledger.record([
    sampleLedgerRow({ costMicroUsd: 12_000_000 }),
    sampleLedgerRow({ turnId: 'turn_2', principalId: 'guest_2', model: 'other', overage: true }),
  ])
  const usage = await ask(doors, 'GET', '/usage?by=day,model&from=2026-11-01&to=2026-11-30')
  assert.equal(usage.status, 200)
  assert.deepEqual(
    usage.data.groups.map(({ key, rows }: { key: object; rows: number }) => [key, rows]),
    [
      [{ day: '2026-11-04', model: 'embedded' }, 1],
      [{ day: '2026-11-04', model: 'other' }, 1],
    ],
  )
  assert.deepEqual([usage.data.totals.costMicroUsd, usage.data.totals.overageRows], [12_000_003, 1])
  const rows = await ask(doors, 'GET', '/usage/rows?user=guest_2')
  assert.deepEqual(
    rows.data.map(({ turnId, overage }: { turnId: string; overage: boolean }) => [turnId, overage]),
    [['turn_2', true]],
  )
  const spenders = await ask(doors, 'GET', '/spenders?day=2026-11-04')
  assert.deepEqual(spenders.data, {
    day: '2026-11-04',
    alarmMicroUsd: 10_000_000,
    users: [{ userId: 'guest_1', costMicroUsd: 12_000_000 }],
  })
})
