// A link from a call to a person: one conversation, one day, read-only, stored in no cache.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'

const DAY_MS = 24 * 3_600_000
const detail = {
  sessionId: 'sess_1',
  title: 'お届け',
  version: 1,
  createdAt: '2026-11-04T03:00:00.000Z',
  lastActiveAt: '2026-11-04T03:00:00.000Z',
  turns: [
    {
      turnId: 'turn_1',
      question: '<b>注文</b>はどこですか',
      answer: '申し訳ございません。',
      language: 'ja' as const,
      finishReason: 'stop' as const,
      tier: 'message' as const,
      products: [],
      at: '2026-11-04T03:00:00.000Z',
    },
  ],
}

async function setUp() {
  const clock = manualClock()
  const doors = await openDoors({ clock, server: { publicUrl: 'https://assist.example' } })
  doors.app.transcripts.set('sess_1', detail).set('sess_2', { ...detail, sessionId: 'sess_2' })
  const { url, expiresAt } = doors.transcripts.linkFor('sess_1')
  assert.ok(url.startsWith('https://assist.example/api/staff/transcripts/sess_1.'))
  const path = url.slice('https://assist.example'.length)
  const read = (at = path, headers: Record<string, string> = {}) => doors.http.inject({ url: at, headers })
  return { clock, doors, path, expiresAt, read, [Symbol.asyncDispose]: () => doors[Symbol.asyncDispose]() }
}

test('a link shows its conversation, is not cached, and creates no guest', async () => {
  await using links = await setUp()
  const { headers, statusCode, ...response } = await links.read()
  assert.equal(statusCode, 200)
  assert.deepEqual(response.json().data, detail)
  assert.deepEqual([headers['cache-control'], headers['referrer-policy']], ['no-store', 'no-referrer'])
  assert.equal(headers['set-cookie'], undefined)
})

test('a browser gets plain text, in which nothing can run', async () => {
  await using links = await setUp()
  const { body, headers } = await links.read(links.path, { accept: 'text/html,*/*' })
  assert.deepEqual(
    [headers['content-type'], headers['x-content-type-options']],
    ['text/plain; charset=utf-8', 'nosniff'],
  )
  assert.match(body, /Q: <b>注文<\/b>はどこですか\nA: 申し訳ございません。/u)
})

test('a link opens its conversation only, and cannot be forged', async () => {
  await using links = await setUp()
  const forged = [
    links.path.replace('sess_1', 'sess_2'),
    links.path.replace(/\.\d+\./u, `.${links.clock.now() + 9 * DAY_MS}.`),
    links.path.slice(0, -1) + (links.path.endsWith('A') ? 'B' : 'A'),
    '/api/staff/transcripts/sess_1',
  ]
  for (const path of forged) {
    const { headers, statusCode } = await links.read(path)
    assert.deepEqual([statusCode, headers['cache-control']], [404, 'no-store'], path)
  }
  const post = await links.doors.http.inject({ method: 'POST', url: links.path, payload: {} })
  assert.equal(post.statusCode, 404)
})

test('a link is valid for a day', async () => {
  await using links = await setUp()
  await links.clock.advance(DAY_MS - 1)
  assert.equal((await links.read()).statusCode, 200)
  await links.clock.advance(1)
  assert.equal((await links.read()).statusCode, 404)
})
