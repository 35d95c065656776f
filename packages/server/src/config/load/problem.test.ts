// How a value is shown in a problem.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showGiven } from './problem.ts'

test('a value is shown as it was written', () => {
  assert.equal(showGiven('streaming.flushMs', 'fast'), '"fast"')
  assert.equal(showGiven('tokens.retrieved', 0), '0')
  assert.equal(showGiven('tokens.retrieved', undefined), 'nothing')
})

test('a secret is hidden, by the name of its setting or inside an address', () => {
  assert.equal(showGiven('auth.adminToken', 'hunter2'), '(hidden)')
  assert.equal(showGiven('auth.apiKeys.shop', 'hunter2'), '(hidden)')
  assert.equal(showGiven('models.primary.apiKey', 'hunter2'), '(hidden)')
  assert.equal(showGiven('models.primary.baseURL', 'http://me:hunter2@host:1'), '"http://(hidden)@host:1"')
  assert.equal(showGiven('state.redis', 'redis://me:hun/ter@2@host:1'), '(hidden)')
})
