// The token bucket: its bound in every window, its burst in full, and refusals that change nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { NOON } from '#fixtures/time/manual-clock.ts'
import { gcra } from './gcra.ts'
import type { Rate } from './gcra.ts'

/** The moments of `moments` at which a request is admitted, with one request at each. */
function admitted(rate: Rate, moments: readonly number[]): readonly number[] {
  let arrivalAt: number | undefined
  return moments.filter((now) => {
    const decision = gcra(rate, arrivalAt, now)
    if (decision.allowed) arrivalAt = decision.arrivalAt
    return decision.allowed
  })
}

const anyRate = fc.record({ perSecond: fc.integer({ min: 1, max: 50 }), burst: fc.integer({ min: 1, max: 40 }) })
const anyMoments = fc.array(fc.oneof(fc.constant(0), fc.nat(30), fc.nat(2000)), { maxLength: 200 }).map((gaps) => {
  let now = NOON
  return gaps.map((gap) => (now += gap))
})

test('no window of any length admits more than the burst plus its length times the rate', () => {
  fc.assert(
    fc.property(anyRate, anyMoments, (rate, moments) => {
      const passed = admitted(rate, moments)
      for (const [first, from] of passed.entries()) {
        for (const [offset, to] of passed.slice(first).entries()) {
          const most = rate.burst + ((to - from) * rate.perSecond) / 1000
          assert.ok(offset + 1 <= most + 0.01, `${offset + 1} in ${to - from} ms`)
        }
      }
    }),
  )
})

test('after a rest the whole burst is admitted, at any rate', () => {
  fc.assert(
    fc.property(anyRate, fc.integer({ min: 0, max: 2 * NOON }), (rate, now) => {
      assert.equal(
        admitted(
          rate,
          Array.from({ length: rate.burst + 5 }, () => now),
        ).length,
        rate.burst,
      )
    }),
  )
})

test('a request that waits for retryAfterMs is admitted', () => {
  fc.assert(
    fc.property(anyRate, anyMoments, (rate, moments) => {
      let arrivalAt: number | undefined
      for (const now of moments) {
        const decision = gcra(rate, arrivalAt, now)
        if (decision.allowed) arrivalAt = decision.arrivalAt
        else assert.ok(gcra(rate, arrivalAt, now + decision.retryAfterMs).allowed)
      }
    }),
  )
})

test('a refusal returns no state to store', () => {
  const refused = gcra({ perSecond: 1, burst: 1 }, NOON + 1000, NOON)
  assert.deepEqual(refused, { allowed: false, retryAfterMs: 1000 })
})
