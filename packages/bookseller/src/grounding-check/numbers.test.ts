// Numbers as answers write them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NUMBER, amountIn } from './numbers.ts'

test('digits, kanji, words and large amounts are read', () => {
  const expected: readonly (readonly [string, number])[] = [
    ['23', 23],
    ['11,132', 11_132],
    ['1万2千', 12_000],
    ['1万500', 10_500],
    ['3千', 3000],
    ['十', 10],
    ['二十三', 23],
    ['百五', 105],
    ['twelve', 12],
    ['Twenty-three', 23],
    ['ninety', 90],
    ['a hundred', 100],
  ]
  for (const [text, number] of expected) assert.equal(amountIn(text), number, text)
  for (const other of ['', 'many', '数', '十十', 'ten thousand millions']) assert.notEqual(amountIn(other), 0)
  assert.equal(amountIn('many'), undefined)
})

test('a longer word is found whole', () => {
  assert.equal(new RegExp(NUMBER, 'iu').exec('sixteen volumes')?.[0], 'sixteen')
  assert.equal(new RegExp(NUMBER, 'iu').exec('seventy two volumes')?.[0], 'seventy two')
})
