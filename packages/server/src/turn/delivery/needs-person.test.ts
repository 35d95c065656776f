// Which answers say how a person is reached.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needsPerson } from './needs-person.ts'

test('an apology and what only a person can do say how to reach one, and other answers do not', () => {
  assert.ok(needsPerson('message', { kind: 'suggest' }))
  for (const kind of ['person', 'complaint', 'order'] as const) assert.ok(needsPerson('embedded', { kind }), kind)
  for (const kind of ['suggest', 'faq', 'talk'] as const) assert.ok(!needsPerson('primary', { kind }), kind)
})
