// Signing in as a member of the demo: the cookie, what follows the guest, the end of a token, and that no other site can do it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTokenVerifier } from '#adapters/memory/token-verifier.ts'
import { openDoors } from '#fixtures/edge/doors.ts'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'

const LIFE_MS = 1000
const TOKEN = 'a.b.c'

async function open(onToken: (member: string, visitor: string) => void = () => {}) {
  const clock = manualClock()
  const known = {
    issuer: 'https://id.example',
    subject: 'aki',
    tiers: ['gold'],
    operatorValues: [],
    expiresAt: NOON + LIFE_MS,
  }
  const verifier = memoryTokenVerifier({ clock, tokens: new Map([[TOKEN, known]]) })
  const doors = await openDoors({
    verifier,
    demo: { tokenLifeMs: LIFE_MS, tokenOf: async ({ id }, visitor) => (onToken(id, visitor), TOKEN) },
  })
  const submit = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    doors.http.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(fields).toString(),
    })
  /** The principal of a question with these cookies. */
  const asker = async (cookie: string) => {
    doors.app.turn(`turn_${doors.app.asked.length + 1}`).end()
    const response = await doors.http.inject({
      method: 'POST',
      url: '/api/chat',
      payload: { message: 'x' },
      headers: { cookie },
    })
    return { principal: doors.app.asked.at(-1)?.principal, response }
  }
  return { ...doors, asker, clock, submit }
}

test('a form signs a member in by a cookie that scripts cannot read, and leads to a page of ours', async () => {
  await using doors = await open()
  const response = await doors.submit('/sign-in', { member: 'aki', next: '/en/cart' })
  assert.deepEqual([response.statusCode, response.headers.location], [303, '/en/cart'])
  const [member, visitor] = response.headers['set-cookie'] as unknown as [string, string]
  assert.equal(member, `ma_member=${TOKEN}; Max-Age=1; Path=/; HttpOnly; SameSite=Lax`)
  assert.match(visitor, /^ma_visitor=[0-9a-f]{32}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/)
  const { principal } = await doors.asker(`ma_member=${TOKEN}`)
  assert.deepEqual(principal, { id: 'user:id:aki', kind: 'user', tier: 'premium' })
  const out = await doors.submit('/sign-out', { next: '//evil.example' })
  assert.equal(out.headers.location, '/')
  assert.match(String(out.headers['set-cookie']), /^ma_member=; Max-Age=0;/)
})

test('a visitor is the same member again in the same browser, and another member elsewhere', async () => {
  const proved: [string, string][] = []
  await using doors = await open((member, visitor) => proved.push([member, visitor]))
  const signIn = async (member: string, cookie = '') => {
    const response = await doors.submit('/sign-in', { member }, { cookie })
    return String(response.headers['set-cookie']).match(/ma_visitor=\w+/)?.[0] ?? ''
  }
  const cookie = await signIn('aki')
  await signIn('aki', cookie)
  await signIn('haru', cookie)
  await signIn('aki')
  await signIn('aki', 'ma_visitor=guessed')
  const [first, again, other, elsewhere, forged] = proved.map((one) => one.join('.'))
  const visitor = cookie.slice('ma_visitor='.length)
  assert.deepEqual([first, again, other], [`aki.${visitor}`, `aki.${visitor}`, `haru.${visitor}`])
  assert.equal(new Set([first, elsewhere, forged]).size, 3)
})

test('a guest who signs in is adopted with the next request, and is no guest any more', async () => {
  await using doors = await open()
  const guest = String((await doors.http.inject({ url: '/api/cart' })).headers['set-cookie']).split(';')[0] ?? ''
  const { response } = await doors.asker(`${guest}; ma_member=${TOKEN}`)
  assert.match(String(response.headers['set-cookie']), /^ma_guest=; Max-Age=0/)
  assert.deepEqual(doors.app.adopted, [[guest.slice('ma_guest='.length).split('.')[0], 'user:id:aki']])
})

test('an expired or foreign token makes a guest, and a credential in a header counts before the cookie', async () => {
  await using doors = await open()
  await doors.clock.advance(LIFE_MS)
  for (const token of [TOKEN, 'x.y.z', 'nonsense'])
    assert.equal((await doors.asker(`ma_member=${token}`)).principal?.kind, 'guest', token)
  const headers = { authorization: 'Bearer x.y.z', cookie: `ma_member=${TOKEN}` }
  assert.equal((await doors.http.inject({ url: '/api/cart', headers })).statusCode, 401)
})

test('another site, an unknown member and JSON sign no one in; without the demo there is no sign-in', async () => {
  await using doors = await open()
  const foreign = await doors.submit('/sign-in', { member: 'aki' }, { origin: 'https://evil.example' })
  assert.deepEqual([foreign.statusCode, foreign.headers['set-cookie']], [403, undefined])
  assert.equal((await doors.submit('/sign-in', { member: 'root' })).statusCode, 400)
  assert.equal(
    (await doors.http.inject({ method: 'POST', url: '/sign-in', payload: { member: 'aki' } })).statusCode,
    400,
  )
  const payload = 'productId=nana'
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  assert.equal(
    (await doors.http.inject({ method: 'POST', url: '/api/cart/items', headers: form, payload })).statusCode,
    400,
  )
  await using shop = await openDoors()
  assert.equal(
    (await shop.http.inject({ method: 'POST', url: '/sign-in', headers: form, payload: 'member=aki' })).statusCode,
    404,
  )
})
