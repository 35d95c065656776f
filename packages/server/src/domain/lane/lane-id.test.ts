// Ids of lanes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { laneId } from './lane-id.ts'

test('two models or two regions never share a lane, whatever characters their names contain', () => {
  const anyLane = fc.record({ model: fc.string({ maxLength: 8 }), region: fc.string({ maxLength: 8 }) })
  fc.assert(
    fc.property(anyLane, anyLane, (a, b) => {
      assert.equal(laneId(a) === laneId(b), a.model === b.model && a.region === b.region)
    }),
  )
})
