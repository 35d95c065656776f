// What operators learn about a circuit that opens and closes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryLanes } from '#adapters/memory/lanes.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { NodeLane } from '#domain/lane/node-lane.ts'
import { dependencyPolicy, policyFor } from '#domain/lane/policy-for.ts'
import type { Outcome } from '#domain/lane/outcome.ts'
import type { LaneChange } from '#domain/model-history/lane-change.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { createLaneWatch } from './lane-watch.ts'

function setUp() {
  const clock = manualClock()
  const telemetry = memoryTelemetry()
  const policies = new Map([['main', policyFor(testConfig, 'primary')]])
  const lanes = memoryLanes({ clock, random: seededRandom(1), policies, leaseMs: 10_000 })
  const changes: LaneChange[] = []
  const watch = createLaneWatch({
    clock,
    telemetry,
    lanes,
    modelLanes: new Map([['main', ['primary', 'spare']]]),
    nodeLanes: [],
    node: 'node_1',
    changed: (change) => void changes.push(change),
  })
  let calls = 0
  /** One call of a shopper, and a tick after it. */
  const call = async (outcome: Outcome) => {
    const id = `call-${(calls += 1)}`
    const answer = await lanes.permit('main', { id, ask: { kind: 'first' } })
    if (answer.kind === 'refused') watch.refused('main')
    else await lanes.report('main', id, outcome)
    await lanes.tick()
    watch.check()
    return answer.kind
  }
  const events = () => telemetry.logged.map(({ event }) => event)
  return { clock, telemetry, watch, call, events, changes, lanes }
}

test('an outage is logged once at its start and once at its end, with its duration and refused calls', async () => {
  const { clock, telemetry, watch, call, events } = setUp()
  for (let failure = 0; failure < 3; failure += 1) await call('fault')
  assert.deepEqual(events(), ['lane.opened'])
  assert.equal(await call('fault'), 'refused')
  // 80 s of total outage with a question every ten seconds: the circuit is probed and opens repeatedly.
  const downMs: number[] = []
  for (let second = 0; second < 80; second += 10) {
    await clock.advance(10_000)
    await call('fault')
    downMs.push(watch.downMs().get('main') ?? 0)
  }
  assert.deepEqual(events(), ['lane.opened'])
  for (const lane of ['primary', 'spare']) {
    const opened = telemetry.counted.filter(
      ({ name, fields }) => name === 'lane_opened_total' && fields['lane'] === lane,
    )
    assert.ok(opened.length > 3, 'under each configured name of the lane')
  }
  // The alarm of operations.md: down for more than a minute.
  assert.deepEqual(
    downMs.map((ms) => ms > 60_000),
    [false, false, false, false, false, false, true, true],
  )
  for (let probe = 0; probe < 40 && events().length === 1; probe += 1) {
    await clock.advance(1000)
    await call('success')
  }
  const closed = telemetry.logged.find(({ event }) => event === 'lane.closed')
  assert.deepEqual([closed?.fields['lane'], closed?.fields['laneId']], ['primary,spare', 'main'])
  assert.ok(Number(closed?.fields['downMs']) > 80_000)
  const outage = telemetry.observed.find(({ name }) => name === 'lane_outage_seconds')
  assert.equal(outage?.value, Number(closed?.fields['downMs']) / 1000)
  assert.ok(Number(closed?.fields['openings']) > 3)
  assert.ok(Number(closed?.fields['refusedCalls']) >= 1)
  assert.equal(watch.downMs().get('main'), 0)
})

test('the circuit of a dependency is watched like a model’s lane, with its refused calls', async () => {
  const clock = manualClock()
  const telemetry = memoryTelemetry()
  const policy = dependencyPolicy(testConfig, 'search')
  const search = new NodeLane({ name: 'search', policy, now: () => clock.now(), float: () => 0.5 })
  const changes: LaneChange[] = []
  const watch = createLaneWatch({
    clock,
    telemetry,
    lanes: { seen: () => search.view() },
    modelLanes: new Map(),
    nodeLanes: [search],
    node: 'node_1',
    changed: (change) => void changes.push(change),
  })
  const refuse = () => assert.equal(search.take(1000), undefined)
  watch.check()
  search.operate('force-open', 'aki')
  refuse()
  watch.check()
  refuse()
  refuse()
  await clock.advance(61_000)
  watch.check()
  assert.equal(watch.downMs().get('search'), 61_000)
  search.operate('reset', 'aki')
  watch.check()
  assert.deepEqual(
    telemetry.logged.map(({ event, fields }) => [event, fields['lane'], fields['refusedCalls']]),
    [
      ['lane.opened', 'search', undefined],
      ['lane.closed', 'search', 2],
    ],
  )
  assert.deepEqual(
    telemetry.counted.map(({ name }) => name),
    ['lane_transitions_total', 'lane_opened_total', 'lane_transitions_total', 'lane_closed_total'],
  )
  assert.deepEqual(
    changes.map(({ by, from, node, to, why }) => [why, from, to, by, node]),
    [
      ['started', null, 'closed', undefined, 'node_1'],
      ['force-open', 'closed', 'open', 'aki', 'node_1'],
      ['reset', 'open', 'closed', 'aki', 'node_1'],
    ],
  )
})

test('every change of a circuit is counted, and the time in each state adds up to that of the watch', async () => {
  const { clock, telemetry, watch, call } = setUp()
  watch.check()
  await clock.advance(10_000)
  for (let failure = 0; failure < 3; failure += 1) await call('fault')
  await clock.advance(10_000)
  await call('success')
  await clock.advance(1000)
  watch.check()
  const changes = telemetry.counted
    .filter(({ fields, name }) => name === 'lane_transitions_total' && fields['lane'] === 'primary')
    .map(({ fields }) => `${String(fields['from'])} → ${String(fields['to'])}`)
  assert.equal(changes[0], 'closed → open')
  assert.ok(changes.slice(1).every((change, index) => change.startsWith(changes[index]?.split(' → ')[1] ?? '')))
  const ms = watch.phasesMs().get('main')
  assert.ok(ms !== undefined && ms.open > 0)
  assert.equal(ms.closed + ms.recovering + ms['half-open'] + ms.open, 21_000)
})

test('every change of a circuit is reported with its reason, under an id that all nodes share', async () => {
  const { changes, clock, lanes, telemetry, watch, call } = setUp()
  watch.check()
  const onOther: LaneChange[] = []
  const other = createLaneWatch({
    clock,
    telemetry,
    lanes,
    modelLanes: new Map([['main', ['primary']]]),
    nodeLanes: [],
    node: 'node_2',
    changed: (change) => void onOther.push(change),
  })
  other.check()
  for (let failure = 0; failure < 3; failure += 1) await call('fault')
  other.check()
  for (let second = 0; second < 120 && changes.at(-1)?.to !== 'closed'; second += 1) {
    await clock.advance(1000)
    await call(second < 10 ? 'fault' : 'success')
    other.check()
  }
  assert.deepEqual(
    [changes[0]?.why, changes[1]?.why, changes[1]?.failures, changes[1]?.node],
    ['started', 'failures', 3, undefined],
  )
  const reasons = changes.map(({ why }) => why)
  for (const why of ['probe-failed', 'probes-passed'] as const) assert.ok(reasons.includes(why), why)
  // Each begins where the one before ended, but for a probe that failed between two looks.
  const isNext = ({ from, why }: LaneChange, before: LaneChange | undefined) =>
    from === before?.to || (why === 'probe-failed' && before?.to === 'open')
  assert.ok(changes.slice(1).every((change, index) => isNext(change, changes[index])))
  const ids = (seen: readonly LaneChange[]) => seen.filter(({ why }) => why !== 'started').map(({ id }) => id)
  assert.deepEqual(ids(onOther), ids(changes))
  assert.equal(new Set(ids(changes)).size, ids(changes).length)
})
