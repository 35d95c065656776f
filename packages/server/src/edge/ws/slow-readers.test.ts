// Slow and fast readers of one turn over real sockets: the slow one is caught up or closed, the fast one never waits.
import assert from 'node:assert/strict'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'
import type { DoorOptions } from '#fixtures/edge/doors.ts'
import { applyChunks, SocketClient } from '#fixtures/edge/socket-client.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'

/** Far more than the system's buffers between two ends of a loopback connection. */
const CHUNKS = 256
const CHUNK_TEXT = 'x'.repeat(64 * 1024)
const LENGTH = CHUNKS * CHUNK_TEXT.length

async function oneTurn(streaming: DoorOptions['streaming']) {
  const doors = await openDoors({ streaming: { stalledPollMs: 20, ...streaming } })
  const address = await doors.listen()
  const first = new SocketClient(`${address.replace('http:', 'ws:')}/ws`)
  await first.until('ready')
  const connect = async () => {
    const client = new SocketClient(`${address.replace('http:', 'ws:')}/ws`, { headers: { cookie: first.cookie } })
    await client.until('ready')
    client.send({ type: 'resume', turnId: 'turn_1', offset: 0 })
    return client
  }
  const turn = doors.app.turn('turn_1')
  const speak = () => {
    for (let index = 0; index < CHUNKS; index += 1) turn.say(CHUNK_TEXT)
    turn.end()
  }
  const counted = (name: string) => doors.telemetry.counted.filter((count) => count.name === name).length
  const until = (name: string) => waitUntil(name, () => counted(name) > 0)
  const dispose = async () => doors[Symbol.asyncDispose]()
  return { address, connect, counted, first, speak, turn, until, [Symbol.asyncDispose]: dispose }
}

test('a client that does not read is paused, the other gets everything, and the first later catches up without a gap', async () => {
  await using world = await oneTurn({ stalledPollsMax: 10_000 })
  const slow = await world.connect()
  const quick = await world.connect()
  await waitUntil('the turn is read', () => world.turn.readers === 2)
  slow.socket.pause()
  world.speak()
  await quick.until('done')
  assert.equal(applyChunks(quick.of('chunk')).length, LENGTH)
  await world.until('reader_paused_total')
  assert.equal(slow.of('done').length, 0)
  slow.socket.resume()
  await slow.until('done')
  assert.equal(applyChunks(slow.of('chunk')).length, LENGTH)
  assert.ok(world.counted('reader_caught_up_total') > 0)
  assert.equal(world.counted('reader_closed_total'), 0)
})

test('a client that reads nothing is closed so that it resumes, and its reader ends', async () => {
  await using world = await oneTurn({ stalledPollsMax: 50 })
  const dead = await world.connect()
  await waitUntil('the turn is read', () => world.turn.readers === 1)
  dead.socket.pause()
  world.speak()
  await world.until('reader_closed_total')
  await waitUntil('the reading has ended', () => world.turn.readers === 0)
  dead.socket.resume()
  assert.equal(await dead.closed, 4409)
})

test('an event stream that reads nothing is dropped', async () => {
  await using world = await oneTurn({ stalledPollsMax: 50 })
  const url = `${world.address}/api/turns/turn_1/events`
  const response = await new Promise<IncomingMessage>((resolve) =>
    get(url, { headers: { cookie: world.first.cookie } }, resolve),
  )
  response.on('error', () => {})
  await waitUntil('the turn is read', () => world.turn.readers === 1)
  world.speak()
  await world.until('reader_closed_total')
  await waitUntil('the reading has ended', () => world.turn.readers === 0)
  assert.equal(world.counted('reader_closed_total'), 1)
})
