// When a prewarm is due, in the shop's time zone and over its edges.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromIsoTime } from '#lib/time/from-iso-time.ts'
import { duePrewarm } from './prewarm-schedule.ts'
import type { PrewarmSchedule } from './prewarm-schedule.ts'

const HOUR_MS = 3_600_000
const TUESDAYS: PrewarmSchedule = { weekdays: ['tuesday'], time: '23:30', catchUpMs: 6 * HOUR_MS }

const at = (text: string) => fromIsoTime(text) ?? assert.fail(text)
const dayAt = (text: string, over: Partial<PrewarmSchedule> = {}, timeZone = 'Asia/Tokyo') =>
  duePrewarm(at(text), { ...TUESDAYS, ...over }, timeZone)?.day

test('it is due from Tuesday 23:30 in Tokyo on, for Wednesday, and not a millisecond before', () => {
  assert.equal(dayAt('2026-12-15T23:29:59.999+09:00'), undefined)
  assert.equal(dayAt('2026-12-15T23:30:00.000+09:00'), '2026-12-16')
  assert.equal(dayAt('2026-12-15T23:59:59.999+09:00'), '2026-12-16')
  assert.deepEqual(duePrewarm(at('2026-12-15T23:45:10+09:00'), TUESDAYS, 'Asia/Tokyo'), {
    day: '2026-12-16',
    dueAt: at('2026-12-15T23:30:00+09:00'),
  })
})

test('a missed time is caught up over midnight, for the same day, until the catch-up is over', () => {
  assert.equal(dayAt('2026-12-16T00:00:00+09:00'), '2026-12-16')
  assert.equal(dayAt('2026-12-16T05:29:59.999+09:00'), '2026-12-16')
  assert.equal(dayAt('2026-12-16T05:30:00+09:00'), undefined)
})

test('other weekdays are not due, also where it is Tuesday in Greenwich', () => {
  assert.equal(dayAt('2026-12-15T15:00:00Z'), '2026-12-16')
  assert.equal(dayAt('2026-12-14T23:30:00Z'), undefined)
  assert.equal(dayAt('2026-12-15T23:30:00Z'), undefined)
  for (const day of [13, 14, 16, 17, 18, 19]) assert.equal(dayAt(`2026-12-${day}T23:45:00+09:00`), undefined)
})

test('several weekdays have a day each, and a new year begins like any day', () => {
  const weekdays = ['tuesday', 'thursday'] as const
  assert.equal(dayAt('2026-12-31T23:30:00+09:00', { weekdays }), '2027-01-01')
  assert.equal(dayAt('2027-01-05T23:30:00+09:00', { weekdays }), '2027-01-06')
  assert.equal(dayAt('2027-01-06T23:30:00+09:00', { weekdays, catchUpMs: 24 * HOUR_MS }), undefined)
})

test('in a zone with daylight saving it is due at the local time, before and after a change of the clocks', () => {
  const sundays = { weekdays: ['saturday', 'sunday'] as const, catchUpMs: HOUR_MS }
  const dayIn = (text: string) => dayAt(text, sundays, 'America/New_York')
  // The clocks go back on Sunday 2026-11-01, and forward on Sunday 2027-03-14.
  assert.equal(dayIn('2026-10-31T23:29:00-04:00'), undefined)
  assert.equal(dayIn('2026-10-31T23:30:00-04:00'), '2026-11-01')
  assert.equal(dayIn('2026-11-01T23:29:00-05:00'), undefined)
  assert.equal(dayIn('2026-11-01T23:30:00-05:00'), '2026-11-02')
  assert.equal(dayIn('2027-03-14T23:30:00-04:00'), '2027-03-15')
  const caughtUp = { weekdays: ['saturday'] as const, catchUpMs: 24 * HOUR_MS }
  assert.equal(dayAt('2026-11-01T22:29:59-05:00', caughtUp, 'America/New_York'), '2026-11-01')
  assert.equal(dayAt('2026-11-01T22:30:00-05:00', caughtUp, 'America/New_York'), undefined)
})
