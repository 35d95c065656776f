// The launcher gives way while the page is scrolled down, and is there at both ends of the page.
import assert from 'node:assert/strict'
import test from 'node:test'
import { isHiddenAfter } from './launcher-motion.ts'

const endY = 3000

test('scrolling down hides it, scrolling up shows it', () => {
  assert.equal(isHiddenAfter(500, { y: 600, endY }), true)
  assert.equal(isHiddenAfter(600, { y: 500, endY }), false)
})

test('a small movement changes nothing', () => {
  assert.equal(isHiddenAfter(500, { y: 505, endY }), undefined)
})

test('it is shown at the top and at the end of the page', () => {
  assert.equal(isHiddenAfter(0, { y: 30, endY }), false)
  assert.equal(isHiddenAfter(2900, { y: 2980, endY }), false)
})
