// Processes many items, a slice at a time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { inSlices } from './in-slices.ts'

test('all items are processed in several slices, except those removed meanwhile', async () => {
  const clock = manualClock()
  const items = new Set(Array.from({ length: 1000 }, (_, index) => index))
  const met: number[] = []
  inSlices(clock, items, (item) => void met.push(item))
  assert.ok(met.length < 1000)
  items.delete(999)
  for (let slices = 0; slices < 1000 && met.length < 999; slices += 1) await clock.advance(0)
  await clock.advance(0)
  assert.equal(met.length, 999)
})
