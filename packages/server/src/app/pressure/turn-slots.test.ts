// Slots for turns: the limit, what refused requests get, and what clients learn as slots fill and empty.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { Refusal } from '#domain/refusal.ts'
import { Pressure } from './pressure.ts'
import { TurnSlots } from './turn-slots.ts'

function places(runningMax: number) {
  const clock = manualClock()
  const pressure = new Pressure()
  const actions: string[] = []
  pressure.listen(({ action }) => void actions.push(action))
  const turns = new TurnSlots({ clock, random: seededRandom('places'), pressure, runningMax })
  const work = turns.track((ended: Promise<void>) => ended)
  const start = () => {
    const { promise, reject, resolve } = Promise.withResolvers<void>()
    const run = work(promise)
    return {
      end: async () => {
        resolve()
        await run
      },
      fail: async () => {
        reject(new Error('lost'))
        await run.catch(() => {})
      },
    }
  }
  const refusal = (): Refusal => {
    try {
      turns.reserve()[Symbol.dispose]()
    } catch (error) {
      assert.ok(error instanceof Refusal)
      return error
    }
    throw new Error('there was a place')
  }
  return { clock, actions, pressure, refusal, start, turns }
}

test('beyond the limit a question is refused, and a free slot is used again', async () => {
  const { refusal, start, turns } = places(2)
  const first = start()
  const second = start()
  assert.equal(turns.running, 2)
  assert.equal(refusal().code, 'QUEUE_FULL')
  await first.fail()
  turns.reserve()[Symbol.dispose]()
  await second.end()
  assert.equal(turns.running, 0)
})

test('questions in admission hold their slots', () => {
  const { refusal, turns } = places(2)
  const entering = [turns.reserve(), turns.reserve()]
  assert.equal(refusal().code, 'QUEUE_FULL')
  entering[0]?.[Symbol.dispose]()
  turns.reserve()[Symbol.dispose]()
})

test('later refusals get later retry times, within limits', async () => {
  const { clock, refusal, start } = places(4)
  const slow = start()
  await clock.advance(100_000)
  await slow.end()
  for (let count = 0; count < 4; count += 1) start()
  const times = Array.from({ length: 40 }, () => refusal().retryAfterMs ?? 0)
  assert.ok((times[0] ?? 0) < (times[20] ?? 0))
  assert.ok(Math.min(...times) >= 750)
  assert.ok(Math.max(...times) <= 37_500)
})

test('clients slow down before the slots are full and pause when they are, without flapping', async () => {
  const { actions, start } = places(20)
  const running = Array.from({ length: 16 }, start)
  assert.deepEqual(actions, ['slow'])
  await running.pop()?.end()
  running.push(start())
  assert.deepEqual(actions, ['slow'])
  while (running.length < 20) running.push(start())
  assert.deepEqual(actions, ['slow', 'pause'])
  await running.pop()?.end()
  running.push(start())
  assert.deepEqual(actions, ['slow', 'pause'])
  for (const { end } of running.splice(17)) await end()
  assert.deepEqual(actions, ['slow', 'pause', 'slow'])
  for (const { end } of running.splice(13)) await end()
  assert.deepEqual(actions, ['slow', 'pause', 'slow', 'none'])
})
