// Seats are given to a bound, and are free again once, however often they are left.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Seats } from './seats.ts'

test('a holder has its seats and no more, and each its own', () => {
  const seats = new Seats(2)
  const first = seats.take('net_1')
  assert.ok(first !== undefined && seats.take('net_1') !== undefined)
  assert.equal(seats.take('net_1'), undefined)
  assert.ok(seats.take('net_2') !== undefined)
  first[Symbol.dispose]()
  first[Symbol.dispose]()
  assert.ok(seats.take('net_1') !== undefined)
  assert.equal(seats.take('net_1'), undefined)
})
