// The prewarm of a release day: when it runs, by which node, within which bounds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTasks } from '#adapters/memory/tasks.ts'
import { dayOf } from '#domain/budget/day.ts'
import { NOTHING } from '#domain/budget/quota.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { MADE, PREWARM_AT, prewarmNode, RELEASE_DAY, sampleReleases } from '#fixtures/turns/prewarm.ts'
import type { PrewarmNodeParts } from '#fixtures/turns/prewarm.ts'
import type { HouseCap } from '../house-calls/house-call.ts'
import type { PrewarmQuestion } from './prewarm-question.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const ALL = ['q0', 'q1', 'q2', 'q3']

function setUp(over: Partial<PrewarmNodeParts> = {}, at = PREWARM_AT) {
  const clock = manualClock(at)
  const tasks = memoryTasks({ clock })
  const node = (name: string, more: Partial<PrewarmNodeParts> = {}) =>
    prewarmNode({ clock, tasks, name, ...over, ...more })
  return { clock, tasks, node, one: node('one') }
}

/** Holds as much as a call can cost at most, then settles what it did cost. */
function paying(holdMicroUsd: number, usedMicroUsd: number): PrewarmQuestion {
  return async (_question, cap: HouseCap) => {
    const need = { ...NOTHING, costMicroUsd: holdMicroUsd }
    const hold = await cap.hold({ id: 'call', day: dayOf(PREWARM_AT, 'Asia/Tokyo'), need })
    if (hold === undefined) return { kind: 'skipped', why: 'cap' }
    await hold.settle({ ...NOTHING, costMicroUsd: usedMicroUsd })
    return MADE
  }
}

test('it asks every question once when it is due, and nothing before or after', async () => {
  const { clock, one } = setUp({}, PREWARM_AT - 1)
  await one.round()
  assert.deepEqual([one.asked, one.searched], [[], []])
  await clock.advance(1)
  for (let rounds = 0; rounds < 3; rounds += 1) await one.round()
  assert.deepEqual([one.asked, one.searched], [ALL, ALL])
  assert.deepEqual(one.events(), ['prewarm.started', 'prewarm.ended'])
  assert.equal(one.counted('prewarm_questions_total').length, 4)
  await clock.advance(24 * HOUR_MS)
  await one.round()
  assert.deepEqual(one.asked, ALL)
})

test('of several nodes one asks, also after a restart, and each searches for itself', async () => {
  const { clock, node, one } = setUp()
  const two = node('two')
  await Promise.all([one.round(), two.round()])
  await clock.advance(10 * MINUTE_MS)
  const restarted = node('three')
  for (const each of [one, two, restarted]) await each.round()
  assert.deepEqual([...one.asked, ...two.asked, ...restarted.asked], ALL)
  assert.deepEqual([one.searched, two.searched, restarted.searched], [ALL, ALL, ALL])
})

test('a node that starts within the catch-up does what was missed; later nothing is done', async () => {
  const { one } = setUp({}, PREWARM_AT + 6 * HOUR_MS - 1)
  await one.round()
  assert.deepEqual(one.asked, ALL)
  const late = setUp({}, PREWARM_AT + 6 * HOUR_MS)
  await late.one.round()
  assert.deepEqual(late.one.asked, [])
})

test('another node continues at the question where the owner died; the owner, if it wakes up, leaves it alone', async () => {
  const stuck = Promise.withResolvers<typeof MADE>()
  const { clock, node } = setUp()
  const one = node('one', { answer: async ({ message }) => (message === 'q2' ? stuck.promise : MADE) })
  const two = node('two')
  const dying = one.round()
  await clock.advance(MINUTE_MS)
  await two.round()
  assert.deepEqual(two.asked, [])
  await clock.advance(3 * MINUTE_MS)
  await two.round()
  assert.deepEqual(
    [one.asked, two.asked],
    [
      ['q0', 'q1', 'q2'],
      ['q2', 'q3'],
    ],
  )
  stuck.resolve(MADE)
  await dying
  assert.deepEqual(one.asked, ['q0', 'q1', 'q2'])
  assert.deepEqual(one.counted('prewarm_paused_total')[0]?.fields, { reason: 'lease-lost' })
  await one.round()
  assert.equal(one.asked.length, 3)
})

test('it stops at the cost limit, by the most that a call can cost, and no node exceeds it', async () => {
  const settings = { microUsdMax: 1000 }
  const { clock, node } = setUp({ settings, answer: paying(400, 300) })
  const [one, two] = [node('one'), node('two')]
  await one.round()
  // After two calls 600 are spent, a third needs up to 400, and a fourth would exceed the limit.
  assert.deepEqual(one.asked, ALL)
  assert.equal(one.counted('prewarm_questions_total').length, 3)
  assert.deepEqual(one.counted('prewarm_runs_total')[0]?.fields, { outcome: 'cost-limit' })
  assert.deepEqual(one.telemetry.logged.at(-1)?.fields?.['costMicroUsd'], 900)
  await clock.advance(MINUTE_MS)
  for (const each of [one, two]) await each.round()
  assert.deepEqual([one.asked.length, two.asked], [4, []])
  two.state.releases = sampleReleases(4, { digest: 'changed' })
  await two.round()
  assert.deepEqual(two.asked, [])
})

test('the call of a node that died counts with its whole reservation', async () => {
  const { clock, node } = setUp({ settings: { microUsdMax: 1000 } })
  const dies: PrewarmQuestion = async (_question, cap) => {
    await cap.hold({ id: 'call', day: dayOf(PREWARM_AT, 'Asia/Tokyo'), need: { ...NOTHING, costMicroUsd: 700 } })
    return new Promise(() => {})
  }
  void node('one', { answer: dies }).round()
  await clock.advance(4 * MINUTE_MS)
  const two = node('two', { answer: paying(400, 300) })
  await two.round()
  assert.deepEqual(two.counted('prewarm_runs_total')[0]?.fields, { outcome: 'cost-limit' })
  assert.equal(two.counted('prewarm_questions_total').length, 0)
})

test('while the lane is degraded it waits, says so once, and continues by itself', async () => {
  const { node } = setUp()
  const one = node('one', {
    answer: async ({ message }) => {
      if (message === 'q1') one.state.isReady = false
      return MADE
    },
  })
  await one.round()
  await one.round()
  assert.deepEqual(one.asked, ['q0', 'q1'])
  assert.deepEqual(
    one.events().filter((event) => event === 'prewarm.paused'),
    ['prewarm.paused'],
  )
  assert.equal(one.counted('prewarm_paused_total').length, 2)
  one.state.isReady = true
  await one.round()
  assert.deepEqual(one.asked, ALL)
})

test('a lane without a permit, and the day’s ceiling of the shop, pause it at the same question', async () => {
  for (const why of ['saturated', 'circuit-open', 'ceiling'] as const) {
    let refusals = 1
    const { one } = setUp({
      answer: async ({ message }) => (message === 'q1' && refusals-- > 0 ? { kind: 'skipped', why } : MADE),
    })
    await one.round()
    assert.deepEqual(one.counted('prewarm_paused_total')[0]?.fields, { reason: why })
    await one.round()
    assert.deepEqual(one.asked, ['q0', 'q1', 'q1', 'q2', 'q3'])
  }
})

test('a node that drains leaves the rest to another at once', async () => {
  const { node } = setUp()
  const one = node('one', {
    answer: async ({ message }) => {
      if (message === 'q1') one.draining.abort()
      return MADE
    },
  })
  const two = node('two')
  await one.round()
  await one.round()
  await two.round()
  assert.deepEqual(
    [one.asked, two.asked],
    [
      ['q0', 'q1'],
      ['q2', 'q3'],
    ],
  )
})

test('after a change of the released products it is repeated, a few times at most', async () => {
  const { one } = setUp()
  const passes = []
  for (const digest of ['first', 'second', 'second', 'third', 'first', 'fourth', 'fifth', 'sixth']) {
    one.state.releases = sampleReleases(1, { digest })
    await one.round()
    passes.push(one.asked.length)
  }
  assert.deepEqual(passes, [1, 2, 2, 3, 3, 4, 4, 4])
})

test('switched off, nothing is done', async () => {
  const off = setUp({ settings: { enabled: false } })
  await off.one.round()
  assert.deepEqual([off.one.asked, off.one.searched, off.one.events()], [[], [], []])
})

test('that a day has no releases is said once, by the leader, and releases that come later are prewarmed', async () => {
  const { node } = setUp()
  const [one, two] = [node('one'), node('two')]
  two.state.leads = false
  for (const each of [one, two]) {
    each.state.releases = sampleReleases(0, { digest: 'none' })
    for (let rounds = 0; rounds < 3; rounds += 1) await each.round()
  }
  assert.deepEqual(
    [one, two].map((each) => each.events()),
    [['prewarm.no-releases'], []],
  )
  one.state.releases = sampleReleases()
  await one.round()
  assert.deepEqual(one.asked, ALL)
})

test('a day without releases that was asked for is said too', async () => {
  const { one } = setUp({ settings: { enabled: false } })
  one.state.leads = false
  one.state.releases = sampleReleases(0)
  one.ask(RELEASE_DAY)
  for (let rounds = 0; rounds < 3; rounds += 1) await one.round()
  assert.deepEqual(
    one.telemetry.logged.map(({ event, fields }) => [event, fields]),
    [['prewarm.no-releases', { day: RELEASE_DAY }]],
  )
})

test('stored progress of another version starts the day again', async () => {
  const { tasks, one } = setUp()
  const lease = { owner: 'old', leaseMs: 1000 }
  await tasks.take(`prewarm:${RELEASE_DAY}`, lease)
  await tasks.save(`prewarm:${RELEASE_DAY}`, '{"next":"two"}', { ...lease, leaseMs: 0 })
  await one.round()
  assert.deepEqual(one.asked, ALL)
})

test('a day that is asked for is prewarmed outside its schedule, also where that is off, and once', async () => {
  const { clock, one } = setUp({ settings: { enabled: false } }, PREWARM_AT - 10 * HOUR_MS)
  // The request may arrive at any node.
  one.state.leads = false
  await one.round()
  assert.deepEqual(one.asked, [])
  one.ask(RELEASE_DAY)
  for (let rounds = 0; rounds < 3; rounds += 1) await one.round()
  one.ask(RELEASE_DAY)
  await one.round()
  assert.deepEqual(one.asked, ALL)
  await clock.advance(24 * HOUR_MS)
  await one.round()
  assert.deepEqual(one.asked, ALL)
})

test('a day that was asked for does not keep the scheduled one from its time', async () => {
  const { clock, one } = setUp({}, PREWARM_AT - HOUR_MS)
  one.state.isReady = false
  one.ask('2026-12-20')
  await one.round()
  assert.deepEqual(one.asked, [])
  one.state.isReady = true
  await one.round()
  assert.deepEqual(one.asked, ALL)
  await clock.advance(HOUR_MS)
  await one.round()
  assert.deepEqual(one.asked, [...ALL, ...ALL])
})
