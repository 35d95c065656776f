// The admin client: what it sends, what it returns, and that every failure is an AdminError.
import assert from 'node:assert/strict'
import test from 'node:test'
import { AdminError, createAdminClient } from './admin.ts'

interface Sent {
  readonly method: string | undefined
  readonly url: string
  readonly headers: unknown
  readonly body: unknown
}

/** A server that gives every request the same response. */
function answering(status: number, answer: unknown) {
  const sent: Sent[] = []
  const request: typeof fetch = async (url, { method, headers, body } = {}) => {
    sent.push({ method, url: new Request(url).url, headers, body })
    return new Response(typeof answer === 'string' ? answer : JSON.stringify(answer), { status })
  }
  return { sent, client: opened(request) }
}

function opened(request: typeof fetch, deadlineMs = 60_000) {
  return createAdminClient({ url: 'http://shop.example:8080', token: 'maa_1', deadlineMs, request })
}

const success = (data: unknown, next?: string) => ({ success: true, data, metadata: { timestamp: 'now', next } })

function isAdminError(expected: Partial<AdminError>): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof AdminError)
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(Reflect.get(error, name), value, name)
    return true
  }
}

test('a query omits undefined fields, names are encoded, and the token is sent', async () => {
  const { sent, client } = answering(200, success([], 'more'))
  const page = await client.usageRows({ user: 'user:https://id.example:1', limit: 10 })
  assert.deepEqual(page, { data: [], next: 'more' })
  await client.clearTier('free/x', { reason: 'a launch' })
  await client.user('guest 1')
  assert.deepEqual(
    sent.map(({ method, url }) => `${method} ${url}`),
    [
      'GET http://shop.example:8080/api/admin/usage/rows?user=user%3Ahttps%3A%2F%2Fid.example%3A1&limit=10',
      'DELETE http://shop.example:8080/api/admin/tiers/free%2Fx?reason=a+launch',
      'GET http://shop.example:8080/api/admin/users/guest%201',
    ],
  )
  for (const { body, headers } of sent)
    assert.deepEqual([headers, body], [{ authorization: 'Bearer maa_1' }, undefined])
})

test('a change is sent as JSON', async () => {
  const { sent, client } = answering(200, success({ number: 1 }))
  await client.operateLane('m@eu', { action: 'reset', reason: 'over' })
  assert.deepEqual(sent, [
    {
      method: 'POST',
      url: 'http://shop.example:8080/api/admin/lanes/m%40eu',
      headers: { authorization: 'Bearer maa_1', 'content-type': 'application/json' },
      body: '{"action":"reset","reason":"over"}',
    },
  ])
})

test('null is valid data', async () => {
  assert.equal(await answering(200, success(null)).client.maintenance(), null)
})

test('a refusal is thrown with the server’s code, details and wait', async () => {
  const error = { code: 'NOT_FOUND', message: 'not found', retryAfterMs: 1000, details: { field: 'lane' } }
  const { client } = answering(404, { success: false, error, metadata: { timestamp: 'now' } })
  await assert.rejects(client.lanes(), isAdminError({ ...error, code: 'NOT_FOUND', status: 404 }))
})

test('a response that is not from MangaAssist is reported with its status', async () => {
  for (const [status, answer] of [
    [502, '<html>'],
    [200, '<html>'],
    [200, 'null'],
    [200, {}],
  ] as const) {
    const { client } = answering(status, answer)
    await assert.rejects(client.lanes(), isAdminError({ code: 'UNEXPECTED_ANSWER', status }))
  }
})

test('an unreachable server and a timeout have different codes', async () => {
  const unreachable = opened(() => Promise.reject(new TypeError('fetch failed')))
  const message = 'No MangaAssist answers at http://shop.example:8080.'
  await assert.rejects(unreachable.tiers(), isAdminError({ code: 'UNREACHABLE', message, status: undefined }))
  const silent = opened((_url, { signal } = {}) => {
    const ended = Promise.withResolvers<Response>()
    signal?.addEventListener('abort', () => ended.reject(signal.reason))
    return ended.promise
  }, 1)
  // The timer of the deadline does not keep the process alive, so the test does.
  const running = setInterval(() => {}, 1000)
  await assert.rejects(silent.tiers(), isAdminError({ code: 'TIMED_OUT' }))
  clearInterval(running)
})
