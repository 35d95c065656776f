// The wording of an answer is chosen by the question.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { varyBy } from './vary.ts'

const WAYS = ['a', 'b', 'c', 'd'] as const
const chosen = (text: string) => {
  const vary = varyBy(text)
  return Array.from({ length: 5 }, () => vary(WAYS)).join('')
}

test('the same question gets the same wording', () => {
  assert.equal(chosen('泣ける漫画'), chosen('泣ける漫画'))
})

test('different questions get different wordings, and every wording is used', () => {
  const all = Array.from({ length: 50 }, (_, index) => chosen(`question ${index}`))
  assert.ok(new Set(all).size > 40)
  assert.deepEqual([...new Set(all.join(''))].toSorted(), [...WAYS])
})

test('an empty list throws', () => {
  assert.throws(() => varyBy('x')([]), /nothing to choose from/)
})
