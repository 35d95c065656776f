// The delays of each policy.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LEVELS } from '../lane/level.ts'
import { controllerDelays, plainDelays, pressureDelays, shapedDelays, spreadDelays } from './delays.ts'
import type { DelayAsk, Delays } from './delays.ts'

const ask = (over: Partial<DelayAsk> = {}): DelayAsk => ({ class: 'unavailable', level: 'normal', float: 0.5, ...over })

function three(delays: Delays, over: Partial<DelayAsk> = {}): readonly (number | undefined)[] {
  let now: Delays | undefined = delays
  return [1, 2, 3].map(() => {
    const next = now?.next(ask(over))
    now = next?.delays
    return next?.delayMs
  })
}

test('the controller starts with a second for a throttled provider and 200 ms otherwise, each growing on its own', () => {
  const delays = controllerDelays('none')
  const throttled = delays.next(ask({ class: 'throttled' }))
  assert.equal(throttled?.delayMs, 1000)
  assert.equal(throttled?.delays.next(ask())?.delayMs, 200)
  assert.equal(throttled?.delays.next(ask({ class: 'throttled' }))?.delayMs, 2000)
})

test('the pressure table gives the delay and the number of retries of each level, and no retry when open', () => {
  const table = Object.fromEntries(LEVELS.map((level) => [level, three(pressureDelays(), { level, float: 0 })]))
  assert.deepEqual(table, {
    normal: [1000, 2000, 4000],
    slight: [2400, 4800, undefined],
    high: [10_000, undefined, undefined],
    recovery: [4500, undefined, undefined],
    open: [undefined, undefined, undefined],
  })
  assert.deepEqual(three(pressureDelays(), { float: 0.99 })[0], 1990)
  assert.deepEqual(three(pressureDelays(), { level: 'high', float: 0.99 })[0], 19_900)
})

test('the variants: ± 50 % from half a second to eight, decorrelated from 100 ms, and times three from two seconds', () => {
  assert.deepEqual(three(spreadDelays(), { float: 0 }), [250, 500, 1000])
  assert.equal(spreadDelays(9).next(ask({ float: 0.5 }))?.delayMs, 8000)
  assert.equal(three(plainDelays(), { float: 0 })[0], 100)
  assert.deepEqual(three(shapedDelays(), { float: 0 }), [1000, 3000, 5000])
})
