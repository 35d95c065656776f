// Replaying a log gives the state of its turn, whether the log was trimmed or not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  sampleAttempt,
  sampleAttemptStart,
  sampleEnd,
  sampleMeta,
  sampleOutcome,
  sampleStart,
} from '#fixtures/turns/samples.ts'
import { snapshotOf, replay } from './turn-state.ts'
import type { LogRecordBody } from './log-records.ts'

const start: LogRecordBody = { kind: 'start', start: sampleStart() }
const text = (written: string): LogRecordBody => ({ kind: 'text', offset: 0, text: written })
const calling = (attempt: number) => ({
  kind: 'attempt-start' as const,
  attempt: sampleAttemptStart({ attempt }),
})
const called = (attempt: number): LogRecordBody => ({ kind: 'attempt-end', record: sampleAttempt({ attempt }) })
const meta = (model: string) => ({ kind: 'meta' as const, meta: sampleMeta({ model }) })

test('an empty log is an empty answer', () => {
  assert.deepEqual(replay([]), { text: '', attempts: [] })
  assert.deepEqual(snapshotOf([]), { text: '', attempts: [] })
})

test('the state has the start, the text, the latest meta, the ended attempts, the outcome and the end', () => {
  const records = [
    start,
    meta('first'),
    calling(1),
    text('鬼'),
    called(1),
    meta('second'),
    calling(2),
    text('滅'),
    called(2),
    { kind: 'text-end', outcome: sampleOutcome() },
    { kind: 'turn-end', end: sampleEnd() },
  ] as const
  assert.deepEqual(replay(records), {
    start: sampleStart(),
    text: '鬼滅',
    meta: sampleMeta({ model: 'second' }),
    attempts: [sampleAttempt({ attempt: 1 }), sampleAttempt({ attempt: 2 })],
    outcome: sampleOutcome(),
    end: sampleEnd(),
  })
})

test('the latest route that a record has is kept, also in a snapshot', () => {
  const route = (unit: string) => ({ routing: { exposures: [], unit } })
  const first: LogRecordBody = { ...calling(1), route: route('guest_1') }
  const second: LogRecordBody = { ...meta('m'), route: route('guest_2') }
  assert.deepEqual(replay([first, called(1), meta('m'), text('a'), calling(2)]).route, route('guest_1'))
  assert.deepEqual(replay([first, second, calling(2)]).route, route('guest_2'))
  assert.deepEqual(snapshotOf([start, first, called(1)]).route, route('guest_1'))
})

test('an attempt is in flight until the record of its end', () => {
  assert.deepEqual(replay([calling(1)]).underWay, sampleAttemptStart({ attempt: 1 }))
  assert.equal('underWay' in replay([calling(1), called(1)]), false)
  assert.deepEqual(replay([calling(1), called(1), calling(2)]).underWay, sampleAttemptStart({ attempt: 2 }))
})

test('of two parallel attempts each is in flight until the record of its own end', () => {
  const hedge = sampleAttemptStart({ attempt: 2, isHedge: true })
  const beside: LogRecordBody = { kind: 'attempt-start', attempt: hedge }
  const both = replay([calling(1), beside])
  assert.deepEqual([both.underWay?.attempt, both.hedge], [1, hedge])
  const firstOver = replay([calling(1), beside, called(1)])
  assert.deepEqual([firstOver.underWay, firstOver.hedge, firstOver.attempts.length], [undefined, hedge, 1])
  const secondOver = replay([calling(1), beside, called(2)])
  assert.deepEqual([secondOver.underWay?.attempt, secondOver.hedge], [1, undefined])
  assert.deepEqual(snapshotOf([calling(1), beside]).hedge, hedge)
})

test('a snapshot has everything except the start, and no field without a record', () => {
  assert.deepEqual(snapshotOf([start, text('a')]), { text: 'a', attempts: [] })
  assert.deepEqual(snapshotOf([start, meta('m'), calling(1), text('a')]), {
    text: 'a',
    attempts: [],
    meta: sampleMeta({ model: 'm' }),
    underWay: sampleAttemptStart({ attempt: 1 }),
  })
})

test('a snapshot replaces the records before it, except the start', () => {
  const snapshot = { text: 'whole', attempts: [sampleAttempt()] }
  assert.deepEqual(replay([start, meta('m'), calling(1), text('who'), { kind: 'snapshot', snapshot }]), {
    start: sampleStart(),
    ...snapshot,
  })
})

test('trimming a log anywhere and any number of times does not change its state', () => {
  const one = fc.oneof(
    fc.string().map(text),
    fc.nat(3).map(calling),
    fc.nat(3).map(called),
    fc.nat(3).map((attempt): LogRecordBody => {
      return { kind: 'attempt-start', attempt: sampleAttemptStart({ attempt, isHedge: true }) }
    }),
    fc.constantFrom('a', 'b').map(meta),
    fc.string().map((unit): LogRecordBody => ({ ...meta('c'), route: { routing: { exposures: [], unit } } })),
  )
  fc.assert(
    fc.property(fc.array(one), fc.nat(), fc.nat(), (records, cut, cutAgain) => {
      const whole = [start, ...records]
      const trim = (records: readonly LogRecordBody[], at: number): readonly LogRecordBody[] => {
        const kept = 1 + (at % records.length)
        return [start, { kind: 'snapshot', snapshot: snapshotOf(records.slice(0, kept)) }, ...records.slice(kept)]
      }
      const once = trim(whole, cut)
      assert.deepEqual(replay(once), replay(whole))
      assert.deepEqual(replay(trim(once, 1 + cutAgain)), replay(whole))
    }),
  )
})
