// Which compression a browser accepts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedEncoding } from './send-text.ts'

test('the best accepted encoding is used, and none that is refused', () => {
  assert.equal(acceptedEncoding('gzip, deflate, br, zstd'), 'br')
  assert.equal(acceptedEncoding('GZIP;q=0.5, br;q=0'), 'gzip')
  assert.equal(acceptedEncoding('br;q=0.0, identity'), undefined)
  assert.equal(acceptedEncoding(undefined), undefined)
})
