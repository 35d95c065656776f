// The shop's day in the shop's time zone, including days of 23 and 25 hours.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dayBegins, dayOf } from './day.ts'

const HOUR_MS = 3_600_000
const at = (iso: string) => Date.parse(iso)

test('a day in Tokyo begins at midnight there, which is 15:00 UTC', () => {
  assert.deepEqual(dayOf(at('2026-11-04T14:59:59.999Z'), 'Asia/Tokyo'), {
    key: '2026-11-04',
    endsAt: at('2026-11-04T15:00:00Z'),
  })
  assert.deepEqual(dayOf(at('2026-11-04T15:00:00Z'), 'Asia/Tokyo'), {
    key: '2026-11-05',
    endsAt: at('2026-11-05T15:00:00Z'),
  })
})

test('the day in which clocks go forward has 23 hours, and the one in which they go back 25', () => {
  const spring = dayOf(at('2026-03-08T05:00:00Z'), 'America/New_York')
  assert.deepEqual(spring, { key: '2026-03-08', endsAt: at('2026-03-08T05:00:00Z') + 23 * HOUR_MS })
  const autumn = dayOf(at('2026-11-01T04:00:00Z'), 'America/New_York')
  assert.deepEqual(autumn, { key: '2026-11-01', endsAt: at('2026-11-01T04:00:00Z') + 25 * HOUR_MS })
})

test('UTC days end at midnight UTC, also at the end of a year', () => {
  assert.deepEqual(dayOf(at('2026-12-31T23:59:59.999Z'), 'UTC'), {
    key: '2026-12-31',
    endsAt: at('2027-01-01T00:00:00Z'),
  })
})

test('any moment lies in its day, and the day’s end is the first moment of the next', () => {
  const zones = [
    'Asia/Tokyo',
    'America/New_York',
    'UTC',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'America/Sao_Paulo',
    'Pacific/Apia',
  ]
  const moments = fc.integer({ min: at('2000-01-01T00:00:00Z'), max: at('2100-01-01T00:00:00Z') })
  fc.assert(
    fc.property(moments, fc.constantFrom(...zones), (moment, zone) => {
      const day = dayOf(moment, zone)
      assert.ok(moment < day.endsAt && day.endsAt - moment <= 25 * HOUR_MS)
      assert.equal(dayOf(day.endsAt - 1, zone).key, day.key)
      assert.notEqual(dayOf(day.endsAt, zone).key, day.key)
      // The same question again after one about a later moment.
      assert.deepEqual(dayOf(moment, zone), day)
    }),
  )
})

test('the cached day of one time zone is not returned for another', () => {
  const moment = at('2026-11-04T20:00:00Z')
  assert.equal(dayOf(moment, 'Asia/Tokyo').key, '2026-11-05')
  assert.equal(dayOf(moment, 'UTC').key, '2026-11-04')
})

test('a day begins where the day before it ends, in every zone', () => {
  for (const zone of ['Asia/Tokyo', 'UTC', 'America/New_York', 'Pacific/Kiritimati', 'Etc/GMT+12']) {
    for (const noon of ['2026-03-08T12:00:00Z', '2026-11-01T12:00:00Z', '2027-01-01T12:00:00Z']) {
      const before = dayOf(at(noon) - 24 * HOUR_MS, zone)
      assert.equal(dayBegins(dayOf(before.endsAt, zone).key, zone), before.endsAt, `${zone} ${noon}`)
    }
  }
  assert.equal(dayBegins('2026-02-30', 'UTC'), undefined)
})
