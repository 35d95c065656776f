// Refused requests of shoppers and programs are recorded with who asked and by which door; those of operators and pages are not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '#domain/refusal.ts'
import { openDoors } from '#fixtures/edge/doors.ts'

test('a refused question is recorded with its caller, limit, door, request and network', async () => {
  await using doors = await openDoors()
  doors.app.onChat = async () => {
    throw new Refusal('RATE_LIMITED', { retryAfterMs: 1500, details: { scope: 'user-rate' } })
  }
  const response = await doors.http.inject({ method: 'POST', url: '/api/chat', payload: { message: 'おすすめ' } })
  assert.equal(response.statusCode, 429)
  const [[why, by] = []] = doors.app.refusals
  assert.deepEqual(why, { code: 'RATE_LIMITED', scope: 'user-rate', retryAfterMs: 1500 })
  assert.deepEqual([by?.door, by?.route, by?.requestId], ['http', 'POST /api/chat', response.headers['x-request-id']])
  assert.match(by?.principal?.id ?? '', /^guest_/)
  assert.match(by?.network?.() ?? '', /./)
  assert.doesNotMatch(by?.network?.() ?? '', /127\.0\.0\.1/)
})

test('a caller of /v1 without a key is recorded without a principal', async () => {
  await using doors = await openDoors()
  const response = await doors.http.inject({
    method: 'POST',
    url: '/v1/chat/completions',
    headers: { authorization: 'Bearer wrong' },
    payload: { model: 'auto', messages: [{ role: 'user', content: 'hi' }] },
  })
  const { app } = doors
  assert.equal(response.statusCode, 401)
  assert.deepEqual(
    app.refusals.map(([why, by]) => [why.code, by.door, by.principal]),
    [['UNAUTHENTICATED', 'v1', undefined]],
  )
})

test('operators and pages that do not exist are not recorded', async () => {
  await using doors = await openDoors()
  const { app, http } = doors
  assert.equal((await http.inject({ url: '/api/admin/tiers' })).statusCode, 401)
  assert.equal((await http.inject({ url: '/nothing/here' })).statusCode, 404)
  assert.deepEqual(app.refusals, [])
})
