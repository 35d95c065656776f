// The shares of the promise of a first word.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstWordOf, STRETCHED_MAX_MS, stretchedFirstWordMs } from './first-word.ts'

test('a stretched promise ends at a whole millisecond: a shorter deadline never comes on a clock of milliseconds', () => {
  for (const p95Ms of [2999, 3333, 4503, 7777]) {
    const firstWordMs = stretchedFirstWordMs(3000, [p95Ms])
    const { modelsBy } = firstWordOf(1_793_761_200_000, firstWordMs)
    assert.ok(Number.isSafeInteger(firstWordMs) && Number.isSafeInteger(modelsBy), `${firstWordMs}, ${modelsBy}`)
  }
})

test('only models that all need longer stretch the promise, to the quickest of them, and not without an end', () => {
  assert.equal(stretchedFirstWordMs(3000, [5000, 800]), 3000)
  assert.equal(stretchedFirstWordMs(3000, [5000, undefined]), 3000)
  assert.equal(stretchedFirstWordMs(3000, [5000, 4000]), 4400)
  assert.equal(stretchedFirstWordMs(3000, [20_000]), STRETCHED_MAX_MS)
  assert.equal(stretchedFirstWordMs(3000, []), 3000)
})
