// A person's data over HTTP: exported and erased for the caller alone, and by operators for a named user.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { secretHash } from '#lib/text/secret-hash.ts'
import { openDoors } from '#fixtures/edge/doors.ts'
import { sampleLedgerRow, sampleSession, sampleStoredTurn } from '#fixtures/turns/samples.ts'

const TOKEN = 'maa_person'

async function served(context: TestContext) {
  const doors = await openDoors({ auth: { admins: [{ name: 'aki', hash: secretHash(TOKEN) }] } })
  context.after(() => doors[Symbol.asyncDispose]())
  const url = await doors.listen()
  const greeting = await fetch(new URL('/api/me/export', url))
  const cookie = (greeting.headers.getSetCookie()[0] ?? '').split(';')[0] ?? ''
  const { data } = (await greeting.json()) as { data: { userId: string } }
  const own = data.userId
  const { ledger, sessions } = doors.app.operators
  for (const [id, principalId] of [
    ['sess_own', own],
    ['sess_other', 'user:other'],
  ] as const) {
    await sessions.create(sampleSession({ id, principalId }))
    await sessions.append(id, 0, sampleStoredTurn({ turnId: `turn_${id}` }))
    await ledger.record([sampleLedgerRow({ turnId: `turn_${id}`, principalId })])
  }
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(new URL(path, url), { ...init, headers: { cookie, ...init.headers } })
    return { response, body: (await response.json()) as { data: Record<string, unknown> } }
  }
  return { doors, ask, own, sessions }
}

test('only the caller’s data is exported and erased, and not cached', async (context) => {
  const { ask, own, sessions } = await served(context)
  const exported = await ask('/api/me/export')
  assert.equal(exported.response.headers.get('cache-control'), 'private, no-store')
  const { userId, conversations, ledger } = exported.body.data
  assert.deepEqual([userId, (conversations as unknown[]).length, (ledger as unknown[]).length], [own, 1, 1])
  assert.ok(!JSON.stringify(exported.body).includes('user:other'))
  const erased = await ask('/api/me', { method: 'DELETE' })
  assert.equal(erased.response.status, 200)
  const { conversations: removed, ledgerRowsRenamed } = erased.body.data
  assert.deepEqual([removed, ledgerRowsRenamed], [1, 1])
  assert.equal(await sessions.find('sess_own'), undefined)
  assert.notEqual(await sessions.find('sess_other'), undefined)
  assert.deepEqual((await ask('/api/me/export')).body.data['conversations'], [])
})

test('only operators export and erase a user, with a reason and an audit line', async (context) => {
  const { ask, doors, sessions } = await served(context)
  const authorization = `Bearer ${TOKEN}`
  const path = '/api/admin/users/user%3Aother'
  assert.equal((await ask(`${path}/export?reason=asked`)).response.status, 401)
  const exported = await ask(`${path}/export?reason=asked`, { headers: { authorization } })
  assert.equal((exported.body.data['conversations'] as unknown[]).length, 1)
  const body = JSON.stringify({ reason: 'they asked' })
  const headers = { authorization, 'content-type': 'application/json' }
  assert.equal((await ask(`${path}/erase`, { method: 'POST', headers, body: '{}' })).response.status, 400)
  const erased = await ask(`${path}/erase`, { method: 'POST', headers, body })
  assert.equal(erased.body.data['conversations'], 1)
  assert.equal(await sessions.find('sess_other'), undefined)
  const lines = await doors.app.admin.audit({ limit: 10 })
  assert.deepEqual(
    lines.map(({ action, by, reason }) => [action, by, reason]),
    [
      ['data-erased', 'aki', 'they asked'],
      ['data-exported', 'aki', 'asked'],
    ],
  )
  const backup = await ask('/api/admin/backup', { method: 'POST', headers, body: '{"folder":"/nowhere","reason":"x"}' })
  assert.equal(backup.response.status, 400)
})
