// The routes of the way to a person: what reaches the app, and what is refused before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'

const url = '/api/sessions/session_1/handover'

test('the texts are in the language that is asked for, else in that of the browser', async () => {
  await using doors = await openDoors()
  const read = async (query: string) =>
    (await doors.http.inject({ url: `${url}${query}`, headers: { 'accept-language': 'en-GB' } })).json().data.desk.name
  assert.deepEqual([await read(''), await read('?language=ja')], ['desk in en', 'desk in ja'])
  const unknown = await doors.http.inject({ url: '/api/sessions/session_unknown/handover' })
  assert.equal(unknown.statusCode, 404)
})

test('only known fields and the network of the caller reach the app, and what is no e-mail address or order number is refused', async () => {
  await using doors = await openDoors()
  const ask = (payload: object) => doors.http.inject({ method: 'POST', url, payload, remoteAddress: '192.0.2.1' })
  const given = { email: 'aki@mail.example', orderNumber: '48213', note: '急ぎです', language: 'ja' }
  assert.equal((await ask({ ...given, principalId: 'guest_2' })).statusCode, 200)
  assert.equal((await ask({})).json().data.state, 'open')
  assert.deepEqual(doors.app.handovers, [
    ['session_1', { ...given, network: '192.0.2.1' }],
    ['session_1', { network: '192.0.2.1' }],
  ])
  for (const wrong of [
    { email: 'aki' },
    { email: 'a b@c.example' },
    { orderNumber: '1 2' },
    { note: '' },
    { language: 'fr' },
  ])
    assert.equal((await ask(wrong)).statusCode, 400, JSON.stringify(wrong))
})
