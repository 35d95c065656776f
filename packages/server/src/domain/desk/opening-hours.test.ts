// When the desk answers, by the shop's wall clock.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAYS } from '@mangaassist/protocol'
import { fromIsoTime } from '#lib/time/from-iso-time.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import { deskTimes } from './opening-hours.ts'

const DAILY = [{ days: [...DAYS], from: '10:00', to: '21:00' }]
const WEEKDAYS = [{ days: DAYS.slice(0, 5), from: '09:30', to: '18:00' }]

function timesAt(hours: Parameters<typeof deskTimes>[0], at: string, timeZone = 'Asia/Tokyo') {
  const times = deskTimes(hours, fromIsoTime(at) ?? 0, timeZone)
  const { changesAt } = times ?? {}
  return [times?.isOpen, changesAt === undefined ? undefined : isoTime(changesAt)]
}

test('within its hours the desk is open, and closes when they end', () => {
  assert.deepEqual(timesAt(DAILY, '2026-11-18T14:02:30+09:00'), [true, '2026-11-18T12:00:00.000Z'])
  assert.deepEqual(timesAt(DAILY, '2026-11-18T10:00:00+09:00'), [true, '2026-11-18T12:00:00.000Z'])
})

test('outside its hours it opens next, today, tomorrow or after the weekend', () => {
  assert.deepEqual(timesAt(DAILY, '2026-11-18T21:00:00+09:00'), [false, '2026-11-19T01:00:00.000Z'])
  assert.deepEqual(timesAt(DAILY, '2026-11-18T03:00:00+09:00'), [false, '2026-11-18T01:00:00.000Z'])
  // A Friday evening.
  assert.deepEqual(timesAt(WEEKDAYS, '2026-11-20T19:00:00+09:00'), [false, '2026-11-23T00:30:00.000Z'])
})

test('hours past midnight belong to the day on which they begin, also from Sunday to Monday', () => {
  const nights = [{ days: [...DAYS], from: '20:00', to: '02:00' }]
  assert.deepEqual(timesAt(nights, '2026-11-23T01:00:00+09:00'), [true, '2026-11-22T17:00:00.000Z'])
  assert.deepEqual(timesAt(nights, '2026-11-22T23:00:00+09:00'), [true, '2026-11-22T17:00:00.000Z'])
})

test('hours that follow each other are one; a desk that never closes says no time', () => {
  const halves = [
    { days: [...DAYS], from: '09:00', to: '12:00' },
    { days: [...DAYS], from: '12:00', to: '18:00' },
  ]
  assert.deepEqual(timesAt(halves, '2026-11-18T10:00:00+09:00'), [true, '2026-11-18T09:00:00.000Z'])
  assert.deepEqual(timesAt([{ days: [...DAYS], from: '00:00', to: '00:00' }], '2026-11-18T10:00:00+09:00'), [
    true,
    undefined,
  ])
})

test('a change of daylight saving moves no hour', () => {
  // Clocks in Berlin go back on 25 October 2026, in the night.
  assert.deepEqual(timesAt(DAILY, '2026-10-24T22:00:00+02:00', 'Europe/Berlin'), [false, '2026-10-25T09:00:00.000Z'])
})

test('without hours nothing is said', () => {
  assert.equal(deskTimes([], 0, 'Asia/Tokyo'), undefined)
  assert.equal(deskTimes([{ days: [], from: '10:00', to: '11:00' }], 0, 'Asia/Tokyo'), undefined)
})
