// Windows over cells of half a second.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyCell, newestCells, sumSince } from './cells.ts'

const cell = (at: number, over: Partial<ReturnType<typeof emptyCell>>) => ({ ...emptyCell(at), ...over })

test('a window holds the cells that start in it and nothing older', () => {
  const cells = [cell(0, { faults: 7 }), cell(1000, { successes: 2, overloads: 1 }), cell(1500, { faults: 1 })]
  const { calls, failures, successes } = sumSince(cells, 1000)
  assert.deepEqual([calls, failures, successes], [4, 2, 2])
})

test('a window in which more answers broke off than started has zero successes, not a negative number', () => {
  assert.deepEqual(
    [sumSince([cell(0, { successes: -2, faults: 2 })], 0)].map(({ successes, calls }) => [successes, calls]),
    [[0, 2]],
  )
})

test('newestCells returns the cells that hold the requested calls, and at least one', () => {
  const cells = [cell(0, { faults: 90 }), cell(500, { successes: 80 }), cell(1000, { successes: 100 })]
  assert.deepEqual(
    newestCells(cells, 200).map(({ at }) => at),
    [500, 1000],
  )
  assert.equal(newestCells(cells, 10).length, 1)
  assert.equal(newestCells([], 10).length, 0)
})
