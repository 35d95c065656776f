// The four jitter strategies: their bounds, and that nodes do not retry in step.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { seededFloats } from '#lib/collections/seeded-floats.ts'
import { BACKOFFS } from './backoff.ts'
import type { Backoff, JitterStrategy } from './backoff.ts'

const RANGE = { baseMs: 200, capMs: 3000 }
const anyFloat = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const anyFloats = fc.array(anyFloat, { minLength: 1, maxLength: 12 })

function delaysOf(strategy: JitterStrategy, floats: readonly number[]): readonly number[] {
  let backoff: Backoff = BACKOFFS[strategy](RANGE)
  return floats.map((float) => {
    const next = backoff.next(float)
    backoff = next.backoff
    return next.delayMs
  })
}

test('without jitter delays double up to the cap', () => {
  assert.deepEqual(delaysOf('none', [0, 0.5, 0.9, 0, 0, 0]), [200, 400, 800, 1600, 3000, 3000])
})

test('each jitter strategy stays within its bounds at every step', () => {
  fc.assert(
    fc.property(anyFloats, (floats) => {
      const grown = delaysOf('none', floats)
      for (const [step, delayMs] of delaysOf('full', floats).entries()) assert.ok(delayMs <= (grown[step] ?? 0))
      for (const [step, delayMs] of delaysOf('equal', floats).entries())
        assert.ok(delayMs >= (grown[step] ?? 0) / 2 && delayMs <= (grown[step] ?? 0))
      let lastMs = RANGE.baseMs
      for (const delayMs of delaysOf('decorrelated', floats)) {
        assert.ok(delayMs >= RANGE.baseMs && delayMs <= Math.min(RANGE.capMs, lastMs * 3 + 1))
        lastMs = delayMs
      }
    }),
  )
})

test('a backoff is a value: two calls of `next` give the same', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<JitterStrategy>('none', 'full', 'equal', 'decorrelated'),
      anyFloat,
      (strategy, float) => {
        const backoff = BACKOFFS[strategy](RANGE)
        assert.equal(backoff.next(float).delayMs, backoff.next(float).delayMs)
      },
    ),
  )
})

test('fifty nodes that failed together do not retry together', () => {
  for (const strategy of ['full', 'equal', 'decorrelated'] as const) {
    const second = Array.from({ length: 50 }, (_, node) => {
      const float = seededFloats(`node ${node}`)
      return delaysOf(strategy, [float(), float()])[1] ?? 0
    })
    const busiest = Math.max(...second.map((at) => second.filter((other) => Math.abs(other - at) <= 10).length))
    assert.ok(busiest <= 10, `${busiest} of 50 within 20 ms`)
  }
})
