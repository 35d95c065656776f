// A simulated client of ours obeys backpressure as the client library does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BackpressureFrame } from '@mangaassist/protocol'
import { promiseDrain } from '@mangaassist/server/adapters/system/promise-drain'
import { seededRandom } from '../virtual/random.ts'
import { VirtualTime } from '../virtual/time.ts'
import { ClientPressure } from './client-pressure.ts'

function client(jitter = 0) {
  const time = new VirtualTime({ startsAt: 0, random: seededRandom('pressure'), drain: promiseDrain() })
  const pressure = new ClientPressure({ time, random: { float: () => jitter } })
  const sentAt: number[] = []
  const ask = () => pressure.whenOpen(() => void sentAt.push(time.now()))
  const press = (action: BackpressureFrame['action'], retryAfterMs = 0) =>
    pressure.apply({ type: 'backpressure', action, retryAfterMs, message: '' })
  return { ask, pass: (until: number) => time.run({ until, eventsMax: 100 }), press, pressure, sentAt }
}

test('a question is held for the whole pause, and for a part more, never less', async () => {
  for (const [jitter, releasedMs] of [
    [0, 3000],
    [0.5, 3300],
  ] as const) {
    const { ask, pass, press, sentAt } = client(jitter)
    assert.equal(ask(), false)
    press('pause', 3000)
    assert.equal(ask(), true)
    await pass(10_000)
    assert.deepEqual(sentAt, [0, releasedMs])
  }
})

test('a later pause replaces the former, and `none` ends it at once', async () => {
  const { ask, pass, press, sentAt } = client()
  press('pause', 1000)
  press('pause', 5000)
  ask()
  await pass(4000)
  assert.deepEqual(sentAt, [])
  press('none')
  assert.equal(sentAt.length, 1)
  await pass(9000)
  assert.equal(sentAt.length, 1)
})

test('under `slow` questions are spaced out, until the connection is another', async () => {
  const { ask, pass, press, pressure, sentAt } = client()
  press('slow', 2000)
  ask()
  ask()
  ask()
  await pass(2500)
  assert.deepEqual(sentAt, [0, 2000])
  pressure.reconnected()
  assert.equal(sentAt.length, 3)
})
