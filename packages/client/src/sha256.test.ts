// The fallback is compared with Node's own SHA-256.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test from 'node:test'
import fc from 'fast-check'
import { sha256, sha256Hex } from './sha256.ts'

const oracle = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

test('the fallback gives the same hash as the platform, for all lengths around a block', () => {
  for (let length = 0; length <= 130; length++) {
    const bytes = new Uint8Array(length).fill(length)
    assert.equal(Buffer.from(sha256(bytes)).toString('hex'), oracle(bytes))
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 1000 }), (bytes) => {
      assert.equal(Buffer.from(sha256(bytes)).toString('hex'), oracle(bytes))
    }),
  )
})

test('a text is hashed as UTF-8', async () => {
  assert.equal(await sha256Hex('進撃の巨人 👩‍🚀'), oracle('進撃の巨人 👩‍🚀'))
})

test('without crypto.subtle, as on a page over plain http, the hash is the same', async (t) => {
  t.mock.getter(globalThis.crypto, 'subtle', () => undefined)
  assert.equal(await sha256Hex('進撃の巨人'), oracle('進撃の巨人'))
})
