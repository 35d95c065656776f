// The attempt number of a request, at each door.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'

const chat = { method: 'POST', url: '/api/chat', payload: { message: 'Any tips?', idempotencyKey: 'k1' } } as const
const completion = {
  method: 'POST',
  url: '/v1/chat/completions',
  payload: { model: 'auto', messages: [{ role: 'user', content: 'Any tips?' }] },
} as const
const counted = (attempt: string) => ({ headers: { 'idempotency-attempt': attempt } })

test('REST, event streams and /v1 read the attempt number from the header', async () => {
  await using doors = await openDoors()
  for (const number of [1, 2, 3, 4]) doors.app.turn(`turn_${number}`).end()
  await doors.http.inject({ ...chat, ...counted('1') })
  await doors.http.inject({ ...chat, headers: { ...counted('12').headers, accept: 'text/event-stream' } })
  await doors.http.inject(chat)
  await doors.http.inject({ ...completion, ...counted('2') })
  assert.deepEqual(
    doors.app.asked.map(({ attempt }) => attempt),
    [1, 12, undefined],
  )
  assert.equal(doors.app.completions[0]?.attempt, 2)
})

test('an invalid attempt number is refused with the header’s name', async () => {
  await using doors = await openDoors()
  for (const wrong of ['0', '-1', '1.5', 'first', '']) {
    const { error } = (await doors.http.inject({ ...chat, ...counted(wrong) })).json()
    assert.deepEqual([error.code, error.details.field], ['INVALID_REQUEST', 'Idempotency-Attempt'], wrong)
  }
})
