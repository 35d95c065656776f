// Dates a number of days later, and their weekdays.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dateAfter, weekdayOf } from './date-after.ts'

test('days are counted over the ends of months, years and February', () => {
  assert.equal(dateAfter('2026-12-31', 1), '2027-01-01')
  assert.equal(dateAfter('2028-02-28', 1), '2028-02-29')
  assert.equal(dateAfter('2027-02-28', 1), '2027-03-01')
  assert.equal(dateAfter('2027-01-01', 0), '2027-01-01')
})

test('a date has its weekday', () => {
  assert.deepEqual(['1970-01-01', '2026-12-02', '2027-01-03'].map(weekdayOf), ['Thu', 'Wed', 'Sun'])
})

test('a text that is no date has neither', () => {
  for (const wrong of ['2027-02-30', '2027-1-1', 'today', '']) {
    assert.equal(dateAfter(wrong, 1), undefined)
    assert.equal(weekdayOf(wrong), undefined)
  }
})
