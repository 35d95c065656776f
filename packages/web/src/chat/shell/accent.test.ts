// Text on the accent colour is readable for every colour that a shop may choose.
import assert from 'node:assert/strict'
import test from 'node:test'
import { accentOf } from './accent.ts'

test('light colours take black ink, dark ones white', () => {
  assert.deepEqual(accentOf('#ffd34e'), { fill: '#ffd34e', ink: '#000000' })
  assert.deepEqual(accentOf('#124'), { fill: '#112244', ink: '#ffffff' })
})

test('a value that is not a hex colour is ignored', () => {
  for (const given of [undefined, null, '', 'red', '#12', '#12345g', 'url(x)', '#fff;}']) {
    assert.equal(accentOf(given), undefined)
  }
})
