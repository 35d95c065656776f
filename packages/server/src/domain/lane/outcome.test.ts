// Which errors count against a lane, and what a retry costs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomeOf } from './outcome.ts'
import { retryCost } from './retry-bucket.ts'
import { laneDefaults } from './settings.ts'

test('throttling is overload, a timeout is a silent call, errors of the provider are faults', () => {
  assert.equal(outcomeOf('throttled'), 'overload')
  assert.equal(outcomeOf('timeout'), 'silent')
  for (const fault of ['unavailable', 'internal', 'stream-broken', 'not-ready', 'connection'] as const)
    assert.equal(outcomeOf(fault), 'fault')
})

test('invalid requests, blocked content and cancelled calls are neutral', () => {
  const ours = ['invalid', 'access-denied', 'not-found', 'context-too-long', 'blocked', 'cancelled'] as const
  for (const neutral of ours) assert.equal(outcomeOf(neutral), 'neutral')
})

test('a retry costs little after a quick refusal and much after a long wait', () => {
  const cost = (failedAs: Parameters<typeof retryCost>[0]['class'], tookMs: number) =>
    retryCost({ class: failedAs, tookMs }, laneDefaults.retry)
  assert.deepEqual([cost('throttled', 50), cost('throttled', 5000), cost('unavailable', 50)], [5, 5, 5])
  assert.deepEqual([cost('unavailable', 5000), cost('timeout', 8000), cost('stream-broken', 100)], [14, 14, 14])
})
