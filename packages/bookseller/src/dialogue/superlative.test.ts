// The first of all by a measure, in the words of shoppers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { superlativeIn } from './superlative.ts'

test('a superlative of number or money names its measure', () => {
  assert.equal(superlativeIn("what's the shortest series you have?"), 'shorter')
  assert.equal(superlativeIn('一番安い漫画は？'), 'cheaper')
  assert.equal(superlativeIn('the longest finished one'), 'longer')
  assert.equal(superlativeIn('いちばん新しいの'), 'newer')
})

test('a comparison, or the latest volume, is none', () => {
  for (const words of ['something shorter', '最新刊はいつ？', 'the latest volume', 'もっと安いの', 'the best one'])
    assert.equal(superlativeIn(words), undefined, words)
})
