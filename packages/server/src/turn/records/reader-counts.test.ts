// Readers of a turn are counted with what they were sent, and one that comes back is noted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ReaderMeter } from '#domain/turn-records/reader-meter.ts'
import { SENT_TO_MAX } from '#domain/turn-records/turn-record.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import type { Noted } from '#ports/turn-records/port.ts'
import { createReaderCounts } from './reader-counts.ts'

const ignored = { note: async () => {} }

function turnAt(acceptedAt: number, turnId = 'turn_1') {
  return { turnId, acceptedAt }
}

test('readers are counted by turn, and one that has text is noted as resumed', () => {
  const notes: (readonly [string, Noted])[] = []
  const counts = createReaderCounts({ note: async (...noted) => void notes.push(noted) })
  assert.deepEqual(counts.take('turn_1'), {})
  counts.began(turnAt(0), { offset: 0 })
  counts.began(turnAt(0), { offset: 12 })
  counts.began(turnAt(0, 'turn_2'), { offset: 0 })
  assert.deepEqual(counts.take('turn_1'), { readers: 2 })
  assert.deepEqual(counts.take('turn_1'), {}, 'forgotten with the record')
  assert.deepEqual([counts.take('turn_2'), notes], [{ readers: 1 }, [['turn_1', { resumed: 1 }]]])
})

test('a slow reader that leaves, and one that comes back and still reads, are recorded apart', async () => {
  const clock = manualClock()
  const acceptedAt = clock.now()
  const counts = createReaderCounts(ignored)
  await clock.advance(5)
  const slow = new ReaderMeter('ws', clock)
  counts.began(turnAt(acceptedAt), { offset: 0, meter: slow })
  slow.sent(100)
  slow.sent(20)
  const drain = Promise.withResolvers<void>()
  const waiting = slow.paused(drain.promise)
  await clock.advance(300)
  drain.reject(new Error('left'))
  await assert.rejects(waiting)
  slow.ended('left')
  // The door ends each reading in a `finally`: only the first end counts.
  slow.ended('failed')
  await clock.advance(700)
  const back = new ReaderMeter('sse', clock)
  counts.began(turnAt(acceptedAt), { offset: 31, meter: back })
  back.sent(7)
  void back.paused(new Promise(() => {}))
  await clock.advance(40)
  assert.deepEqual(counts.take('turn_1'), {
    readers: 2,
    sentTo: [
      { door: 'ws', startMs: 5, tookMs: 300, frames: 2, bytes: 120, pauses: 1, pausedMs: 300, end: 'left' },
      { door: 'sse', startMs: 1005, offset: 31, frames: 1, bytes: 7, pauses: 1, pausedMs: 40 },
    ],
  })
})

test('of many readers the first are recorded apart and the others as sums, with what they were sent before and after', async () => {
  const clock = manualClock()
  const counts = createReaderCounts(ignored)
  const meters = Array.from({ length: SENT_TO_MAX + 3 }, () => new ReaderMeter('ws', clock))
  const [last] = meters.slice(-1)
  assert.ok(last !== undefined)
  const drained = Promise.withResolvers<void>()
  const waiting = last.paused(drained.promise)
  await clock.advance(9)
  drained.resolve()
  await waiting
  for (const meter of meters) {
    meter.sent(1)
    counts.began(turnAt(0), { offset: 0, meter })
    meter.sent(10)
    meter.ended('complete')
  }
  const { readers, sentTo = [], sentToOthers } = counts.take('turn_1')
  assert.deepEqual([readers, sentTo.length], [SENT_TO_MAX + 3, SENT_TO_MAX])
  assert.deepEqual(sentToOthers, { frames: 6, bytes: 33, pauses: 1, pausedMs: 9 })
})

test('a wait after the end is no pause', async () => {
  const clock = manualClock()
  const meter = new ReaderMeter('ws', clock)
  meter.ended('complete')
  await meter.paused(Promise.resolve())
  assert.equal(meter.sentTo({ acceptedAt: clock.now() + 10, offset: 0 }).pauses, undefined)
})

test('the turns that were read longest ago are forgotten', () => {
  const counts = createReaderCounts(ignored)
  for (let index = 0; index < 6000; index += 1) counts.began(turnAt(0, `turn_${index}`), { offset: 0 })
  assert.deepEqual([counts.take('turn_0'), counts.take('turn_5999')], [{}, { readers: 1 }])
})
