// How a request for a permit ended, as a label of the metrics.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permitOutcome } from './permit-outcome.ts'

test('the label of a refusal is its reason, and each way to leave the queue has its own label', () => {
  assert.equal(permitOutcome({ kind: 'permit', permit: { id: 'permit_1' } as never }), 'permit')
  assert.equal(permitOutcome({ kind: 'refused', why: 'open' }), 'open')
  assert.equal(permitOutcome({ kind: 'refused', why: 'saturated' }), 'saturated')
  assert.equal(permitOutcome({ kind: 'full', retryAfterMs: 1000 }), 'queue-full')
  assert.equal(permitOutcome({ kind: 'late' }), 'timeout')
  assert.equal(permitOutcome({ kind: 'left' }), 'cancelled')
})
