// How fast a connection may send: what waits, when reading stops, and when the connection is closed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chat, openConnection } from '#fixtures/edge/connection.ts'
import { settle } from '#fixtures/edge/edge.ts'

const PING = '{"type":"ping"}'

test('a burst is handled at once; further frames wait, and nothing more is read meanwhile', async () => {
  const { advance, connection, transport } = await openConnection()
  for (let sent = 0; sent < 80; sent += 1) {
    connection.receive(PING)
    await settle()
  }
  const beats = () => transport.types().filter((type) => type === 'heartbeat').length
  assert.deepEqual([beats(), transport.isPaused], [60, true])
  await advance(500)
  assert.deepEqual([beats(), transport.isPaused], [70, true])
  await advance(600)
  assert.deepEqual([beats(), transport.isPaused], [80, false])
  assert.equal(transport.closeCode(), undefined)
})

test('a client that sends far more is closed with 1008, and its waiting frames are dropped', async () => {
  const { advance, app, connection, transport, telemetry } = await openConnection()
  for (let sent = 0; sent < 60; sent += 1) connection.receive(PING)
  for (let sent = 0; sent < 1000; sent += 1) connection.receive(JSON.stringify(chat(`r${sent}`)))
  await settle()
  assert.deepEqual([transport.closeCode(), transport.isIgnored], [1008, true])
  await advance(60_000)
  assert.deepEqual(app.asked, [])
  assert.deepEqual(
    telemetry.counted.filter(({ name }) => name === 'websocket_cut_total').map(({ fields }) => fields['reason']),
    ['too-many-frames'],
  )
})

test('ten invalid frames are answered, the eleventh closes the connection; occasional ones do not', async () => {
  const hostile = await openConnection()
  for (let sent = 0; sent < 10; sent += 1) await hostile.say('{')
  assert.equal(hostile.transport.closeCode(), undefined)
  hostile.connection.receiveBinary()
  await settle()
  assert.equal(hostile.transport.closeCode(), 1008)
  const old = await openConnection()
  for (let sent = 0; sent < 30; sent += 1) {
    await old.say('{"type":"of-another-version"}')
    await old.advance(11_000)
  }
  assert.equal(old.transport.closeCode(), undefined)
})

test('pings of the transport count as frames', async () => {
  const { connection, transport } = await openConnection()
  let answered = 0
  for (let sent = 0; sent < 200; sent += 1) connection.receiveControl(() => (answered += 1))
  assert.deepEqual([answered, transport.closeCode()], [60, 1008])
})
