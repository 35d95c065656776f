// The identity of a caller with valid, forged, retired and unverifiable credentials.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { Refusal } from '#domain/refusal.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { authenticator } from './auth.ts'
import { createBearer } from './bearer.ts'
import { createTickets } from './tickets.ts'

const random = seededRandom('auth')
const oldKey = Buffer.alloc(32, 1)
const newKey = Buffer.alloc(32, 2)
const anonymous = { authorization: undefined, guestCookie: undefined, origin: undefined }
const bearer = createBearer({
  verifier: undefined,
  issuers: [],
  apiKeys: [],
  tiers: new Set(),
  telemetry: memoryTelemetry(),
})
const otherParts = { random, bearer, adopt: async () => true }
const tickets = createTickets({ keys: [oldKey], random, clock: manualClock(), ticketMs: 1000 })

test('a first request creates a guest; later its cookie identifies it, and no new cookie is issued', async () => {
  const identify = authenticator({ cookieKeys: [oldKey], tickets, ...otherParts })
  const first = await identify(anonymous)
  assert.equal(first.principal.kind, 'guest')
  assert.equal(first.principal.tier, 'free')
  assert.deepEqual(await identify({ ...anonymous, guestCookie: first.issueCookie }), { principal: first.principal })
})

test('a tampered or malformed cookie is a new guest, never an error', async () => {
  const identify = authenticator({ cookieKeys: [oldKey], tickets, ...otherParts })
  const { issueCookie = '', principal } = await identify(anonymous)
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
    const identity = await identify({ ...anonymous, guestCookie })
    assert.notEqual(identity.principal.id, principal.id, guestCookie)
    assert.ok(identity.issueCookie, guestCookie)
  }
})

test('a retired key still proves a guest, who then gets a cookie of the new key', async () => {
  const { issueCookie: old, principal } = await authenticator({ cookieKeys: [oldKey], tickets, ...otherParts })(
    anonymous,
  )
  const identify = authenticator({ cookieKeys: [newKey, oldKey], tickets, ...otherParts })
  const rotated = await identify({ ...anonymous, guestCookie: old })
  assert.deepEqual(rotated.principal, principal)
  assert.notEqual(rotated.issueCookie, old)
  assert.deepEqual(await identify({ ...anonymous, guestCookie: rotated.issueCookie }), { principal })
  const retired = await authenticator({ cookieKeys: [newKey], tickets, ...otherParts })({
    ...anonymous,
    guestCookie: old,
  })
  assert.notEqual(retired.principal.id, principal.id)
})

test('an unverifiable credential is refused, also beside a valid cookie', async () => {
  const identify = authenticator({ cookieKeys: [oldKey], tickets, ...otherParts })
  const { issueCookie } = await identify(anonymous)
  for (const authorization of ['Bearer x', 'Basic eA==', '']) {
    const attempt = () => identify({ ...anonymous, authorization, guestCookie: issueCookie })
    await assert.rejects(attempt, (error) => error instanceof Refusal && error.code === 'UNAUTHENTICATED')
  }
})

test('the key `guest` is one guest for each network, and is refused without a network', async () => {
  const identify = authenticator({ cookieKeys: [oldKey], tickets, ...otherParts })
  const authorization = 'Bearer guest'
  const { issueCookie, principal } = await identify({ ...anonymous, authorization, network: '192.0.2.1' })
  assert.match(principal.id, /^guest_v1_[0-9a-f]{32}$/)
  assert.equal(issueCookie, undefined)
  assert.deepEqual((await identify({ ...anonymous, authorization, network: '192.0.2.1' })).principal, principal)
  assert.notEqual((await identify({ ...anonymous, authorization, network: '192.0.2.2' })).principal.id, principal.id)
  await assert.rejects(identify({ ...anonymous, authorization }), Refusal)
  await assert.rejects(identify({ ...anonymous, authorization: 'Bearer guests', network: '192.0.2.1' }), Refusal)
})
