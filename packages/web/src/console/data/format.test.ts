// How the console writes figures and times.
import assert from 'node:assert/strict'
import test from 'node:test'
import { ABSENT, createFormat } from './format.ts'

const en = createFormat('en', 'UTC')
const ja = createFormat('ja', 'Asia/Tokyo')

test('money has cents from a dollar on, and enough digits to be more than zero below it', () => {
  assert.deepEqual([0, 12, 4321, 990_000, 1_000_000, 12_345_678_901].map(en.money), [
    '$0.00',
    '$0.000012',
    '$0.004321',
    '$0.99',
    '$1.00',
    '$12,345.68',
  ])
})

test('the figures of alarms are said in units that people use', () => {
  const shown = [
    en.figure(0.277, 'ratio'),
    en.figure(0.0005, 'ratio'),
    en.figure(60.776, 'seconds'),
    en.figure(20, 'seconds'),
  ]
  assert.deepEqual(shown, ['27.7%', '0.05%', '1 min 1 s', '20.0 s'])
  assert.deepEqual(
    [en.figure(1234, 'count'), en.figure(12.5, 'usd'), en.figure(7, 'tokens')],
    ['1,234', '$12.50', '7 tokens'],
  )
})

test('durations change their unit before they become hard to read', () => {
  assert.deepEqual([0, 840.4, 1234, 42_000, 61_000, 3_660_000, 90_000_000].map(en.duration), [
    '0 ms',
    '840 ms',
    '1.23 s',
    '42.0 s',
    '1 min 1 s',
    '1 h 1 min',
    '1 d 1 h',
  ])
})

test('a duration has no empty part, and no sixty seconds', () => {
  assert.deepEqual([600_000, 59_980, 119_600, 3_599_800, 7_200_000, 86_390_000, 172_800_000].map(en.duration), [
    '10 min',
    '1 min',
    '2 min',
    '1 h',
    '2 h',
    '1 d',
    '2 d',
  ])
})

test('an absent figure is no zero', () => {
  for (const write of [en.count, en.money, en.duration, en.share, en.time, en.clock])
    assert.deepEqual([write(null), write(undefined)], [ABSENT, ABSENT])
  assert.equal(en.count(0), '0')
})

test('times are in the operator’s language and zone, and a text that is no time stays as it is', () => {
  assert.equal(en.time('2026-11-18T01:02:03Z'), '18 Nov 2026, 01:02:03')
  assert.equal(ja.time('2026-11-18T01:02:03Z'), '2026/11/18 10:02:03')
  assert.equal(en.clock('soon'), 'soon')
})

test('an age is in the largest whole unit, past and future', () => {
  const now = Date.parse('2026-11-18T12:00:00Z')
  assert.deepEqual(
    [now, now - 5000, now - 90_000, '2026-11-18T09:00:00Z', '2026-11-15T12:00:00Z', now + 120_000].map((at) =>
      en.ago(at, now),
    ),
    ['0 sec ago', '5 sec ago', '1 min ago', '3 hr ago', '3 days ago', 'in 2 min'],
  )
})

test('shares keep one digit', () => {
  assert.deepEqual([0, 0.0344, 1].map(en.share), ['0%', '3.4%', '100%'])
})
