// The traffic of the last minutes, from records.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { RecordView } from '@mangaassist/protocol/admin'
import { trafficOf } from './traffic.ts'

const NOW = Date.parse('2026-11-18T12:00:30Z')
const turn = (secondsAgo: number, over: object = {}): RecordView =>
  ({
    turnId: `t${secondsAgo}`,
    at: new Date(NOW - secondsAgo * 1000).toISOString(),
    firstWordMs: 100,
    costMicroUsd: 60,
    isDegraded: false,
    ...over,
  }) as unknown as RecordView
const refusal = (secondsAgo: number, count: number): RecordView =>
  ({
    kind: 'refusal',
    refusalId: 'r',
    at: new Date(NOW - secondsAgo * 1000).toISOString(),
    count,
  }) as unknown as RecordView

test('minutes without turns are zero, and every turn is in its minute', () => {
  const { minutes, turns } = trafficOf([turn(5), turn(65), turn(70), turn(9999)], {
    now: NOW,
    minutesMax: 4,
    isCut: false,
  })
  assert.deepEqual(
    minutes.map((minute) => minute.turns),
    [0, 0, 2, 1],
  )
  assert.equal(turns, 3)
})

test('first words, degraded answers, refusals and cost an hour are of the shown minutes', () => {
  const records = [
    ...[100, 200, 300, 4000].map((firstWordMs, index) => turn(index, { firstWordMs, isDegraded: index === 0 })),
    turn(4, { firstWordMs: null }),
    refusal(3, 7),
  ]
  const traffic = trafficOf(records, { now: NOW, minutesMax: 2, isCut: false })
  assert.deepEqual([traffic.firstWordMedianMs, traffic.firstWordP95Ms], [200, 4000])
  assert.deepEqual([traffic.degradedShare, traffic.refusals, traffic.microUsdPerHour], [0.2, 7, (300 / 2) * 60])
})

test('where older records are missing, only whole minutes are shown', () => {
  const { minutes } = trafficOf([turn(5), turn(65), turn(125)], { now: NOW, minutesMax: 30, isCut: true })
  assert.deepEqual(
    minutes.map((minute) => minute.turns),
    [1, 1],
  )
})

test('without any record nothing is invented', () => {
  const traffic = trafficOf([], { now: NOW, minutesMax: 3, isCut: false })
  assert.deepEqual([traffic.firstWordMedianMs, traffic.degradedShare, traffic.microUsdPerHour], [null, null, 0])
})
