// The least complexity by length and cues.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { complexCuesIn, floorOf } from './floor.ts'

test('a simple cue in fewer than 50 characters is simple, also beside one complex cue', () => {
  assert.equal(floorOf('How much is Monster?'), 'simple')
  assert.equal(floorOf('在庫ありますか'), 'simple')
  assert.equal(floorOf('why is the price so high'), 'simple')
})

test('one complex cue is at least moderate', () => {
  assert.equal(floorOf('Compare Monster with Pluto'), 'moderate')
  assert.equal(floorOf('モンスターとプルートゥを比べて'), 'moderate')
  assert.equal(floorOf('比較というか比べてほしいです'), 'moderate')
})

test('two complex cues are complex', () => {
  assert.equal(floorOf('Compare Monster with Pluto and explain which I should begin with'), 'complex')
  assert.equal(floorOf('二つを比べて、理由も書いて'), 'complex')
})

test('over 200 characters is at least moderate, over 500 complex', () => {
  assert.equal(floorOf('a'.repeat(200)), 'simple')
  assert.equal(floorOf('a'.repeat(201)), 'moderate')
  assert.equal(floorOf('a'.repeat(500)), 'moderate')
  assert.equal(floorOf('a'.repeat(501)), 'complex')
  assert.equal(floorOf('𠮷'.repeat(200)), 'simple')
})

test('a message without a cue has no floor', () => {
  assert.equal(floorOf('Something funny'), 'simple')
  assert.equal(floorOf(''), 'simple')
})

test('English cues are words of their own', () => {
  assert.deepEqual(complexCuesIn('a whyever and incomparable thing'), [])
  assert.deepEqual(complexCuesIn('why, though'), ['reasons'])
})
