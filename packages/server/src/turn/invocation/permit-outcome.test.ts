// What a request for a permit ended with, as the metrics say it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permitOutcome } from './permit-outcome.ts'

test('a refusal is its reason, and the ends of the queue have names of their own', () => {
  assert.equal(permitOutcome({ kind: 'permit', permit: { id: 'permit_1' } as never }), 'permit')
  assert.equal(permitOutcome({ kind: 'refused', why: 'open' }), 'open')
  assert.equal(permitOutcome({ kind: 'refused', why: 'saturated' }), 'saturated')
  assert.equal(permitOutcome({ kind: 'full', retryAfterMs: 1000 }), 'queue-full')
  assert.equal(permitOutcome({ kind: 'late' }), 'timeout')
  assert.equal(permitOutcome({ kind: 'left' }), 'cancelled')
})
