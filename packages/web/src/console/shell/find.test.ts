// Where a searched text leads first.
import assert from 'node:assert/strict'
import test from 'node:test'
import { findTargets } from './find.ts'

test('the form of an id decides what Enter opens', () => {
  const first = (text: string): string | undefined => findTargets(text)[0]?.href
  assert.equal(first(' turn_A1 '), '/console/turns/turn_A1')
  assert.equal(first('req_9'), '/console/turns?request=req_9')
  assert.equal(first('sess_9'), '/console/turns?session=sess_9')
  assert.equal(first('guest_7'), '/console/people/guest_7')
  assert.equal(first('global.anthropic.claude-sonnet-5-5'), '/console/turns?model=global.anthropic.claude-sonnet-5-5')
})

test('every other target is offered once', () => {
  const words = findTargets('x').map(({ word }) => word)
  assert.equal(new Set(words).size, words.length)
  assert.equal(words.length, 7)
  assert.deepEqual(findTargets('   '), [])
})
