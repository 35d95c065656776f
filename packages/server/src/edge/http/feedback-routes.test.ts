// Thumbs and opened cards over HTTP: validated, identified, and never from a foreign page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'

const OURS = 'https://shop.example'

async function setUp() {
  const doors = await openDoors({ server: { allowedOrigins: [OURS] } })
  doors.app.turn('turn_1').end()
  const post = async (path: string, payload: unknown, headers: Record<string, string> = {}) => {
    const response = await doors.http.inject({
      method: 'POST',
      url: `/api/turns/${path}`,
      payload: JSON.stringify(payload),
      headers: { 'content-type': 'application/json', ...headers },
    })
    return { status: response.statusCode, body: response.json(), headers: response.headers }
  }
  return { doors, post, [Symbol.asyncDispose]: () => doors[Symbol.asyncDispose]() }
}

test('a thumb and an opened card reach the app', async () => {
  await using set = await setUp()
  const thumb = { value: 'down', reason: 'x', sessionId: 'sess_1' } as const
  const set1 = await set.post('turn_1/feedback', thumb)
  assert.deepEqual([set1.status, set1.body.data], [200, { turnId: 'turn_1', feedback: null }])
  assert.equal((await set.post('turn_1/feedback', { value: null })).status, 200)
  const opened = await set.post('turn_1/opened', { productId: 'akira' })
  assert.deepEqual([opened.status, opened.body.data], [200, { turnId: 'turn_1' }])
  assert.deepEqual(set.doors.app.received, [
    ['turn_1', thumb],
    ['turn_1', { value: null }],
    ['turn_1', { productId: 'akira' }],
  ])
})

test('wrong bodies and unknown turns are refused', async () => {
  await using set = await setUp()
  for (const [path, body, status] of [
    ['turn_1/feedback', {}, 400],
    ['turn_1/feedback', { value: 'sideways' }, 400],
    ['turn_1/feedback', { value: 'up', reason: 'a'.repeat(2001) }, 400],
    ['turn_1/feedback', { value: 'up', sessionId: 'no spaces' }, 400],
    ['turn_1/opened', {}, 400],
    ['turn_1/opened', { productId: '' }, 400],
    ['turn_9/feedback', { value: 'up' }, 404],
    ['turn_9/opened', { productId: 'akira' }, 404],
  ] as const)
    assert.equal((await set.post(path, body)).status, status, `${path} ${JSON.stringify(body).slice(0, 60)}`)
  assert.deepEqual(set.doors.app.received, [])
})

test('the refusal of a thumb says what it can be', async () => {
  await using set = await setUp()
  for (const value of ['sideways', 1, '']) {
    const { body } = await set.post('turn_1/feedback', { value })
    assert.deepEqual(body.error.details, { field: 'value', reason: 'must be one of up, down, null' })
  }
})

test('a foreign page is refused, and a page of the shop may read the response', async () => {
  await using set = await setUp()
  const foreign = await set.post('turn_1/feedback', { value: 'up' }, { origin: 'https://evil.example' })
  assert.equal(foreign.status, 403)
  assert.deepEqual(set.doors.app.received, [])
  const ours = await set.post('turn_1/feedback', { value: 'up' }, { origin: OURS })
  assert.deepEqual([ours.status, ours.headers['access-control-allow-origin']], [200, OURS])
})
