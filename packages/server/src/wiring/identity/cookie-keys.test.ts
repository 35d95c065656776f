// The keys in the environment: which are accepted, in which order, and which are refused without being shown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cookieKeyProblems, cookieKeysIn } from './cookie-keys.ts'

const key = (byte: number) => Buffer.alloc(32, byte)
const text = (byte: number) => key(byte).toString('base64url')

test('keys are used in their order, the first one signs; an empty variable has no keys', () => {
  assert.deepEqual(cookieKeysIn({ MANGA_COOKIE_KEY: `${text(1)}, ${text(2)}` }), [key(1), key(2)])
  for (const env of [{}, { MANGA_COOKIE_KEY: '' }]) {
    assert.equal(cookieKeysIn(env), undefined)
    assert.deepEqual(cookieKeyProblems(env), [])
  }
})

test('a key that is short, not base64url or missing between commas is a problem that names only the variable', () => {
  const wrong = [
    'secret',
    text(1).slice(1),
    `${text(1)},`,
    `${text(1)}=`,
    Array.from({ length: 9 }, () => text(1)).join(','),
  ]
  for (const given of wrong) {
    const [problem] = cookieKeyProblems({ MANGA_COOKIE_KEY: given })
    assert.equal(problem?.path, 'MANGA_COOKIE_KEY', given)
    assert.ok(!JSON.stringify(problem).includes(given))
  }
})
