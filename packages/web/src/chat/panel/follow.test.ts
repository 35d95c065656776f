// The log follows an answer only for a reader who went to its end.
import assert from 'node:assert/strict'
import test from 'node:test'
import { followAfterScroll, isAtEnd } from './follow.ts'

const at = (scrollTop: number, scrollHeight = 1000) => ({ scrollTop, scrollHeight, clientHeight: 400 })

test('a reader who scrolls to the end is taken along, until they scroll back', () => {
  const follow = followAfterScroll('question', 300, at(600))
  assert.equal(follow, 'end')
  assert.equal(followAfterScroll(follow, 600, at(500)), 'free')
})

test('scrolling down without reaching the end changes nothing', () => {
  assert.equal(followAfterScroll('question', 300, at(500)), 'question')
  assert.equal(followAfterScroll('free', 300, at(500)), 'free')
})

test('a log that becomes shorter keeps following', () => {
  assert.equal(followAfterScroll('end', 600, at(500, 900)), 'end')
})

test('a position that the chat set itself changes nothing', () => {
  assert.equal(followAfterScroll('question', 600, at(600)), 'question')
})

test('a few hidden pixels count as the end', () => {
  assert.ok(isAtEnd(at(560)))
  assert.ok(!isAtEnd(at(500)))
})
