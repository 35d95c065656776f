// The caller's own conversations over HTTP: what is asked, what comes back, and how it fails.
import assert from 'node:assert/strict'
import test from 'node:test'
import { refuse } from './testing/fake-server.ts'
import { setUp } from './testing/set-up.ts'

const headers = { cookie: 'ma_guest=g' }

test('lists, pages, deletions and the way to a person are calls with the identity of the connection', async (t) => {
  const answerCall = () => ({ body: { success: true, data: [{ sessionId: 's1' }], metadata: { next: 's1' } } })
  const { server, client } = await setUp(t, { headers }, { answerCall })
  const { conversations } = client
  assert.deepEqual(await conversations.list({ after: 's0' }), { sessions: [{ sessionId: 's1' }], next: 's1' })
  await conversations.list()
  await conversations.read('s:1', { before: 't9', limit: 50 })
  await conversations.remove('s:1')
  await conversations.removeAll()
  await conversations.previewHandover('s:1', { language: 'en' })
  await conversations.askForPerson('s:1', { email: 'aki@mail.example', orderNumber: '48213' })
  assert.deepEqual(
    server.calls.map(({ method, path, body }) => [method, path, body]),
    [
      ['GET', '/api/sessions?after=s0', undefined],
      ['GET', '/api/sessions', undefined],
      ['GET', '/api/sessions/s%3A1?before=t9&limit=50', undefined],
      ['DELETE', '/api/sessions/s%3A1', undefined],
      ['DELETE', '/api/me', undefined],
      ['GET', '/api/sessions/s%3A1/handover?language=en', undefined],
      ['POST', '/api/sessions/s%3A1/handover', { email: 'aki@mail.example', orderNumber: '48213' }],
    ],
  )
  assert.ok(server.calls.every((call) => call.headers.cookie === 'ma_guest=g'))
})

test('a refusal is thrown with its code, and a cut connection as CONNECTION_LOST', async (t) => {
  const refused = await setUp(t, { headers }, { answerCall: () => refuse(404, 'NOT_FOUND') })
  await assert.rejects(refused.client.conversations.read('s9'), { name: 'ChatError', code: 'NOT_FOUND' })
  const cut = await setUp(t, { headers }, { answerCall: () => 'cut off' })
  await assert.rejects(cut.client.conversations.list(), { code: 'CONNECTION_LOST' })
})
