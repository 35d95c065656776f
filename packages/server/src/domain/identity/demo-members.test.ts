// The members of the demo: whose account a principal is, and whose limits it shares.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spenderOf } from '../budget/spend.ts'
import { DEMO_MEMBERS, demoMemberOf } from './demo-members.ts'
import { demoSubject } from './demo-subject.ts'
import { isUnproven } from './principal.ts'

test('each visitor has an account of each member', () => {
  const accounts = ['1', '2'].flatMap((visitor) =>
    DEMO_MEMBERS.map((member) => ({ member, id: `user:demo:${demoSubject(member, visitor)}` })),
  )
  assert.equal(new Set(accounts.map(({ id }) => id)).size, accounts.length)
  for (const { id, member } of accounts) assert.equal(demoMemberOf(id), member)
  for (const visitor of ['visitor-1', '0123456789abcdef0123456789abcdef'])
    assert.ok(
      DEMO_MEMBERS.every((member) => !demoSubject(member, visitor).includes(visitor)),
      'ids are no secrets',
    )
  assert.equal(demoMemberOf('user:id:haru.1'), undefined)
  assert.equal(demoMemberOf('user:demo:harumi.1'), undefined)
})

test('a member of the demo counts against the ceiling of guests, a real member does not', () => {
  const demo = { id: 'user:demo:aki.1', kind: 'user' } as const
  assert.deepEqual([isUnproven(demo), spenderOf(demo)], [true, 'guest'])
  const real = { id: 'user:id:aki', kind: 'user' } as const
  assert.deepEqual([isUnproven(real), spenderOf(real)], [false, 'user'])
})
