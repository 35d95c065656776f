// Guest tokens and tickets: whom they prove, where, how long, and what is not accepted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { Refusal } from '#domain/refusal.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { authenticator } from './auth.ts'
import { createTickets } from './tickets.ts'

const SHOP = 'https://shop.example'
const TICKET_MS = 300_000
const oldKey = Buffer.alloc(32, 1)
const newKey = Buffer.alloc(32, 2)
const random = seededRandom('tickets')

function setUp(keys: readonly [Uint8Array, ...Uint8Array[]] = [oldKey]) {
  const clock = manualClock()
  const tickets = createTickets({ keys, random, clock, ticketMs: TICKET_MS })
  const bearer = async () => assert.fail('no token is shown')
  const adopt = async () => assert.fail('nobody signs in')
  return { clock, tickets, identify: authenticator({ adopt, bearer, cookieKeys: keys, random, tickets }) }
}

const refused = (reason: string) => (error: unknown) =>
  error instanceof Refusal && error.code === 'UNAUTHENTICATED' && error.details?.['reason'] === reason

test('a token identifies its guest, and each exchange gives a ticket for that guest', async () => {
  const { clock, tickets } = setUp()
  const first = tickets.issue(undefined, SHOP)
  await clock.advance(365 * 24 * 3_600_000)
  const again = tickets.issue(first.guestToken, SHOP)
  assert.equal(again.guestToken, first.guestToken)
  assert.notEqual(again.ticket, first.ticket)
  assert.equal(tickets.holderOf(again.ticket, SHOP).principal.id, first.guestToken.split('.')[0])
  assert.notEqual(tickets.issue(undefined, SHOP).guestToken, first.guestToken)
})

test('a ticket is valid to its last millisecond, then expired', async () => {
  const { clock, tickets } = setUp()
  const { expiresAt, ticket } = tickets.issue(undefined, SHOP)
  await clock.advance(TICKET_MS - 1)
  assert.ok(tickets.holderOf(ticket, SHOP))
  await clock.advance(1)
  assert.equal(new Date(clock.now()).toISOString(), expiresAt)
  assert.throws(() => tickets.holderOf(ticket, SHOP), refused('ticket-expired'))
})

test('a ticket is valid only on its origin, which may be none', () => {
  const { tickets } = setUp()
  const { ticket } = tickets.issue(undefined, SHOP)
  for (const origin of ['https://evil.example', 'http://shop.example', 'null', '', undefined])
    assert.throws(() => tickets.holderOf(ticket, origin), refused('ticket-invalid'), origin)
  const bare = tickets.issue(undefined, undefined).ticket
  assert.ok(tickets.holderOf(bare, undefined))
  assert.throws(() => tickets.holderOf(bare, SHOP), refused('ticket-invalid'))
})

test('a ticket changed anywhere is invalid, also an expired one', () => {
  const { tickets } = setUp()
  const { ticket } = tickets.issue(undefined, SHOP)
  for (let at = 0; at < ticket.length; at += 1) {
    const changed = ticket.slice(0, at) + (ticket[at] === 'a' ? 'b' : 'a') + ticket.slice(at + 1)
    assert.throws(() => tickets.holderOf(changed, SHOP), refused('ticket-invalid'), changed)
  }
  const [id = '', , signature = ''] = ticket.split('.')
  for (const forged of [
    '',
    id,
    `${id}.1.${signature}`,
    `${id}.99999999999999.${signature}`,
    `${ticket}\n`,
    `${ticket}.`,
  ])
    assert.throws(() => tickets.holderOf(forged, SHOP), refused('ticket-invalid'), forged)
})

test('cookie, token and ticket are not accepted as each other', async () => {
  const { identify, tickets } = setUp()
  const anonymous = { authorization: undefined, guestCookie: undefined, origin: SHOP }
  const { issueCookie: cookie = '', principal } = await identify(anonymous)
  const { guestToken, ticket } = tickets.issue(undefined, SHOP)
  assert.throws(() => tickets.issue(cookie, SHOP), refused('guest-token-invalid'))
  assert.throws(() => tickets.issue(ticket, SHOP), refused('guest-token-invalid'))
  for (const guestCookie of [guestToken, ticket]) {
    const identity = await identify({ ...anonymous, guestCookie })
    assert.equal([principal.id, guestToken.split('.')[0]].includes(identity.principal.id), false)
    assert.ok(identity.issueCookie)
  }
  for (const bearer of [cookie, guestToken])
    await assert.rejects(identify({ ...anonymous, authorization: `Bearer ${bearer}` }), refused('ticket-invalid'))
})

test('a token of a retired key is valid and returned with a new signature; its tickets expire with the key', () => {
  const old = setUp().tickets.issue(undefined, SHOP)
  const { tickets } = setUp([newKey, oldKey])
  assert.ok(tickets.holderOf(old.ticket, SHOP))
  const rotated = tickets.issue(old.guestToken, SHOP)
  assert.notEqual(rotated.guestToken, old.guestToken)
  const after = setUp([newKey]).tickets
  assert.equal(after.issue(rotated.guestToken, SHOP).guestToken, rotated.guestToken)
  assert.throws(() => after.holderOf(old.ticket, SHOP), refused('ticket-invalid'))
  assert.throws(() => after.issue(old.guestToken, SHOP), refused('guest-token-invalid'))
})

test('a caller with a ticket is that guest, without a cookie, however the ticket is sent', async () => {
  const { identify, tickets } = setUp()
  const { guestToken, ticket } = tickets.issue(undefined, SHOP)
  const principal = { id: guestToken.split('.')[0], kind: 'guest', tier: 'free' }
  const from = { authorization: undefined, guestCookie: undefined, origin: SHOP }
  assert.deepEqual(await identify({ ...from, ticket }), { principal })
  for (const scheme of ['Bearer', 'bearer'])
    assert.deepEqual(await identify({ ...from, authorization: `${scheme} ${ticket}` }), { principal })
  // A cookie beside it may belong to someone else: the explicit credential counts.
  const { issueCookie } = await identify(from)
  assert.deepEqual(await identify({ ...from, guestCookie: issueCookie, ticket }), { principal })
  await assert.rejects(identify({ ...from, guestCookie: issueCookie, ticket: '' }), refused('ticket-invalid'))
})

test('a signed-in user gets a ticket of the same tier that expires with its proof, and no guest can make one', async () => {
  const { clock, identify, tickets } = setUp()
  const principal = { id: 'user:id:あ/b', kind: 'user', tier: 'premium' } as const
  const long = { principal, expiresAt: clock.now() + 10 * TICKET_MS }
  const { guestToken, ticket } = tickets.issueFor(long, undefined, SHOP)
  const from = { authorization: undefined, guestCookie: undefined, origin: SHOP }
  for (const shown of [{ ticket }, { authorization: `Bearer ${ticket}` }])
    assert.deepEqual(await identify({ ...from, ...shown }), long)
  assert.throws(() => tickets.holderOf(ticket, 'https://evil.example'), refused('ticket-invalid'))
  assert.equal(tickets.guestOfToken(guestToken), guestToken.split('.')[0])
  assert.equal(tickets.issueFor(long, guestToken, SHOP).guestToken, guestToken)

  const short = tickets.issueFor({ principal, expiresAt: clock.now() + 10 }, undefined, SHOP)
  await clock.advance(10)
  assert.throws(() => tickets.holderOf(short.ticket, SHOP), refused('ticket-expired'))
  await clock.advance(TICKET_MS)
  assert.throws(() => tickets.holderOf(ticket, SHOP), refused('ticket-expired'))

  const { ticket: key } = tickets.issueFor(
    { principal: { id: 'key:a', kind: 'key', tier: 'standard' } },
    undefined,
    SHOP,
  )
  assert.equal(tickets.holderOf(key, SHOP).principal.id, 'key:a')
  for (let at = 0; at < key.length; at += 1) {
    const changed = key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1)
    assert.throws(() => tickets.holderOf(changed, SHOP), refused('ticket-invalid'), changed)
  }
  const guests = tickets.issue(undefined, SHOP).ticket
  // Addresses are logged by proxies: they must not reveal the user.
  const readableParts = key.split(/[._]/).map((part) => Buffer.from(part, 'base64url').toString('latin1'))
  assert.ok(!readableParts.some((part) => part.includes('key') || part.includes('standard')), key)
  assert.throws(() => tickets.holderOf(`ticket_${guests}`, SHOP), refused('ticket-invalid'))
})
