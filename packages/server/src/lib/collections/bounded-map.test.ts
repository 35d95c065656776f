// A map that deletes the entry that was set longest ago.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BoundedMap } from './bounded-map.ts'

test('it holds the entries that were set last, in the order of setting, and no more than its limit', () => {
  const keys = fc.array(fc.integer({ min: 0, max: 9 }))
  fc.assert(
    fc.property(keys, fc.integer({ min: 1, max: 5 }), (sets, sizeMax) => {
      const map = new BoundedMap<number, number>(sizeMax)
      for (const [index, key] of sets.entries()) map.set(key, index)
      const lastOf = [...new Set(sets)].map((key) => [key, sets.lastIndexOf(key)] as const)
      assert.deepEqual([...map], lastOf.toSorted(([, a], [, b]) => a - b).slice(-sizeMax))
    }),
  )
})
