// The guest cookie behind TLS and without it: its name, and how the old one is replaced.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'

const tls = { 'x-forwarded-proto': 'https' }

function setCookies(headers: Record<string, unknown>): string[] {
  return [headers['set-cookie'] ?? []].flat().map(String)
}

test('behind TLS no sibling domain can set the cookie, and browsers stay with TLS', async () => {
  await using doors = await openDoors({ server: { trustProxy: true } })
  const { headers } = await doors.http.inject({ url: '/api/sessions', headers: tls })
  const [cookie = '', ...others] = setCookies(headers)
  assert.match(
    cookie,
    /^__Host-ma_guest=guest_\w+\.[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
  assert.deepEqual(others, [])
  assert.equal(headers['strict-transport-security'], 'max-age=31536000')
  const plain = await doors.http.inject({ url: '/api/sessions' })
  assert.match(String(plain.headers['set-cookie']), /^ma_guest=guest_/)
  assert.equal(plain.headers['strict-transport-security'], undefined)
})

test('the old name still identifies its guest, who gets the new name, while the signature is valid', async () => {
  await using doors = await openDoors({ server: { trustProxy: true } })
  const old = setCookies((await doors.http.inject({ url: '/api/sessions' })).headers)[0]?.split(';')[0] ?? ''
  const value = old.slice('ma_guest='.length)
  const moved = await doors.http.inject({ url: '/api/sessions', headers: { ...tls, cookie: old } })
  const [issued = '', cleared = ''] = setCookies(moved.headers)
  assert.ok(issued.startsWith(`__Host-ma_guest=${value};`), issued)
  assert.match(cleared, /^ma_guest=; Max-Age=0;/)
  const cookie = `__Host-ma_guest=${value}`
  const after = await doors.http.inject({ url: '/api/sessions', headers: { ...tls, cookie } })
  assert.equal(after.headers['set-cookie'], undefined)
  const tampered = await doors.http.inject({ url: '/api/sessions', headers: { ...tls, cookie: `${old}x` } })
  assert.ok(!String(setCookies(tampered.headers)[0]).includes(value.split('.')[0] ?? ''))
})

test('a cookie planted by a sibling domain under the old name does not replace the new one', async () => {
  await using doors = await openDoors({ server: { trustProxy: true } })
  const guest = async () => {
    const { headers } = await doors.http.inject({ url: '/api/sessions', headers: tls })
    return setCookies(headers)[0]?.split(';')[0]?.slice('__Host-ma_guest='.length) ?? ''
  }
  const [own, planted] = [await guest(), await guest()]
  doors.app.turn('turn_1').end()
  const cookie = `ma_guest=${planted}; __Host-ma_guest=${own}`
  const payload = { message: 'x' }
  await doors.http.inject({ method: 'POST', url: '/api/chat', payload, headers: { ...tls, cookie } })
  assert.equal(doors.app.asked[0]?.principal.id, own.split('.')[0])
})

test('under the public https name the cookie is Secure, also without a proxy’s header', async () => {
  await using doors = await openDoors({ server: { publicUrl: 'https://assist.shop.example' } })
  const { headers } = await doors.http.inject({ url: '/api/sessions', headers: { host: 'assist.shop.example' } })
  assert.match(String(headers['set-cookie']), /^__Host-ma_guest=/)
})
