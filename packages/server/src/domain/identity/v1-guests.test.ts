// Whether guests may use /v1.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v1TakesGuests } from './v1-guests.ts'

test('guests are admitted if no model costs money, and otherwise only if the setting says so', () => {
  const embedded = { embedded: { provider: 'embedded' } }
  const paid = { ...embedded, primary: { provider: 'bedrock' } }
  assert.equal(v1TakesGuests({ auth: {}, models: {} }), true)
  assert.equal(v1TakesGuests({ auth: {}, models: embedded }), true)
  assert.equal(v1TakesGuests({ auth: {}, models: paid }), false)
  assert.equal(v1TakesGuests({ auth: { v1Guests: true }, models: paid }), true)
  assert.equal(v1TakesGuests({ auth: { v1Guests: false }, models: embedded }), false)
})
