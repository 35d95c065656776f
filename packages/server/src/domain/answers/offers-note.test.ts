// The note about prices and stock that could not be read now.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { offersNote } from './offers-note.ts'

const HOUR_MS = 3_600_000
/** 5:05 in UTC, 14:05 in Japan. */
const asOf = Date.UTC(2026, 10, 16, 5, 5)
const timeZone = 'Asia/Tokyo'

test('the note has the time of the shop, and the day when that is long ago', () => {
  const soon = { now: asOf + HOUR_MS, timeZone }
  assert.equal(offersNote(asOf, 'ja', soon), '価格と在庫は14:05時点のものです。')
  assert.equal(offersNote(asOf, 'en', soon), 'Prices and stock are as of 14:05.')
  const later = { now: asOf + 20 * HOUR_MS, timeZone }
  assert.equal(offersNote(asOf, 'ja', later), '価格と在庫は11月16日 14:05時点のものです。')
  assert.equal(offersNote(asOf, 'en', later), 'Prices and stock are as of 16 November at 14:05.')
})

test('without a time the note says that they may have changed', () => {
  assert.equal(offersNote(null, 'ja', { now: asOf, timeZone }), '価格と在庫は変わっている場合があります。')
  assert.equal(offersNote(null, 'en', { now: asOf, timeZone }), 'Prices and stock may have changed.')
})
