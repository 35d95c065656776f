// What a node counts, how nodes are added, and what is read of other versions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ActivityMeter, firstWordsWithin, readSteps, STEP_MS, STEPS_ANNOUNCED, STEPS_MAX, addedUp } from './activity.ts'
import { ClusterActivity } from './cluster-activity.ts'

function metered() {
  const time = { now: 1_000_000_000 }
  const meter = new ActivityMeter(() => time.now)
  return { meter, time, next: () => void (time.now += STEP_MS) }
}

test('a node counts in steps, and announces those that have ended', () => {
  const { meter, next, time } = metered()
  meter.admitted()
  meter.turnEnded({ firstWordMs: 180, isDegraded: false })
  meter.turnEnded({ firstWordMs: null, isDegraded: true })
  meter.spent(250)
  meter.refused('RATE_LIMITED')
  meter.refused('RATE_LIMITED')
  assert.deepEqual(meter.announced(2), [])
  next()
  const began = time.now - STEP_MS
  assert.deepEqual(meter.announced(1), [
    {
      at: began,
      questions: 1,
      turns: 2,
      degraded: 1,
      costMicroUsd: 250,
      running: 2,
      refusals: { RATE_LIMITED: 2 },
      firstWords: [0, 0, 1],
    },
  ])
  for (let step = 0; step < 5; step += 1) {
    next()
    meter.admitted()
  }
  assert.equal(meter.announced(0).length, STEPS_ANNOUNCED)
})

test('steps of several nodes are added, first words by their counts', () => {
  const { meter, next } = metered()
  for (let turn = 0; turn < 100; turn += 1)
    meter.turnEnded({ firstWordMs: turn < 90 ? 150 : 4000, isDegraded: turn < 10 })
  meter.announced(3)
  next()
  const [step] = meter.announced(0)
  assert.ok(step !== undefined)
  const sum = addedUp([step, { ...step, refusals: { FORBIDDEN: 1 }, firstWords: [] }])
  assert.deepEqual([sum.turns, sum.degraded, sum.running, sum.refusals], [200, 20, 6, { FORBIDDEN: 1 }])
  const within = (share: number) => firstWordsWithin(sum.firstWords, share) ?? 0
  assert.ok(within(0.5) > 100 && within(0.5) <= 200)
  assert.ok(within(0.95) > 3000 && within(0.95) <= 5000)
  assert.equal(firstWordsWithin([], 0.5), null)
  meter.turnEnded({ firstWordMs: 10 ** 9, isDegraded: false })
  next()
  assert.equal(firstWordsWithin(meter.announced(0).at(-1)?.firstWords ?? [], 0.5), 30_000)
})

test('the cluster has rates of the last minute and a history that is bounded', () => {
  const cluster = new ClusterActivity()
  const { meter, next, time } = metered()
  assert.deepEqual([cluster.minutes(time.now), cluster.total(time.now)], [[], undefined])
  for (let step = 0; step < STEPS_MAX + 50; step += 1) {
    meter.admitted()
    next()
    const activity = meter.announced(1)
    // Seen twice, as overlapping announcements are; `two` is a node of an earlier version.
    for (let seen = 0; seen < 2; seen += 1)
      cluster.see([{ id: 'one', activity }, { id: 'two' }, { id: 'three', activity }], time.now)
  }
  assert.equal(cluster.lastMinute('one', time.now).questions, 6)
  assert.equal(cluster.lastMinute('two', time.now).questions, 0)
  const minutes = cluster.minutes(time.now)
  assert.ok(minutes.length <= STEPS_MAX / 6 && minutes.length >= STEPS_MAX / 6 - 1)
  // The first minute may have lost its beginning.
  assert.ok(
    minutes.slice(1).every(({ at, questions, running }) => at % 60_000 === 0 && questions === 12 && running === 2),
  )
  assert.ok((minutes.at(-1)?.at ?? 0) + 60_000 <= time.now, 'the minute that runs is left out')
  const total = cluster.total(time.now)
  assert.ok(total !== undefined && total.questions > 2 * (STEPS_MAX - 2) && total.questions <= 2 * STEPS_MAX)
  // A node that is lost stays in the history and not in the last minute.
  time.now += 2 * 60_000
  cluster.see([], time.now)
  assert.equal(cluster.lastMinute('one', time.now).questions, 0)
  assert.equal(cluster.minutes(time.now).at(-1)?.questions, 0)
})

test('steps of other versions are read as far as they are steps', () => {
  const step = {
    at: STEP_MS,
    questions: 1,
    turns: 2,
    degraded: 1,
    costMicroUsd: 3,
    running: 4,
    refusals: {},
    firstWords: [1],
  }
  assert.deepEqual(readSteps([step]), [step])
  assert.deepEqual(
    readSteps([{ at: STEP_MS, more: true, turns: 'many', refusals: { x: 1, A: -1 }, firstWords: ['?', 2] }]),
    [
      {
        at: STEP_MS,
        questions: 0,
        turns: 0,
        degraded: 0,
        costMicroUsd: 0,
        running: 0,
        refusals: {},
        firstWords: [0, 2],
      },
    ],
  )
  for (const wrong of [undefined, null, 'x', {}, [null], [{}], [{ at: 7 }], [{ at: Number.NaN }]])
    assert.deepEqual(readSteps(wrong), [])
  assert.equal(readSteps(Array.from({ length: 99 }, () => step)).length, STEPS_ANNOUNCED)
  assert.ok(
    (readSteps([{ ...step, firstWords: Array.from({ length: 999 }, () => 1) }])[0]?.firstWords.length ?? 0) < 20,
  )
})
