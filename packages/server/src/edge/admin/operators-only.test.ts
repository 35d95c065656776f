// Who may read the metrics of a node, and what other callers see.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secretHash } from '#lib/text/secret-hash.ts'
import { openDoors } from '#fixtures/edge/doors.ts'

const ADMIN = 'an-administrator-has-this-token'
const READER = 'the-scraper-has-this-other-token'
const auth = { admins: [{ name: 'ann', hash: secretHash(ADMIN) }] }
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

test('on the machine itself metrics are open; a request through a proxy on it is not local', async () => {
  await using doors = await openDoors({ auth, metricsToken: READER, server: { publicUrl: 'https://a.example' } })
  const read = (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
    doors.http.inject({ url: '/metrics', headers, remoteAddress }).then(({ statusCode }) => statusCode)
  assert.equal(await read({}), 200)
  assert.equal(await read({}, '::1'), 200)
  assert.equal(await read({}, '192.0.2.1'), 401)
  assert.equal(await read({ host: 'a.example' }), 401)
  for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])
    assert.equal(await read({ [name]: '127.0.0.1' }), 401, name)
  assert.equal(await read(bearer('wrong'), '192.0.2.1'), 401)
  assert.equal(await read(bearer(READER), '192.0.2.1'), 200)
  assert.equal(await read(bearer(ADMIN), '192.0.2.1'), 200)
})

test('behind a trusted proxy metrics need a token', async () => {
  await using doors = await openDoors({ auth, metricsToken: READER, server: { trustProxy: true } })
  const read = (headers: Record<string, string>) =>
    doors.http.inject({ url: '/metrics', headers }).then(({ statusCode }) => statusCode)
  assert.deepEqual(
    [await read({}), await read({ 'x-forwarded-for': '127.0.0.1' }), await read(bearer(READER))],
    [401, 401, 200],
  )
})

test('a load balancer learns whether the server is ready, and nothing about its dependencies', async () => {
  await using doors = await openDoors({ auth })
  const ask = (remoteAddress: string, headers = {}) => doors.http.inject({ url: '/readyz', remoteAddress, headers })
  const stranger = await ask('192.0.2.1')
  assert.deepEqual([stranger.statusCode, stranger.json()], [200, { status: 'ready' }])
  assert.ok((await ask('192.0.2.1', bearer(ADMIN))).json().dependencies.database)
  assert.ok((await ask('127.0.0.1')).json().dependencies.database)
  doors.readiness.state = 'draining'
  assert.deepEqual(
    [(await ask('192.0.2.1')).statusCode, (await ask('192.0.2.1')).json()],
    [503, { status: 'draining' }],
  )
})
