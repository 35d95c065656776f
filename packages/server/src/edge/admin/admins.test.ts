// Who may use the admin API, and that a refusal does not say why.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '#domain/refusal.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { createAdmins } from './admins.ts'

const admins = createAdmins([
  { name: 'aki', hash: secretHash('maa_one'), role: 'admin' },
  { name: 'ops', hash: secretHash('maa_two'), role: 'viewer' },
])

test('an operator is known by name and role', () => {
  assert.deepEqual(admins('Bearer maa_one'), { name: 'aki', role: 'admin' })
  assert.deepEqual(admins('bearer  maa_two'), { name: 'ops', role: 'viewer' })
})

test('every other caller is refused with the same error', () => {
  const others = [
    undefined,
    '',
    'maa_one',
    'Basic maa_one',
    'Bearer',
    'Bearer maa_three',
    `Bearer ${secretHash('maa_one')}`,
  ]
  for (const authorization of others)
    assert.throws(
      () => admins(authorization),
      (error) =>
        error instanceof Refusal && error.code === 'UNAUTHENTICATED' && error.details?.['reason'] === 'admin-token',
    )
  assert.throws(() => createAdmins([])('Bearer maa_one'), Refusal)
})
