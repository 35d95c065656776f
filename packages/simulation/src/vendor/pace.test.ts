// Draws the time of a first token as it is configured, and the same one from the same seed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededFloats } from '@mangaassist/server/lib/collections/seeded-floats'
import { drawnPace } from './pace.ts'

const PACE = { firstTokenMs: 700, firstTokenP95Ms: 1400, tokensPerSecond: 60 }

test('half of the first tokens come before the median, and one of twenty after the 95th percentile', () => {
  const draw = seededFloats('pace')
  const times = Array.from({ length: 4000 }, () => drawnPace(PACE, draw).firstTokenMs).toSorted((a, b) => a - b)
  const isNear = (share: number, ms: number) => Math.abs((times[times.length * share] ?? 0) / ms - 1) < 0.05
  assert.ok(isNear(0.5, PACE.firstTokenMs) && isNear(0.95, PACE.firstTokenP95Ms), String([times[2000], times[3800]]))
})

test('the same seed draws the same time, and without a percentile the time is fixed', () => {
  assert.deepEqual(drawnPace(PACE, seededFloats('one')), drawnPace(PACE, seededFloats('one')))
  const fixed = { firstTokenMs: 700, tokensPerSecond: 60 }
  assert.equal(drawnPace(fixed, seededFloats('one')), fixed)
})
