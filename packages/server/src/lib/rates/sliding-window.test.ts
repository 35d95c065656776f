// The sliding window: its bound holds in any span, at a boundary or not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { windowWaitMs, withinWindow } from './sliding-window.ts'

const WINDOW_MS = 1000

test('no span of the window’s length ever holds more than the limit', () => {
  const gaps = fc.array(fc.oneof(fc.nat(50), fc.nat(400)), { maxLength: 200 })
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 12 }), (waits, limit) => {
      const taken: number[] = []
      let kept: readonly number[] = []
      let now = 0
      for (const wait of waits) {
        now += wait
        kept = withinWindow(kept, now, WINDOW_MS)
        if (windowWaitMs(kept, now, { ms: WINDOW_MS, limit }) > 0) continue
        kept = [...kept, now]
        taken.push(now)
        assert.ok(kept.length <= limit)
      }
      for (const [index, moment] of taken.entries()) {
        const nextButLimit = taken[index + limit]
        assert.ok(nextButLimit === undefined || nextButLimit - moment >= WINDOW_MS)
      }
    }),
  )
})

test('the returned wait ends exactly when one more fits', () => {
  const inside = [100, 200, 300]
  assert.equal(windowWaitMs(inside, 400, { ms: WINDOW_MS, limit: 3 }), 700)
  assert.equal(withinWindow(inside, 1099, WINDOW_MS).length, 3)
  assert.equal(windowWaitMs(withinWindow(inside, 1100, WINDOW_MS), 1100, { ms: WINDOW_MS, limit: 3 }), 0)
})

test('after a limit was lowered the wait covers every excess entry', () => {
  assert.equal(windowWaitMs([100, 200, 300], 400, { ms: WINDOW_MS, limit: 1 }), 900)
})
