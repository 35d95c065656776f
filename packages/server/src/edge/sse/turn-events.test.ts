// Reads turns over server-sent events: from any offset, running or ended, and what is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServerFrame } from '@mangaassist/protocol'
import { openDoors } from '#fixtures/edge/doors.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'

function framesOf(body: string): ServerFrame[] {
  return [...body.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as ServerFrame)
}

const shapes = (frames: readonly ServerFrame[]) =>
  frames.map((frame) => (frame.type === 'chunk' ? `${frame.offset}:${frame.text}` : frame.type))

test('a running turn is resumed in the middle of a chunk and followed to its end', async () => {
  await using doors = await openDoors()
  const turn = doors.app.turn('turn_1')
  turn.meta()
  turn.say('abcdef')
  const reading = doors.http.inject({ url: '/api/turns/turn_1/events', headers: { 'last-event-id': '4' } })
  await waitUntil('the turn is read', () => turn.readers > 0)
  turn.say('gh')
  turn.end()
  assert.deepEqual(shapes(framesOf((await reading).body)), ['meta', '4:ef', '6:gh', 'done'])
  assert.deepEqual(
    doors.telemetry.counted.filter(({ name }) => name.startsWith('reader_')),
    [{ name: 'reader_resumed_total', fields: { door: 'sse' } }],
  )
  assert.equal(doors.telemetry.observed.filter(({ name }) => name === 'delivery_frame_bytes').length, 2)
})

test('a reader that has all of an ended turn, or claims more, gets only its end', async () => {
  await using doors = await openDoors()
  doors.app.turn('turn_1').say('abc')
  doors.app.turn('turn_1').end()
  for (const offset of [3, 99, 999_999_999_999_999]) {
    const { body, statusCode } = await doors.http.inject({ url: `/api/turns/turn_1/events?offset=${offset}` })
    assert.equal(statusCode, 200)
    assert.deepEqual(shapes(framesOf(body)), ['done'])
  }
})

for (const offset of ['-1', '1.5', 'x', '', '1e99', '0x', 'NaN', '-0.5']) {
  test(`an offset of ${offset === '' ? 'nothing' : offset} is refused with its name`, async () => {
    await using doors = await openDoors()
    doors.app.turn('turn_1').end()
    const response = await doors.http.inject({ url: `/api/turns/turn_1/events?offset=${offset}` })
    assert.equal(response.statusCode, 400, response.body)
    assert.equal(response.json().error.details.field, 'offset')
  })
}

test('an unknown turn is a plain 404, not a stream, and does not count as a resume', async () => {
  await using doors = await openDoors()
  const response = await doors.http.inject({ url: '/api/turns/turn_1/events' })
  assert.equal(response.statusCode, 404)
  assert.equal(response.json().error.code, 'NOT_FOUND')
  assert.deepEqual(
    doors.telemetry.counted.filter(({ name }) => name === 'reader_resumed_total'),
    [],
  )
})

test('every question over HTTP is a writer of its own', async () => {
  await using doors = await openDoors()
  for (const accept of ['application/json', 'text/event-stream']) {
    doors.app.turn(`turn_${doors.app.asked.length + 1}`).end()
    await doors.http.inject({ method: 'POST', url: '/api/chat', payload: { message: 'x' }, headers: { accept } })
  }
  const writers = doors.app.asked.map(({ writer }) => writer)
  assert.equal(new Set(writers).size, 2)
  assert.equal(writers.includes(undefined), false)
})

test('the metrics are served in Prometheus’ format', async () => {
  await using doors = await openDoors({ metrics: () => '# HELP a b\n' })
  const response = await doors.http.inject({ url: '/metrics' })
  assert.equal(response.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
  assert.equal(response.headers['set-cookie'], undefined)
  assert.equal(response.body, '# HELP a b\n')
})
