// What counts against a lane, and what a retry after it costs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomeOf } from './outcome.ts'
import { retryCost } from './retry-bucket.ts'
import { laneDefaults } from './settings.ts'

test('throttles and silence are overload, the provider’s own trouble is a fault', () => {
  for (const overload of ['throttled', 'timeout'] as const) assert.equal(outcomeOf(overload), 'overload')
  for (const fault of ['unavailable', 'internal', 'stream-broken', 'not-ready', 'connection'] as const)
    assert.equal(outcomeOf(fault), 'fault')
})

test('our own bad requests, blocked content and callers who left say nothing about the provider', () => {
  const ours = ['invalid', 'access-denied', 'not-found', 'context-too-long', 'blocked', 'cancelled'] as const
  for (const neutral of ours) assert.equal(outcomeOf(neutral), 'neutral')
})

test('a retry costs by what the failed call used up: little when it was turned away, much when it kept us waiting', () => {
  const cost = (failedAs: Parameters<typeof retryCost>[0]['class'], tookMs: number) =>
    retryCost({ class: failedAs, tookMs }, laneDefaults.retry)
  assert.deepEqual([cost('throttled', 50), cost('throttled', 5000), cost('unavailable', 50)], [5, 5, 5])
  assert.deepEqual([cost('unavailable', 5000), cost('timeout', 8000), cost('stream-broken', 100)], [14, 14, 14])
})
