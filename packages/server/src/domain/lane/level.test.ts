// The order of the levels and how long they are shown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isWorse, LEVELS, nextShown, worstOf } from './level.ts'

const anyLevel = fc.constantFrom(...LEVELS)

test('any two levels are ordered, including recovery and open', () => {
  fc.assert(
    fc.property(anyLevel, anyLevel, (a, b) => {
      assert.equal(Number(isWorse(a, b)) + Number(isWorse(b, a)), a === b ? 0 : 1)
    }),
  )
  assert.ok(isWorse('open', 'recovery') && isWorse('recovery', 'high'))
})

test('levels merge to the worst of them, in any order', () => {
  fc.assert(
    fc.property(fc.array(anyLevel), (levels) => {
      const worst = worstOf(levels)
      assert.equal(worst, worstOf(levels.toReversed()))
      assert.ok(levels.every((level) => !isWorse(level, worst)))
    }),
  )
})

test('a worse level is shown at once, a better one after the dwell time, counted from the last confirmation', () => {
  const shown = nextShown({ level: 'normal', markedAt: 0 }, 'high', { now: 1000, dwellMs: 5000 })
  assert.deepEqual(shown, { level: 'high', markedAt: 1000 })
  const still = nextShown(shown, 'high', { now: 3000, dwellMs: 5000 })
  assert.equal(nextShown(still, 'normal', { now: 7999, dwellMs: 5000 }).level, 'high')
  assert.equal(nextShown(still, 'normal', { now: 8000, dwellMs: 5000 }).level, 'normal')
})

test('an open circuit that lets probes pass shows recovery at once', () => {
  const open = { level: 'open', markedAt: 0 } as const
  assert.equal(nextShown(open, 'recovery', { now: 1, dwellMs: 5000 }).level, 'recovery')
})
