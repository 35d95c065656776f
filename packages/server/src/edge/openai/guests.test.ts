// Which callers may use /v1 when a vendor's model is configured.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import { memoryTokenVerifier } from '#adapters/memory/token-verifier.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { openDoors } from '#fixtures/edge/doors.ts'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import { OpenAiError } from './error.ts'

const isError = Compile(OpenAiError)
const payload = { model: 'auto', messages: [{ role: 'user', content: 'Any tips?' }] }
const ask = (doors: Awaited<ReturnType<typeof openDoors>>, headers: Record<string, string>) =>
  doors.http.inject({ method: 'POST', url: '/v1/chat/completions', payload, headers })

const paid = { primary: { provider: 'openai-compatible', id: 'gpt-4o', baseURL: 'http://127.0.0.1:1/v1' } } as const
const apiKeys = [{ name: 'till', hash: secretHash('sk-till'), tier: 'standard' }]

for (const [when, options] of [
  ['as soon as a vendor’s model is configured', { models: paid, auth: { apiKeys } }],
  ['when that was chosen', { auth: { v1Guests: false, apiKeys } }],
] as const) {
  test(`guests may not use /v1 ${when}, by any credential; keys may`, async () => {
    await using doors = await openDoors(options)
    const { ticket } = doors.tickets.issue(undefined, undefined)
    const guest = await doors.http.inject({ url: '/api/sessions' })
    const cookie = String(guest.headers['set-cookie']).split(';')[0] ?? ''
    for (const headers of [
      {},
      { cookie },
      { 'x-api-key': 'sk-till' },
      { authorization: 'Bearer guest' },
      { authorization: `Bearer ${ticket}` },
      { authorization: '' },
    ]) {
      for (const url of ['/v1/models', '/v1/models/primary', '/v1/nothing']) {
        const response = await doors.http.inject({ url, headers })
        assert.deepEqual([response.statusCode, response.json().error.code], [401, 'invalid_api_key'], url)
        assert.ok(isError.Check(response.json()))
        assert.equal(response.headers['set-cookie'], undefined)
      }
      const response = await ask(doors, headers)
      assert.deepEqual([response.statusCode, response.json().error.code], [401, 'invalid_api_key'])
    }
    assert.equal(doors.app.completions.length, 0)
    doors.app.turn('turn_1').end()
    await ask(doors, { authorization: 'Bearer sk-till' })
    assert.deepEqual(doors.app.completions[0]?.principal, { id: 'key:till', kind: 'key', tier: 'standard' })
  })
}

test('a member of the demo may not use /v1 where guests may not, and a user of the shop may', async () => {
  const clock = manualClock()
  const expiresAt = NOON + 60_000
  const known = { subject: 'aki.1', tiers: [], operatorValues: [], expiresAt }
  const tokens = new Map([
    ['d.e.mo', { ...known, issuer: 'https://demo.example' }],
    ['u.s.er', { ...known, issuer: 'https://id.example' }],
  ])
  await using doors = await openDoors({ models: paid, verifier: memoryTokenVerifier({ clock, tokens }) })
  const refused = await ask(doors, { authorization: 'Bearer d.e.mo' })
  assert.deepEqual([refused.statusCode, refused.json().error.code], [401, 'invalid_api_key'])
  doors.app.turn('turn_1').end()
  await ask(doors, { authorization: 'Bearer u.s.er' })
  assert.deepEqual(
    doors.app.completions.map(({ principal }) => principal.id),
    ['user:id:aki.1'],
  )
})

test('guests may use /v1 with a vendor’s model when that is configured', async () => {
  await using doors = await openDoors({ models: paid, auth: { v1Guests: true } })
  doors.app.turn('turn_1').end()
  await ask(doors, { authorization: 'Bearer guest' })
  assert.equal(doors.app.completions[0]?.principal.kind, 'guest')
})
