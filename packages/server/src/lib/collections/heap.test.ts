// The heap against a sorted list.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Heap } from './heap.ts'

test('any mix of pushes and pops gives the smallest item first, as a sorted list does', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: -20, max: 20 }))), (steps) => {
      const heap = new Heap<number>((a, b) => a < b)
      let model: readonly number[] = []
      for (const step of steps) {
        if (step === null) {
          assert.equal(heap.pop(), model[0])
          model = model.slice(1)
        } else {
          heap.push(step)
          model = [...model, step].sort((a, b) => a - b)
        }
        assert.equal(heap.peek(), model[0])
        assert.equal(heap.size, model.length)
      }
    }),
  )
})
