// What makes two requests the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaults } from '#config/config.ts'
import { sampleReceived } from '#fixtures/turns/turns.ts'
import type { Received } from '../turn.ts'
import { claimOf } from './idempotency.ts'

const claim = (over: Partial<Received> = {}) => claimOf(sampleReceived(over), over.message ?? 'hello', defaults)

test('with a client’s key the claim is that key, and it ends 30 s after the turn', () => {
  const { ask, afterEndMs } = claim({ idempotencyKey: 'k1' })
  assert.equal(ask.key, claim({ idempotencyKey: 'k1', message: 'other' }).ask.key)
  assert.notEqual(ask.fingerprint, claim({ idempotencyKey: 'k1', message: 'other' }).ask.fingerprint)
  assert.equal(afterEndMs, 30_000)
})

test('without a key the same text in one session is a double tap, at most until the turn ends', () => {
  const { ask, afterEndMs } = claim({ sessionId: 'sess_1' })
  assert.deepEqual([ask.claimMs, afterEndMs], [5000, undefined])
  assert.equal(ask.key, claim({ sessionId: 'sess_1', requestId: 'another' }).ask.key)
  assert.notEqual(ask.key, claim({ sessionId: 'sess_2' }).ask.key)
  assert.notEqual(ask.key, claim().ask.key)
  assert.notEqual(ask.key, claim({ sessionId: 'sess_1', message: 'hello!' }).ask.key)
})

test('no text can be chosen that claims another request’s key', () => {
  assert.ok(claim({ idempotencyKey: 'x' }).ask.key.startsWith('key:'))
  assert.ok(claim().ask.key.startsWith('tap:'))
})

test('fields that the answer depends on are part of the fingerprint, fields that only correlate are not', () => {
  const keyed = (over: Partial<Received>) => claim({ idempotencyKey: 'k1', ...over }).ask.fingerprint
  assert.notEqual(keyed({ language: 'en' }), keyed({}))
  assert.notEqual(keyed({ maxTokens: 100 }), keyed({}))
  assert.equal(keyed({ requestId: 'req_2' }), keyed({}))
  assert.equal(keyed({ baseVersion: 3 }), keyed({}))
})

test('the same words on the page of another series are another question, but a key is the same on every page', () => {
  const on = (productId: string) => ({ page: { productId, path: `/series/${productId}` } })
  assert.equal(claim(on('berserk')).ask.key, claim(on('berserk')).ask.key)
  assert.notEqual(claim(on('berserk')).ask.key, claim(on('akira')).ask.key)
  assert.notEqual(claim(on('berserk')).ask.key, claim().ask.key)
  assert.deepEqual(claim({ idempotencyKey: 'k', ...on('akira') }), claim({ idempotencyKey: 'k', ...on('berserk') }))
})
