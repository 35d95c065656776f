// Seats are limited, and each becomes free once, however often it is disposed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Seats } from './seats.ts'

test('each holder has its own limited number of seats', () => {
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
