// The operators that an issuer's token makes: their names in the audit.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOperators } from './operators.ts'

test('subjects that look alike have names that do not, and none can write a line of its own into the audit', () => {
  const issuer = { issuer: 'https://id.example', name: 'id', roles: { staff: 'operator' } } as const
  const { operatorOf } = createOperators({ tokens: [], issuers: [issuer], verifier: undefined })
  const nameOf = (subject: string) => operatorOf({ by: 'issuer', issuer: 'id', subject, value: 'staff' })?.name ?? ''
  assert.equal(nameOf('aki@shop.example'), 'id:aki@shop.example')
  assert.equal(nameOf('明希|42'), 'id:明希|42')
  const alike = ['aki', 'aki\n', 'aki\u200B', 'aki ', 'aki%20', '\u202Eika', 'aki\u001B[8m', 'aki\u{E0041}']
  const names = alike.map(nameOf)
  assert.equal(new Set(names).size, alike.length)
  for (const name of names) assert.match(name, /^[\x21-\x7E]+$/)
})
