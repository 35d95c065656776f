// Whole fleets in virtual time: runs repeat to the byte, and every promise holds under faults.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promiseDrain } from '@mangaassist/server/adapters/system/promise-drain'
import type { App } from '@mangaassist/server/app/app'
import { defaults } from '@mangaassist/server/config/config'
import { dayOf } from '@mangaassist/server/domain/budget/day'
import { tierLimits } from '@mangaassist/server/domain/budget/tier-limits'
import { someFaq, someProducts } from '@mangaassist/server/fixtures/shop/shelves'
import type { FleetRun } from '../src/fleet/fleet-run.ts'
import { CLEAR_NETWORK } from '../src/network/store-network.ts'
import { policies } from '../src/policies/policies.ts'
import type { Fault } from '../src/scenario/fault-shapes.ts'
import { completeScenario } from '../src/scenario/scenario.ts'
import { SWARM_MODELS } from '../src/swarm/swarm-models.ts'
import type { Crowd } from '../src/world/crowd.ts'
import type { FleetWorld } from '../src/world/fleet-world.ts'
import { runFleet } from '../src/world/run-fleet.ts'
import type { RunFleetOptions } from '../src/world/run-fleet.ts'
import type { Visit } from '../src/world/person.ts'
import { openShop } from '../src/world/shop.ts'

const shop = await openShop(someProducts, someFaq)
/** With these seeds a reader sees text that the next owner replaces. */
const DIVERGING_SEEDS = [1, 7, 8]
const people = { doubleTapShare: 0.1, disconnectShare: 0.1, deviceSwitchShare: 0.05, stopShare: 0.05 }

interface Seen {
  readonly run: FleetRun
  readonly world: FleetWorld
  readonly crowd: Crowd
}

async function fleet(faults: readonly Fault[], options: Partial<RunFleetOptions> = {}): Promise<Seen> {
  const arrivals = { perSecond: 4 }
  const scenario = completeScenario({
    name: 'test',
    about: 'A test.',
    nodes: 4,
    arrivals,
    durationS: 24,
    faults,
    people,
  })
  let seen: Omit<Seen, 'run'> | undefined
  const run = await runFleet({
    scenario,
    policy: policies.ours,
    config: defaults,
    seed: 1,
    shop,
    drain: promiseDrain(),
    habits: { secondShare: 0.2, repeatShare: 0.1 },
    ...options,
    async onRest(world, crowd, regions) {
      seen = { world, crowd }
      await options.onRest?.(world, crowd, regions)
    },
  })
  assert.ok(seen)
  return { run, ...seen }
}

function assertAllAnswered({ run, world }: Seen): void {
  assert.deepEqual(run.breaches, [])
  const sum = (field: 'arrivals' | 'answered') => run.seconds.reduce((total, second) => total + second[field], 0)
  assert.ok(sum('arrivals') > 50)
  assert.equal(sum('answered'), sum('arrivals'))
  assert.deepEqual(
    world.telemetry.errors.filter(({ event }) => event === 'turn.failed'),
    [],
  )
}

function gaugeOf(app: App, wanted: string): unknown {
  let value: unknown
  app.exportGauges({ gauge: (name, read) => void (name === wanted && (value = read())), cumulative() {} })
  return value
}

/** Runs until late charges have arrived, then checks that budgets and ledger agree. */
async function assertLedgerAgrees(world: FleetWorld, crowd: Crowd): Promise<void> {
  world.networkQuality = CLEAR_NETWORK
  await world.time.run({ until: world.time.now() + 90_000, eventsMax: 10_000_000 })
  assert.equal(
    world.nodes.reduce((sum, node) => sum + node.unsettled, 0),
    0,
  )
  const day = dayOf(world.time.now(), world.config.store.timeZone)
  for (const principalId of crowd.principals) {
    const { reserved, used } = await world.stores.budgets.quota(principalId, tierLimits(world.config, 'free'), day)
    const ledger = await world.stores.ledger.totals({ principalId, day: day.key })
    assert.deepEqual(
      [principalId, used.outputTokens, used.inputTokens],
      [principalId, ledger.outputTokens, ledger.inputTokens],
    )
    assert.equal(reserved.outputTokens, 0)
  }
}

test('the same seed gives the same run to the byte, another seed a different one', async () => {
  const faults: Fault[] = [
    { kind: 'node-crash', atS: 6, count: 1 },
    { kind: 'state-partition', atS: 8, forS: 6, share: 0.5 },
  ]
  const networkQuality = { oneWayMs: 2, spread: 0.8, lostBefore: 0.01, lostAfter: 0.01 }
  const [first, again, other] = [
    await fleet(faults, { networkQuality }),
    await fleet(faults, { networkQuality }),
    await fleet(faults, { networkQuality, seed: 2 }),
  ]
  assert.equal(first.run.traceHash, again.run.traceHash)
  assert.deepEqual(first.run.seconds, again.run.seconds)
  assert.notEqual(first.run.traceHash, other.run.traceHash)
})

test('crashed nodes lose no answer: other nodes continue their turns', async () => {
  const seen = await fleet(
    [
      { kind: 'node-crash', atS: 6, count: 2 },
      { kind: 'node-crash', atS: 14, count: 2 },
    ],
    { onRest: assertLedgerAgrees },
  )
  assertAllAnswered(seen)
  assert.equal(seen.world.seen.get('crash'), 4)
  assert.ok((seen.world.telemetry.counts.get('turn_taken_over_total') ?? 0) > 0)
})

test('a node that cannot reach the shared store answers standalone, and its grants are charged when the store is back', async () => {
  const seen = await fleet([{ kind: 'state-partition', atS: 5, forS: 6, share: 0.5 }], { onRest: assertLedgerAgrees })
  assertAllAnswered(seen)
  const { counts } = seen.world.telemetry
  assert.ok((counts.get('budget_standalone_granted_total') ?? 0) > 0)
  assert.ok((counts.get('turn_log_backfilled_total') ?? 0) > 0)
  assert.ok((counts.get('lane_standalone_ended_total') ?? 0) > 0)
})

test('nodes that are cut off for longer than a lease, crash or lose replies never change shown text', async () => {
  const faults: Fault[] = [
    { kind: 'node-crash', atS: 4, count: 1 },
    { kind: 'state-partition', atS: 5, forS: 13, share: 0.5 },
    { kind: 'stalls', atS: 2, forS: 18, share: 0.1 },
    { kind: 'node-crash', atS: 15, count: 1 },
  ]
  const networkQuality = { oneWayMs: 2, spread: 0.8, lostBefore: 0.005, lostAfter: 0.005 }
  let diverged = 0
  for (const seed of DIVERGING_SEEDS) {
    const seen = await fleet(faults, { networkQuality, seed })
    assertAllAnswered(seen)
    diverged += seen.world.telemetry.counts.get('reader_diverged_total') ?? 0
  }
  assert.ok(diverged > 0, 'a reader saw text that the turn does not have, and was notified')
})

test('a store outage longer than every lease moves no turn to another node', async () => {
  const seen = await fleet([
    { kind: 'state-restart', atS: 5, downS: 16 },
    { kind: 'stalls', atS: 2, forS: 18, share: 0.2 },
  ])
  assertAllAnswered(seen)
  const { counts } = seen.world.telemetry
  assert.ok((counts.get('turn_log_backfilled_total') ?? 0) > 0)
  assert.equal(counts.get('turn_taken_over_total'), undefined)
})

test('replies that are lost after execution cause no double charge', async () => {
  const networkQuality = { oneWayMs: 1, spread: 0.5, lostBefore: 0, lostAfter: 0.05 }
  const seen = await fleet([], { networkQuality, onRest: assertLedgerAgrees })
  assertAllAnswered(seen)
  assert.ok((seen.world.telemetry.counts.get('redis_call_timeout_total') ?? 0) > 50)
})

test('a node paused for longer than its leases writes nothing to turns that others took over', async () => {
  const seen = await fleet([{ kind: 'node-pause', atS: 5, forS: 14, count: 2 }], { onRest: assertLedgerAgrees })
  assertAllAnswered(seen)
  assert.ok((seen.world.telemetry.counts.get('turn_taken_over_total') ?? 0) > 0)
})

test('at most one node leads while nodes die, pause, drain and are cut off, and one does at the end', async () => {
  let world: FleetWorld | undefined
  const leaders: number[] = []
  const count = () => {
    const awake = world?.nodes.filter(({ clock, isGone }) => !isGone && !clock.isPaused) ?? []
    leaders.push(awake.filter(({ app }) => gaugeOf(app, 'node_is_leader') === 1).length)
  }
  const faults: Fault[] = [
    { kind: 'node-crash', atS: 4, count: 1 },
    { kind: 'node-pause', atS: 6, forS: 17, count: 1 },
    { kind: 'state-partition', atS: 8, forS: 20, share: 0.5 },
    { kind: 'deploy', atS: 30, forS: 20 },
  ]
  const { run } = await fleet(faults, {
    onWorld: (made) => (world = made),
    onSecond: count,
    onRest: () => count(),
  })
  assert.deepEqual(run.breaches, [])
  assert.ok(leaders.length > 20)
  assert.ok(Math.max(...leaders) <= 1, leaders.join(' '))
  assert.equal(leaders.at(-1), 1)
})

test('a paused, slow or restarted store loses no answer', async () => {
  const seen = await fleet(
    [
      { kind: 'state-pause', atS: 4, forS: 4 },
      { kind: 'state-latency', atS: 11, forS: 4, delayMs: 40 },
      { kind: 'state-restart', atS: 18, downS: 2 },
    ],
    { onRest: assertLedgerAgrees },
  )
  assertAllAnswered(seen)
})

test('a rolling deploy interrupts no answer', async () => {
  const seen = await fleet([{ kind: 'deploy', atS: 4, forS: 12 }])
  assertAllAnswered(seen)
  assert.equal(seen.world.seen.get('drain'), 4)
  assert.equal(seen.world.seen.get('end interrupted'), undefined)
})

test('clock errors of seconds change nothing that a client can see', async () => {
  const seen = await fleet([], {
    aheadMs: (index) => [-4000, 0, 4000, 30_000][index] ?? 0,
    onRest: assertLedgerAgrees,
  })
  assertAllAnswered(seen)
})

test('hostile clients see no foreign data and cost other clients nothing', async () => {
  const seen = await fleet([], { habits: { hostileShare: 0.3 } })
  assertAllAnswered(seen)
  for (const wrong of ['flood', 'long', 'foreign', 'garbage']) assert.ok(seen.world.seen.has(`hostile ${wrong}`), wrong)
})

test('in an outage of every model every shopper gets an answer, and afterwards the first model answers again', async () => {
  const { run, world } = await fleet([{ kind: 'outage', atS: 4, forS: 8, target: 'all' }])
  assert.deepEqual(run.breaches, [])
  assert.ok((world.seen.get('tier message') ?? 0) > 0)
  const after = run.seconds.slice(-5)
  assert.ok(after.some(({ goodOfFirst }) => goodOfFirst > 0))
  assert.ok(run.moments.some(({ what }) => what.includes('outage')))
})

test('with hedging every promise holds, also when nodes die, and both calls are in the ledger', async () => {
  const config = { ...defaults, hedge: { enabled: true, shareMax: 0.2, perTenSecondsMax: 100 } }
  const facts = SWARM_MODELS['primary']
  assert.ok(facts)
  const faults: readonly Fault[] = [
    // Once the usual time is known: slow calls from the start would be the usual ones.
    { kind: 'slow-words', atS: 10, forS: 14, share: 0.1, delayMs: 4000 },
    { kind: 'node-crash', atS: 16, count: 2 },
  ]
  const seen = await fleet(faults, { config, factsOf: () => facts })
  assertAllAnswered(seen)
  const stopped: string[] = []
  for await (const { outcome, turnId } of seen.world.stores.ledger.rows({}))
    if (outcome === 'cancelled') stopped.push(turnId)
  assert.ok(stopped.length > 0)
  for (const turnId of stopped) {
    const rows = await seen.world.stores.ledger.ofTurn(turnId)
    assert.ok(rows.length >= 2, turnId)
    assert.ok(rows.every(({ inputTokens }) => inputTokens > 0))
  }
})

test('before a release one node of the fleet prewarms, and shoppers who ask in its words wait for no model', async () => {
  const scenario = completeScenario({
    name: 'release',
    about: 'A release.',
    nodes: 3,
    arrivals: { perSecond: 1, shape: [{ atS: 60, factor: 4, newVolumeShare: 1 }] },
    durationS: 70,
    ladder: { primary: { callsPerSecond: 10 } },
  })
  const release = async (enabled: boolean) => {
    const visits: Visit[] = []
    const schedule = { 'store.prewarm.weekdays': ['monday'], 'store.prewarm.time': '22:13' }
    const settings = { ...schedule, 'store.prewarm.enabled': enabled }
    const { run, world } = await fleet([], {
      scenario: { ...scenario, settings },
      onVisit: (visit) => void (visit.isAboutNewVolume && visits.push(visit)),
    })
    assert.deepEqual(run.breaches, [])
    assert.ok(visits.length > 20 && visits.every(({ atMs }) => atMs >= 60_000))
    const cached = visits.filter(({ firstTier }) => firstTier === 'cached-fresh').length
    const counted = (name: string) => world.telemetry.counts.get(name) ?? 0
    return { cached, asked: counted('prewarm_questions_total'), runs: counted('prewarm_runs_total') }
  }
  const [off, on] = [await release(false), await release(true)]
  assert.deepEqual([off.asked, off.runs, on.asked, on.runs], [0, 0, 14, 1])
  assert.ok(on.cached > off.cached, `${on.cached} with a prewarm, ${off.cached} without`)
})
