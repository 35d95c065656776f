// Repeated work: one round after the other, spread out, and none after disposal.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import type { ManualClock } from '#fixtures/time/manual-clock.ts'
import { atIntervals } from './at-intervals.ts'

function counted(over: { firstMs?: number; work?: (clock: ManualClock) => Promise<void> } = {}) {
  const clock = manualClock()
  const errors: unknown[] = []
  const state = { rounds: 0 }
  const { firstMs, work } = over
  const rounds = { everyMs: 1000, float: () => 0.5, onError: (error: unknown) => void errors.push(error) }
  const stop = atIntervals(clock, firstMs === undefined ? rounds : { ...rounds, firstMs }, async () => {
    state.rounds += 1
    await work?.(clock)
  })
  return { clock, errors, state, stop }
}

test('the first round starts at once unless firstMs is set', async () => {
  const [now, later] = [counted(), counted({ firstMs: 300 })]
  assert.deepEqual([now.state.rounds, later.state.rounds], [1, 0])
  await later.clock.advance(300)
  assert.equal(later.state.rounds, 1)
})

test('the error of a round is reported, and the next round follows', async () => {
  const { clock, errors, state } = counted({ work: () => Promise.reject(new Error('no luck')) })
  await clock.advance(2000)
  assert.deepEqual([state.rounds, errors.length], [3, 3])
})

test('disposing during a round makes it the last one and leaves no timer', async () => {
  const { clock, state, stop } = counted({ work: ({ sleep }) => sleep(500) })
  await clock.advance(100)
  stop[Symbol.dispose]()
  await clock.advance(10_000)
  assert.deepEqual([state.rounds, clock.timers()], [1, 0])
})

test('a round that is wanted soon comes once, and the next after the usual time', async () => {
  const { clock, state, stop } = counted()
  for (const ms of [200, 100]) stop.soon(ms)
  await clock.advance(199)
  assert.equal(state.rounds, 1)
  await clock.advance(1)
  assert.equal(state.rounds, 2)
  await clock.advance(999)
  assert.equal(state.rounds, 2)
  await clock.advance(1)
  assert.equal(state.rounds, 3)
})

test('a round that is wanted soon while one runs comes after it, and none after disposal', async () => {
  const { clock, state, stop } = counted({ work: ({ sleep }) => sleep(500) })
  await clock.advance(100)
  stop.soon(50)
  await clock.advance(449)
  assert.equal(state.rounds, 1)
  await clock.advance(1)
  assert.equal(state.rounds, 2)
  stop[Symbol.dispose]()
  stop.soon(0)
  await clock.advance(10_000)
  assert.deepEqual([state.rounds, clock.timers()], [2, 0])
})
