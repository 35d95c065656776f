// What a client learns about the server's pressure: when it changes, in its language, and not at the same time as others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BackpressureFrame } from '@mangaassist/protocol'
import { RELEASE_MS } from '#app/pressure/pressure.ts'
import { openConnection } from '#fixtures/edge/connection.ts'
import { FakeApp } from '#fixtures/edge/edge.ts'

const backpressureOf = ({ transport }: Awaited<ReturnType<typeof openConnection>>): BackpressureFrame[] =>
  transport.frames.filter((frame) => frame.type === 'backpressure')

test('a new connection gets the pressure right after `ready` when clients should slow down, else nothing', async () => {
  const app = new FakeApp()
  const calm = await openConnection({ app })
  assert.deepEqual(calm.transport.types(), ['ready'])
  app.pressure.say('lanes', 'slow')
  const busy = await openConnection({ app })
  assert.deepEqual(busy.transport.types(), ['ready', 'backpressure'])
})

test('each change is sent once, and so is its end', async () => {
  const app = new FakeApp()
  const opened = await openConnection({ app })
  app.pressure.say('lanes', 'pause')
  for (let times = 0; times < 3; times += 1) opened.connection.sendPressure()
  app.pressure.say('lanes', 'none')
  opened.connection.sendPressure()
  await opened.advance(RELEASE_MS)
  assert.deepEqual(
    backpressureOf(opened).map(({ action, retryAfterMs }) => [action, retryAfterMs > 0]),
    [
      ['pause', true],
      ['none', false],
    ],
  )
})

test('held clients are released one after the other, and not at all when the pressure is back before', async () => {
  const app = new FakeApp()
  const clients = await Promise.all(
    Array.from({ length: 20 }, (_, index) => openConnection({ app, name: `client ${index}` })),
  )
  const send = () => clients.forEach(({ connection }) => connection.sendPressure())
  const released = () => clients.filter((client) => backpressureOf(client).at(-1)?.action === 'none').length
  app.pressure.say('lanes', 'pause')
  send()
  app.pressure.say('lanes', 'none')
  send()
  assert.equal(released(), 0)
  for (const client of clients) await client.advance(RELEASE_MS / 2)
  assert.ok(released() > 2 && released() < 18, `${released()}`)
  app.pressure.say('lanes', 'pause')
  send()
  for (const client of clients) await client.advance(RELEASE_MS)
  assert.equal(released(), 0)
})

test('pauses that began at different times and aim at one moment do not end together', async () => {
  const app = new FakeApp()
  const [aimMs, everyMs, instantMs] = [6000, 10, 250]
  const ends: number[] = []
  for (let atMs = 0; atMs < aimMs; atMs += everyMs) {
    // As the lanes do: until the circuit may be probed, and for a second at least.
    app.pressure.say('lanes', 'pause', Math.max(1000, aimMs - atMs))
    const [frame] = backpressureOf(await openConnection({ app, name: `client ${atMs}` }))
    ends.push(atMs + (frame?.retryAfterMs ?? 0))
  }
  const most = Math.max(...ends.map((from) => ends.filter((end) => from <= end && end < from + instantMs).length))
  const share = (ends.length * instantMs) / RELEASE_MS
  assert.ok(most <= 1.75 * share, `${most} of ${ends.length} end within ${instantMs} ms`)
})

test('clients get different times, around the configured value', async () => {
  const app = new FakeApp()
  app.pressure.say('lanes', 'pause')
  const times = new Set<number>()
  for (let index = 0; index < 20; index += 1) {
    const [frame] = backpressureOf(await openConnection({ app, name: `client ${index}` }))
    const ms = frame?.retryAfterMs ?? 0
    assert.ok(ms >= 22_500 && ms <= 37_500, `${ms}`)
    times.add(ms)
  }
  assert.ok(times.size > 10)
})

test('the text is in the client’s language', async () => {
  const app = new FakeApp()
  app.pressure.say('lanes', 'slow')
  const messages = await Promise.all(
    (['ja', 'en'] as const).map(
      async (language) => backpressureOf(await openConnection({ app, language }))[0]?.message ?? '',
    ),
  )
  assert.match(messages[0] ?? '', /混み合って/)
  assert.match(messages[1] ?? '', /busy/)
})
