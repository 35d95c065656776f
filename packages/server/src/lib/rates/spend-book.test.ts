// A key spends from its bucket, waits for the refill, and goes into debt if it does not wait; other keys are unaffected.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SpendBook } from './spend-book.ts'

test('a bucket can be spent completely and refills with time', () => {
  const book = new SpendBook({ perSecond: 10, burst: 20 })
  assert.equal(book.spend('a', 15, 0), 0)
  assert.equal(book.spend('a', 5, 0), 0)
  assert.equal(book.spend('a', 1, 0), 100)
  assert.equal(book.spend('b', 20, 0), 0, 'another key has its own')
  assert.equal(book.spend('a', 10, 1000), 0)
  assert.equal(book.spend('a', 1, 1000), 100)
})

test('a cost above the bucket size needs a full bucket', () => {
  const book = new SpendBook({ perSecond: 10, burst: 20 })
  assert.equal(book.spend('a', 500, 0), 0)
  assert.equal(book.spend('a', 500, 1000), 1000)
  assert.equal(book.spend('a', 500, 2000), 0)
})

test('refusals put their key into bounded debt, and never other keys', () => {
  const book = new SpendBook({ perSecond: 10, burst: 20 })
  book.spend('a', 20, 0)
  assert.equal(book.isDeepInDebt('a', 0), false)
  for (let tries = 0; tries < 1000; tries += 1) if (book.spend('a', 1, 0) > 0) book.charge('a', 1, 0)
  assert.equal(book.isDeepInDebt('a', 0), true)
  assert.equal(book.spend('a', 1, 0), 2100, 'one bucket of debt at most')
  assert.equal(book.spend('a', 1, 2100), 0)
  book.charge('c', 20, 0)
  assert.equal(book.spend('c', 1, 0), 100)
  assert.equal(book.spend('b', 20, 0), 0)
})
