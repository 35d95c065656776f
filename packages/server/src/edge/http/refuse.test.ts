// How thrown errors become responses: an unavailable store is not an invalid request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockedRefusal } from '#domain/blocks/blocked-refusal.ts'
import { Refusal } from '#domain/refusal.ts'
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

test('a refusal is one line with its code and its limit, and without what a caller wrote', () => {
  const telemetry = memoryTelemetry()
  const refuse = refuser(telemetry)
  refuse(new Refusal('QUOTA_EXCEEDED', { details: { scope: 'day-cost', resetsAt: '2026-11-18' } }), 'en')
  refuse(new Refusal('QUEUE_FULL'), 'en')
  refuse(new Refusal('INVALID_REQUEST', { details: { field: 'message', reason: 'was «my name is Hanako»' } }), 'en')
  assert.deepEqual(
    telemetry.logged.map(({ event, fields, level }) => [event, level, fields?.code, fields?.scope, fields?.reason]),
    [
      ['request.refused', 'info', 'QUOTA_EXCEEDED', 'day-cost', undefined],
      ['request.refused', 'info', 'QUEUE_FULL', undefined, undefined],
      ['request.refused', 'info', 'INVALID_REQUEST', undefined, 'message'],
    ],
  )
  assert.deepEqual(
    telemetry.counted.filter(({ name }) => name === 'limit_refused_total').map(({ fields }) => fields),
    [
      { code: 'QUOTA_EXCEEDED', scope: 'day-cost' },
      { code: 'QUEUE_FULL', scope: 'none' },
    ],
  )
})

test('the refusal of a blocked caller is recorded, with the caller where it is known', () => {
  const noted: unknown[] = []
  const refuse = refuser(memoryTelemetry(), (why, { door, principal }) => noted.push([why, door, principal?.id]))
  refuse(blockedRefusal(), 'en', { by: { door: 'http' } })
  refuse(blockedRefusal(), 'en', { by: { door: 'ws', principal: { id: 'guest_1', tier: 'free' } } })
  const why = { code: 'FORBIDDEN', reason: 'blocked' }
  assert.deepEqual(noted, [
    [why, 'http', undefined],
    [why, 'ws', 'guest_1'],
  ])
})
