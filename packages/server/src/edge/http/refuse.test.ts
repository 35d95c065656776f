// What is thrown, as a caller reads it: nothing is wrong with a request whose store is late.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { refuser } from './refuse.ts'

test('a store that cannot be reached is MAINTENANCE with when to come back, and no error of ours', () => {
  const telemetry = memoryTelemetry()
  const { body, headers, status } = refuser(telemetry)(new StoreUnavailable('late'), 'en')
  assert.deepEqual([status, body.code, body.details], [503, 'MAINTENANCE', { reason: 'state-unavailable' }])
  assert.deepEqual([body.retryAfterMs, headers['retry-after']], [2000, '2'])
  assert.ok(!telemetry.logged.some(({ level }) => level === 'error'))
})

test('anything else that is thrown is INTERNAL_ERROR and in the log', () => {
  const telemetry = memoryTelemetry()
  assert.equal(refuser(telemetry)(new Error('broken'), 'en').body.code, 'INTERNAL_ERROR')
  assert.equal(telemetry.logged.filter(({ event }) => event === 'request.failed').length, 1)
})
