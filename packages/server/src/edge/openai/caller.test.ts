// `/v1` over a real socket: what happens to a turn whose caller leaves, and to a caller that waits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'
import { settle } from '#fixtures/edge/edge.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'

const post = (address: string, stream: boolean, signal?: AbortSignal) =>
  fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: 'Any tips?' }], stream }),
    ...(signal === undefined ? {} : { signal }),
  })

for (const stream of [false, true]) {
  for (const spoken of [false, true]) {
    const when = spoken ? 'in the middle of' : 'before'
    test(`a caller that leaves ${when} an answer stops its turn (stream: ${stream})`, async () => {
      await using doors = await openDoors()
      const turn = doors.app.turn('turn_1')
      turn.meta()
      if (spoken) turn.say('x')
      const address = await doors.listen()
      const leave = new AbortController()
      const response = post(address, stream, leave.signal).then((answer) => answer.text())
      await waitUntil('the turn is read', () => turn.readers > 0)
      leave.abort()
      await assert.rejects(response)
      await waitUntil('the reading has ended', () => turn.readers === 0)
      await settle()
      assert.deepEqual(doors.app.stopped, ['turn_1'])
      assert.deepEqual(
        doors.telemetry.logged.filter(({ level }) => level === 'error'),
        [],
      )
    })
  }
}

test('a silent stream sends comments, which clients ignore', async () => {
  await using doors = await openDoors({ streaming: { heartbeatMs: 10, stalledPollMs: 5 } })
  const turn = doors.app.turn('turn_1')
  turn.say('x')
  const address = await doors.listen()
  const response = await post(address, true)
  let received = ''
  for await (const bytes of response.body ?? []) {
    received += Buffer.from(bytes).toString()
    if (received.includes(': heartbeat\n\n') && turn.frames.length === 1) turn.end()
  }
  assert.match(received, /data: \[DONE\]\n\n$/)
})
