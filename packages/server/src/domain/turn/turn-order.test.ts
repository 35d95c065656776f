// A turn that waited for its store is read in the order in which it was asked; no other turn is moved.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inOrderAsked } from './turn-order.ts'

const turn = (askedAt: number, late?: true) => ({ askedAt, ...(late === undefined ? {} : { late }) })
const ordered = (...turns: Parameters<typeof inOrderAsked>[0]) => inOrderAsked(turns).map(({ askedAt }) => askedAt)

test('a late turn is read before the turns that were asked after it', () => {
  assert.deepEqual(ordered(turn(1), turn(4), turn(5), turn(2, true), turn(3, true)), [1, 2, 3, 4, 5])
  assert.deepEqual(ordered(turn(3, true), turn(1, true), turn(2, true)), [1, 2, 3])
})

test('a turn that arrived in time stays in the store’s order, whatever the clock of its node was', () => {
  assert.deepEqual(ordered(turn(9), turn(2), turn(5)), [9, 2, 5])
  assert.deepEqual(ordered(turn(9), turn(2), turn(5), turn(3, true)), [9, 2, 3, 5])
  assert.deepEqual(inOrderAsked([{}, {}, { late: true }]), [{}, {}, { late: true }])
})
