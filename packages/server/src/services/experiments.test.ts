// Experiments in the hands of operators, and the guard: what runs, what is in the audit, and which arm is stopped.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runningExperiments } from '#domain/experiments/running-experiments.ts'
import type { TurnRecord } from '#domain/turn-records/turn-record.ts'
import { fakeAdmin } from '#fixtures/edge/fake-admin.ts'
import { sampleExperiments, sampleTurns, SHORT } from '#fixtures/experiments/sample-experiments.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { createExperimentGuard } from './experiment-guard.ts'
import { createExperimentQueries } from './experiments.ts'
import { createPrincipalLimits } from './principal-limits.ts'

const author = { by: 'aki', reason: 'a test' }
const config = { ...testConfig, experiments: sampleExperiments }

function operated() {
  const clock = manualClock()
  const fake = fakeAdmin(clock, config)
  const guard = createExperimentGuard({ ...fake, clock, config, random: seededRandom(2) })
  const stateOf = async () => (await fake.limits.latest()).experiments.states.get('short')
  const add = (change: (turn: TurnRecord) => Partial<TurnRecord>) => {
    const turns = sampleTurns(clock.now() + 1, { count: 300 })
    return fake.turnRecords.add(turns.map((turn) => ({ ...turn, ...change(turn) })))
  }
  return { ...fake, clock, guard, stateOf, add }
}

const isShort = ({ routing }: TurnRecord) => routing?.exposures[0]?.arm === 'short'

test('nothing runs until it is started, and nothing after it is stopped', async () => {
  const { limits, queries } = operated()
  const running = () => runningExperiments(config.experiments, limits.experiments())?.names
  assert.equal(running(), undefined)
  await queries.startExperiment('short', author)
  assert.deepEqual(running(), ['short'])
  await queries.stopExperiment('short', author)
  assert.equal(running(), undefined)
})

test('another node runs it after the poll that a question makes, without reading more', async () => {
  const fake = operated()
  const other = createPrincipalLimits({ ...fake, config })
  const running = () => runningExperiments(config.experiments, other.experiments())?.names
  await other.of({ id: 'guest_1', tier: 'free' })
  await fake.queries.startExperiment('short', author)
  assert.equal(running(), undefined)
  await fake.clock.advance(5000)
  await other.of({ id: 'guest_1', tier: 'free' })
  assert.deepEqual(running(), ['short'])
})

test('starting again keeps the key, so that each unit keeps its arm', async () => {
  const { limits, queries } = operated()
  await queries.startExperiment('short', author)
  const { key } = limits.experiments()
  assert.match(key ?? '', /^[0-9a-f]{64}$/u)
  await queries.stopExperiment('short', author)
  await queries.startExperiment('short', { ...author, reason: 'again' })
  assert.equal(limits.experiments().key, key)
  const [shown] = await queries.experiments()
  assert.deepEqual([shown?.state, shown?.started?.reason, shown?.stopped], ['running', 'again', null])
})

test('each change is in the audit with the state before and after it', async () => {
  const { admin, queries } = operated()
  await queries.startExperiment('short', author)
  await queries.stopExperiment('short', { by: 'ken', reason: 'enough' })
  const lines = await admin.audit({ limit: 10, subject: 'short' })
  assert.deepEqual(
    lines.map(({ action, by, reason }) => [action, by, reason]),
    [
      ['experiment-stopped', 'ken', 'enough'],
      ['experiment-started', 'aki', 'a test'],
    ],
  )
  assert.deepEqual(lines[0]?.before, lines[1]?.after)
})

test('an unknown experiment, a second start and a stop of what does not run are refused', async () => {
  const { queries } = operated()
  await assert.rejects(queries.startExperiment('other', author), { code: 'NOT_FOUND' })
  await assert.rejects(queries.startExperiment('constructor', author), { code: 'NOT_FOUND' })
  await assert.rejects(queries.stopExperiment('short', author), { code: 'INVALID_REQUEST' })
  await assert.rejects(queries.experimentReport('short'), { code: 'INVALID_REQUEST' })
  await queries.startExperiment('short', author)
  await assert.rejects(queries.startExperiment('short', author), { code: 'INVALID_REQUEST' })
})

test('a node whose configuration splits or changes otherwise does not run it, and says so', async () => {
  const fake = operated()
  await fake.queries.startExperiment('short', author)
  const withArms = (arms: typeof SHORT.arms) => ({ ...sampleExperiments, list: { short: { ...SHORT, arms } } })
  for (const experiments of [
    withArms({ ...SHORT.arms, control: { weight: 3 } }),
    withArms({ ...SHORT.arms, short: { weight: 1, change: { maxTokens: 300 } } }),
    { ...sampleExperiments, holdoutShare: 0.1 },
  ]) {
    assert.equal(runningExperiments(experiments, fake.limits.experiments()), undefined)
    const parts = { ...fake, config: { ...config, experiments }, random: seededRandom(1) }
    const [shown] = await createExperimentQueries(parts).experiments()
    assert.equal(shown?.state, 'changed')
  }
})

test('a report reads from the last start to the stop', async () => {
  const { add, clock, queries } = operated()
  await queries.startExperiment('short', author)
  await add(() => ({}))
  assert.equal((await queries.experimentReport('short')).units, 300)
  await clock.advance(10_000)
  await queries.stopExperiment('short', author)
  const stopped = await queries.experimentReport('short')
  assert.deepEqual([stopped.units, stopped.to], [300, clock.now()])
  await queries.startExperiment('short', author)
  assert.equal((await queries.experimentReport('short')).units, 0)
})

test('the guard stops an arm that fails too often, once, and its units are in no arm', async () => {
  const { add, admin, guard, limits, queries, stateOf } = operated()
  await queries.startExperiment('short', author)
  await add((turn) => (isShort(turn) && turn.turnId.endsWith('0') ? { failure: 'overload' } : {}))
  await guard()
  await guard()
  const lines = await admin.audit({ limit: 10, subject: 'short' })
  assert.deepEqual(
    lines.map(({ action, by }) => [action, by]),
    [
      ['arm-stopped', 'guard'],
      ['experiment-started', 'aki'],
    ],
  )
  assert.match(
    lines[0]?.reason ?? '',
    /^\d+\.\d % of the turns of \d+ shoppers failed \(surely over \d+\.\d %\); errorShareMax is 10\.0 %$/u,
  )
  assert.equal((await stateOf())?.stoppedArms?.['short']?.by, 'guard')
  const running = runningExperiments(config.experiments, limits.experiments())!
  const arms = Array.from({ length: 500 }, (_, unit) => running.armsOf(`unit-${unit}`)[0]?.arm ?? 'none')
  assert.deepEqual(new Set(arms), new Set(['control', 'none', 'holdout']))
})

test('the guard stops an arm that costs too much', async () => {
  const { add, guard, queries, stateOf } = operated()
  await queries.startExperiment('short', author)
  await add((turn) => ({ costMicroUsd: (isShort(turn) ? 400 : 200) + (turn.turnId.endsWith('0') ? 1 : -1) }))
  await guard()
  const { reason } = (await stateOf())?.stoppedArms?.['short'] ?? {}
  assert.match(reason ?? '', /^a turn costs 2\.00 times control's with \d+ shoppers; costRatioMax is 1\.5$/u)
})

test('an arm within its bounds, with few turns, or that fails as control does is not stopped', async () => {
  const fine = operated()
  await fine.queries.startExperiment('short', author)
  await fine.add(() => ({}))
  await fine.guard()
  assert.equal((await fine.stateOf())?.stoppedArms, undefined)

  const outage = operated()
  await outage.queries.startExperiment('short', author)
  await outage.add(() => ({ failure: 'overload' }))
  await outage.guard()
  assert.equal((await outage.stateOf())?.stoppedArms, undefined)

  const few = operated()
  await few.queries.startExperiment('short', author)
  await few.turnRecords.add(
    sampleTurns(few.clock.now() + 1, { count: 20 }).map((turn) => ({ ...turn, failure: 'overload' })),
  )
  await few.guard()
  assert.equal((await few.stateOf())?.stoppedArms, undefined)
})

test('the guard reads no records while nothing runs', async () => {
  const { clock, queries, turnRecords, ...fake } = operated()
  let reads = 0
  const counting = {
    all: (filter: Parameters<typeof turnRecords.all>[0]) => {
      reads += 1
      return turnRecords.all(filter)
    },
  }
  const parts = { ...fake, clock, config, random: seededRandom(3), turnRecords: counting }
  const guard = createExperimentGuard(parts)
  await guard()
  assert.equal(reads, 0)
  await queries.startExperiment('short', author)
  await guard()
  assert.equal(reads, 1)
})
