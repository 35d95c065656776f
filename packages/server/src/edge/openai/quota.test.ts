// The warning of `/v1` before the budget is used up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'
import { quotaState } from '#fixtures/edge/edge.ts'

const question = { model: 'auto', messages: [{ role: 'user', content: 'Any tips?' }] }
const ask = (doors: Awaited<ReturnType<typeof openDoors>>, more: object = {}) =>
  doors.http.inject({ method: 'POST', url: '/v1/chat/completions', payload: { ...question, ...more } })

test('a completion near the end of the budget has a warning header, and others have none', async () => {
  await using doors = await openDoors()
  doors.app.turn('turn_1').end()
  assert.equal((await ask(doors)).headers['x-quota-warning'], undefined)
  const limit = { inputTokens: 100, outputTokens: 100, costMicroUsd: 100 }
  const used = { inputTokens: 0, outputTokens: 87, costMicroUsd: 0 }
  doors.app.quotaState = { ...quotaState, used, limit }
  for (const stream of [false, true]) {
    const turnId = stream ? 'turn_3' : 'turn_2'
    const turn = doors.app.turn(turnId)
    turn.say('x')
    turn.end()
    const { headers } = await ask(doors, { stream })
    assert.match(String(headers['x-quota-warning']), /^day-output; step=80; remaining=13; limit=100; resets="/)
  }
})
