// The recorder writes behind the turn: in batches, bounded, and what waits is seen.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { memoryTurnRecords } from '#adapters/memory/turn-records.ts'
import { turnRecordsContract } from '#ports/turn-records/contract.ts'
import type { TurnRecord } from '#ports/turn-records/port.ts'
import { withVerbs } from '#fixtures/stores/ports.ts'
import { switchableStore } from '#fixtures/stores/switchable-store.ts'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import { sampleTurnRecord } from '#fixtures/turns/samples.ts'
import { createTurnRecorder } from './recorder.ts'

const UP = { value: 'up', at: NOON } as const

function setUp() {
  const clock = manualClock()
  const telemetry = memoryTelemetry()
  const stored = memoryTurnRecords({ clock })
  const batches: number[] = []
  const counting = withVerbs(stored, {
    async add(records: readonly TurnRecord[]) {
      batches.push(records.length)
      await stored.add(records)
    },
  })
  const { port, store } = switchableStore(counting)
  const recorder = createTurnRecorder({ records: withVerbs(port, { all: stored.all }), clock, telemetry })
  const dropped = (reason: string) =>
    telemetry.counted.filter(({ fields, name }) => name === 'turn_records_dropped_total' && fields['reason'] === reason)
      .length
  return { batches, clock, dropped, recorder, store, stored, telemetry }
}

const record = (index: number) => sampleTurnRecord({ turnId: `turn_${index}`, at: NOON + index })

turnRecordsContract('recorder', async (_context, clock) =>
  createTurnRecorder({ records: memoryTurnRecords({ clock }), clock, telemetry: memoryTelemetry() }),
)

test('records of half a second are written in one batch', async () => {
  const { batches, clock, recorder, stored } = setUp()
  for (const index of [1, 2, 3]) recorder.put(record(index))
  await clock.advance(499)
  assert.deepEqual(await stored.page({}, 10), [])
  await clock.advance(1)
  assert.equal((await stored.page({}, 10)).length, 3)
  recorder.put(record(4))
  await clock.advance(500)
  assert.deepEqual(batches, [3, 1])
})

test('a full batch is written at once', async () => {
  const { batches, clock, recorder } = setUp()
  for (let index = 0; index < 200; index += 1) recorder.put(record(index))
  await clock.advance(0)
  assert.deepEqual(batches, [200])
})

test('a record that waits is found, takes a thumb and notes, and is written with them', async () => {
  const { batches, clock, recorder, stored } = setUp()
  await recorder.note('turn_1', { followedUp: true })
  recorder.put(record(1))
  recorder.put({ ...record(1), model: 'other' })
  assert.equal(await recorder.setFeedback('turn_1', UP), true)
  await recorder.note('turn_1', { cardsOpened: 2 })
  const whole = { ...record(1), received: { followedUp: true, cardsOpened: 2, feedback: UP } }
  assert.deepEqual(await recorder.find('turn_1'), whole)
  assert.equal(await recorder.setFeedback('turn_unknown', UP), false)
  await clock.advance(500)
  assert.deepEqual(await stored.find('turn_1'), whole)
  assert.deepEqual(batches, [1])
})

test('a thumb is written at once, and waits with its record while the store is unavailable', async () => {
  const { clock, recorder, store, stored } = setUp()
  recorder.put(record(1))
  assert.equal(await recorder.setFeedback('turn_1', UP), true)
  assert.deepEqual((await stored.find('turn_1'))?.received, { feedback: UP })
  store.isUnavailable = true
  recorder.put(record(2))
  assert.equal(await recorder.setFeedback('turn_2', UP), true)
  store.isUnavailable = false
  await clock.advance(1000)
  assert.deepEqual((await stored.find('turn_2'))?.received, { feedback: UP })
})

test('what is added while the record is sent follows it', async () => {
  const { clock, recorder, store, stored } = setUp()
  recorder.put(record(1))
  Object.assign(store, { isUnavailable: true, losesAnswers: true })
  await clock.advance(500)
  assert.deepEqual(await stored.find('turn_1'), record(1), 'the store has it, and the answer was lost')
  await recorder.note('turn_1', { cardsOpened: 1 })
  await recorder.setFeedback('turn_1', UP)
  assert.deepEqual((await recorder.find('turn_1'))?.received, { cardsOpened: 1, feedback: UP })
  store.isUnavailable = false
  await clock.advance(1000)
  assert.deepEqual((await stored.find('turn_1'))?.received, { cardsOpened: 1, feedback: UP })
})

test('reading flushes, so that an operator sees what this node has recorded', async () => {
  const { recorder } = setUp()
  recorder.put(record(1))
  assert.deepEqual(await recorder.page({}, 10), [record(1)])
  recorder.put(record(2))
  const seen: string[] = []
  for await (const { turnId } of recorder.all({})) seen.push(turnId)
  assert.deepEqual(seen, ['turn_2', 'turn_1'])
})

test('what waits is forgotten with the person, and becomes the user’s with the guest', async () => {
  const { clock, recorder, stored } = setUp()
  recorder.put(record(1))
  recorder.put({ ...record(2), principalId: 'guest_2' })
  recorder.put({ ...record(3), principalId: 'guest_3', sessionId: 'sess_3' })
  assert.equal(await recorder.forget({ principalId: 'guest_1' }), 1)
  assert.equal(await recorder.forget({ sessionId: 'sess_3' }), 1)
  assert.equal(await recorder.find('turn_1'), undefined)
  await recorder.adopt('guest_2', 'user:a')
  await clock.advance(500)
  assert.deepEqual(
    (await stored.page({}, 10)).map(({ principalId, turnId }) => [turnId, principalId]),
    [['turn_2', 'user:a']],
  )
})

test('a guest whose records are being written keeps the arms as the user', async () => {
  const { recorder, stored } = setUp()
  // A full batch: its write has begun.
  for (let index = 0; index < 200; index += 1) recorder.put({ ...record(index), principalId: 'guest_2' })
  await recorder.adopt('guest_2', 'user:a')
  assert.equal(await recorder.unitOf('user:a'), 'guest_2')
  assert.equal((await stored.page({ principalId: 'user:a' }, 1000)).length, 200)
})

test('a user whose first record waits keeps their own arms', async () => {
  const { recorder } = setUp()
  recorder.put({ ...record(1), principalId: 'user:a' })
  await recorder.adopt('guest_2', 'user:a')
  assert.equal(await recorder.unitOf('user:a'), 'user:a')
})

test('a guest’s record that comes during the adoption becomes the user’s, whether it waits or is written', async () => {
  for (const isWritten of [false, true]) {
    const clock = manualClock()
    const stored = memoryTurnRecords({ clock })
    const adopt = async (guestId: string, userId: string) => {
      await stored.adopt(guestId, userId)
      recorder.put({ ...record(1), principalId: 'guest_2' })
      if (isWritten) await recorder.flush()
    }
    const recorder = createTurnRecorder({ records: withVerbs(stored, { adopt }), clock, telemetry: memoryTelemetry() })
    await recorder.adopt('guest_2', 'user:a')
    await clock.advance(500)
    assert.equal((await stored.find('turn_1'))?.principalId, 'user:a')
    assert.equal(await recorder.unitOf('user:a'), 'guest_2')
  }
})

test('an unavailable store delays records, and a short outage loses none', async () => {
  const { clock, dropped, recorder, store, stored, telemetry } = setUp()
  store.isUnavailable = true
  for (let index = 0; index < 300; index += 1) recorder.put(record(index))
  await recorder.note('turn_old', { followedUp: true })
  await clock.advance(60_000)
  assert.deepEqual(await stored.page({}, 10), [])
  assert.equal(telemetry.logged.filter(({ event }) => event === 'turn-records.write-failed').length, 1)
  store.isUnavailable = false
  await clock.advance(30_000)
  assert.equal((await stored.page({}, 1000)).length, 300)
  assert.deepEqual([dropped('full'), dropped('failed')], [0, 0])
})

test('during a long outage the oldest are dropped and counted, and the rest is bounded', async () => {
  const { clock, dropped, recorder, store, stored } = setUp()
  store.isUnavailable = true
  for (let index = 0; index < 5100; index += 1) recorder.put(record(index))
  assert.equal(dropped('full'), 100)
  assert.equal(await recorder.find('turn_100').then((found) => found?.turnId), 'turn_100')
  await clock.advance(600_000)
  const failed = dropped('failed')
  assert.ok(failed > 0)
  store.isUnavailable = false
  await clock.advance(60_000)
  assert.equal((await stored.page({}, 10_000)).length, 5000 - failed)
})

test('closing writes what waits, and what the store does not accept is counted', async () => {
  const { dropped, recorder, store, stored } = setUp()
  recorder.put(record(1))
  await recorder.close()
  assert.equal((await stored.find('turn_1'))?.turnId, 'turn_1')
  recorder.put(record(2))
  assert.equal(dropped('failed'), 1)
  const other = setUp()
  other.store.isUnavailable = true
  other.recorder.put(record(1))
  await other.recorder.close()
  assert.equal(other.dropped('failed'), 1)
  assert.equal(store.isUnavailable, false)
})

test('a record is written with the log lines and the readers of its turn, taken once and off the path of the turn', async () => {
  const clock = manualClock()
  const stored = memoryTurnRecords({ clock })
  const asked: string[] = []
  const line = { at: NOON, level: 'warn', event: 'turn.settle-failed' } as const
  const lines = {
    take({ turnId }: { readonly turnId: string }) {
      asked.push(turnId)
      return { lines: [line], linesLeftOut: 2 }
    },
  }
  const readers = { take: (turnId: string) => ({ readers: turnId === 'turn_1' ? 2 : 0 }) }
  const recorder = createTurnRecorder({ records: stored, clock, telemetry: memoryTelemetry(), lines, readers })
  recorder.put(record(1))
  assert.deepEqual(asked, [])
  await clock.advance(500)
  assert.deepEqual(await stored.find('turn_1'), { ...record(1), readers: 2, lines: [line], linesLeftOut: 2 })
  assert.deepEqual(asked, ['turn_1'])
})
