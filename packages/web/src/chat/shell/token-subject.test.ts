// A renewed token is the same person's; a token that cannot be read has no other's subject.
import assert from 'node:assert/strict'
import test from 'node:test'
import { tokenSubject } from './token-subject.ts'

const token = (claims: object): string => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sig`

test('a renewed token has the subject of the last, another issuer’s has not', () => {
  const first = tokenSubject(token({ iss: 'https://id.example', sub: 'あ', exp: 1 }))
  assert.equal(tokenSubject(token({ iss: 'https://id.example', sub: 'あ', exp: 2 })), first)
  assert.notEqual(tokenSubject(token({ iss: 'https://other.example', sub: 'あ', exp: 2 })), first)
})

test('without a token there is no subject, and what cannot be read is its own', () => {
  assert.equal(tokenSubject(null), null)
  for (const odd of ['opaque', 'a.b.c', token({ iss: 'x' })]) assert.equal(tokenSubject(odd), odd)
})
