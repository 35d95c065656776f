// Who a caller is taken for, with good, forged, retired and unverifiable credentials.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededChance } from '#adapters/virtual/chance.ts'
import { Refusal } from '#domain/refusal.ts'
import { manualClock } from '../../test/fixtures/manual-clock.ts'
import { authenticator } from './auth.ts'
import { createTickets } from './tickets.ts'

const chance = seededChance('auth')
const oldKey = Buffer.alloc(32, 1)
const newKey = Buffer.alloc(32, 2)
const nobody = { authorization: undefined, guestCookie: undefined, origin: undefined }
const tickets = createTickets({ keys: [oldKey], chance, clock: manualClock(), ticketMs: 1000 })

test('a first contact makes a guest, and its cookie brings the same guest back without a new one', () => {
  const identify = authenticator({ cookieKeys: [oldKey], chance, tickets })
  const first = identify(nobody)
  assert.equal(first.principal.kind, 'guest')
  assert.equal(first.principal.tier, 'free')
  assert.deepEqual(identify({ ...nobody, guestCookie: first.issueCookie }), { principal: first.principal })
})

test('a tampered or malformed cookie is a new guest, never an error', () => {
  const identify = authenticator({ cookieKeys: [oldKey], chance, tickets })
  const { issueCookie = '', principal } = identify(nobody)
  const [id = '', signature = ''] = issueCookie.split('.')
  const forged = [
    '',
    id,
    `${id}.`,
    `guest_x.${signature}`,
    `${id}.${signature.slice(1)}`,
    `${id}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    `${id}.${'あ'.repeat(43)}`,
    `user_1.${signature}`,
    `${issueCookie}.${signature}`,
    `${issueCookie}\n`,
  ]
  for (const guestCookie of forged) {
    const identity = identify({ ...nobody, guestCookie })
    assert.notEqual(identity.principal.id, principal.id, guestCookie)
    assert.ok(identity.issueCookie, guestCookie)
  }
})

test('a retired key still proves a guest, who is then given a cookie of the new key', () => {
  const { issueCookie: old, principal } = authenticator({ cookieKeys: [oldKey], chance, tickets })(nobody)
  const identify = authenticator({ cookieKeys: [newKey, oldKey], chance, tickets })
  const rotated = identify({ ...nobody, guestCookie: old })
  assert.deepEqual(rotated.principal, principal)
  assert.notEqual(rotated.issueCookie, old)
  assert.deepEqual(identify({ ...nobody, guestCookie: rotated.issueCookie }), { principal })
  const retired = authenticator({ cookieKeys: [newKey], chance, tickets })({ ...nobody, guestCookie: old })
  assert.notEqual(retired.principal.id, principal.id)
})

test('a credential that nobody vouches for is refused, also beside a good cookie', () => {
  const identify = authenticator({ cookieKeys: [oldKey], chance, tickets })
  const { issueCookie } = identify(nobody)
  for (const authorization of ['Bearer x', 'Basic eA==', '']) {
    const attempt = () => identify({ ...nobody, authorization, guestCookie: issueCookie })
    assert.throws(attempt, (error) => error instanceof Refusal && error.code === 'UNAUTHENTICATED')
  }
})

test('where a network is given, the key guest is one guest for all of it, and for nobody else', () => {
  const identify = authenticator({ cookieKeys: [oldKey], chance, tickets })
  const authorization = 'Bearer guest'
  const { issueCookie, principal } = identify({ ...nobody, authorization, network: '192.0.2.1' })
  assert.match(principal.id, /^guest_v1_[0-9a-f]{32}$/)
  assert.equal(issueCookie, undefined)
  assert.deepEqual(identify({ ...nobody, authorization, network: '192.0.2.1' }).principal, principal)
  assert.notEqual(identify({ ...nobody, authorization, network: '192.0.2.2' }).principal.id, principal.id)
  assert.throws(() => identify({ ...nobody, authorization }), Refusal)
  assert.throws(() => identify({ ...nobody, authorization: 'Bearer guests', network: '192.0.2.1' }), Refusal)
})
