// Which names are close enough to be suggested, and which are not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearest } from './nearest.ts'

test('a misspelled name finds the right one', () => {
  assert.equal(nearest('flushMS', ['heartbeatMs', 'flushBytes', 'flushMs']), 'flushMs')
  assert.equal(nearest('hearbeatMs', ['heartbeatMs', 'flushMs']), 'heartbeatMs')
  assert.equal(nearest('prot', ['host', 'port', 'dataDir']), 'port')
})

test('a name that resembles nothing finds nothing', () => {
  assert.equal(nearest('colour', ['host', 'port', 'dataDir']), undefined)
  assert.equal(nearest('x', []), undefined)
})
