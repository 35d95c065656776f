// How thrown errors become responses: an unavailable store is not an invalid request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { refuser } from './refuse.ts'

test('an unavailable store is MAINTENANCE with a retry time, and is not logged as an error', () => {
  const telemetry = memoryTelemetry()
  const { body, headers, status } = refuser(telemetry)(new StoreUnavailable('late'), 'en')
  assert.deepEqual([status, body.code, body.details], [503, 'MAINTENANCE', { reason: 'state-unavailable' }])
  assert.deepEqual([body.retryAfterMs, headers['retry-after']], [2000, '2'])
  assert.ok(!telemetry.logged.some(({ level }) => level === 'error'))
})

test('every other error is INTERNAL_ERROR and is logged', () => {
  const telemetry = memoryTelemetry()
  assert.equal(refuser(telemetry)(new Error('broken'), 'en').body.code, 'INTERNAL_ERROR')
  assert.equal(telemetry.logged.filter(({ event }) => event === 'request.failed').length, 1)
})
