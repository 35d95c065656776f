// Runs one plan: a small fleet under faults with every invariant watched, then healed; after that everything must come
// to rest within a stated time. The same plan gives the same trace, to the byte.
import { defaults } from '@mangaassist/server/config/config'
import { laneOf } from '@mangaassist/server/domain/lane/lanes-of'
import { capacityOf } from '../provider/capacity.ts'
import type { UsualCall } from '../provider/capacity.ts'
import { WELL } from '../provider/health.ts'
import type { CallFacts } from '../provider/call.ts'
import { providersOf, regionOf } from '../provider/region.ts'
import type { Region } from '../provider/region.ts'
import { spanOf } from '../scenario/fault-shapes.ts'
import { completeScenario } from '../scenario/scenario.ts'
import type { FleetScenario } from '../scenario/scenario.ts'
import { timelineOf } from '../scenario/timeline.ts'
import type { AnswerCheck } from '../world/answer-check.ts'
import { TimelineRunner } from '../world/timeline-runner.ts'
import { Crowd } from '../world/crowd.ts'
import { fleetConfig } from '../world/fleet-config.ts'
import type { Shop } from '../world/shop.ts'
import { usualCall } from '../world/run-fleet.ts'
import { checkRecovery } from './check-recovery.ts'
import { isExcused } from './excuses.ts'
import { checkBounds, checkRest, unfinishedWork } from './invariants.ts'
import type { WatchedRun } from './invariants.ts'
import { isAct, schedulePlan } from './schedule-plan.ts'
import type { SwarmPlan } from './plan.ts'
import type { PlantedBug } from './planted.ts'
import { SWARM_MODELS } from './swarm-models.ts'
import { SwarmWorld } from './swarm-world.ts'
import { Watchers } from './watched-stores.ts'
import type { WatchReport } from './watch/watch-report.ts'

export interface RunSeedParts {
  readonly shop: Shop
  /** Runs all pending promise callbacks; `adapters/system/promise-drain.ts`. */
  readonly drain: () => Promise<void>
  readonly planted?: PlantedBug
}

export interface SeedRun {
  readonly plan: SwarmPlan
  readonly breaches: readonly string[]
  /** The events that led to the first breach. */
  readonly history: readonly string[]
  /** Every state that was seen, and every counter of the telemetry. */
  readonly seen: ReadonlySet<string>
  readonly traceHash: string
  readonly events: number
  readonly virtualMs: number
  /** Time from the last arrival to rest. */
  readonly restMs: number
}

const STARTS_AT = 1_790_000_000_000
const SECOND_MS = 1000
/** Longest time from the last arrival to rest: the longest answer, two lost owners, and every charge. */
const REST_MS = 240_000
const REST_CHECK_MS = 2000
/** Limits that let shared accounts ask, and end deferred questions without budget in time. */
const COMES_TO_REST = { 'deferred.waitMs': 60_000, 'tiers.free.requestsPerMinute': 90 }
const EVENTS_MAX = 5_000_000
const AFTER_PAUSE_MS = 300
const BREACHES_MAX = 50

export async function runSeed(plan: SwarmPlan, { drain, planted, shop }: RunSeedParts): Promise<SeedRun> {
  const scenario = scenarioOf(plan)
  const config = fleetConfig(defaults, scenario)
  const report: WatchReport = {
    breach: (kind, detail) => breach(kind, detail),
    see: (state) => world.see(state),
    trace: (what) => world.trace(what),
    now: () => world.time.now(),
  }
  const watchers = new Watchers(report, planted)
  const world: SwarmWorld = new SwarmWorld({
    seed: `swarm ${plan.seed}`,
    config,
    shop,
    startsAt: STARTS_AT,
    drain,
    stores: (clock) => watchers.storesOn(clock),
  })
  const breach = (kind: string, detail: string): void => {
    if (world.breaches.length < BREACHES_MAX) world.breach(`${kind}: ${detail}`)
  }
  world.isExcused = (what) => isExcused(what, watchers, world)
  let runner: TimelineRunner | undefined
  const calls: CallFacts[] = []
  const usual = await usualCall({ settings: {} }, { config: defaults, drain, shop })
  const health = (lane: string) => runner?.health(lane) ?? WELL
  const regions = regionsOf(plan, { scenario, world, breach, health, calls, usual })
  world.providers = providersOf(regions)
  runner = new TimelineRunner(world, {
    nodes: plan.nodes,
    steps: timelineOf(scenario),
    networkQuality: plan.way,
    aheadMs: (index) => plan.aheadMs[index] ?? 0,
  })
  schedulePlan(world, plan)
  const answers: AnswerCheck[] = []
  const crowd = crowdOf(plan, world, answers)
  const watched: WatchedRun = {
    world,
    watchers,
    crowd,
    regions,
    calls,
    answers,
    chargesLost: () => world.chargesLost,
    breach,
  }
  sendAgainInPauses(plan, world, crowd)
  checkBoundsEverySecond(watched)
  let events = 0
  const runTo = async (until: number, stop?: () => boolean) => {
    events += await world.time.run({ until, eventsMax: EVENTS_MAX, ...(stop === undefined ? {} : { stop }) })
  }
  const lastMs = (plan.safetyS + plan.livenessS) * SECOND_MS
  await runTo(STARTS_AT + lastMs)
  let unfinished = await unfinishedWork(watched)
  while (unfinished.length > 0 && world.atMs < lastMs + REST_MS) {
    await runTo(world.time.now() + REST_CHECK_MS)
    unfinished = await unfinishedWork(watched)
  }
  for (const what of unfinished) breach('not at rest', what)
  const restMs = world.atMs - lastMs
  await checkRecovery(world, { lanes: scenario.ladder.map(({ name }) => laneOf(config, name)), runTo, breach })
  await checkRest(watched)
  return {
    plan,
    breaches: world.breaches,
    history: [...world.history, ...historyOf(world.breaches[0], watchers)],
    seen: new Set([...world.seen.keys(), ...world.telemetry.counts.keys()]),
    traceHash: world.traceHash(),
    events,
    virtualMs: world.atMs,
    restMs,
  }
}

function scenarioOf(plan: SwarmPlan): FleetScenario {
  const { budget, callsPerSecond, faults, livenessS, nodes, people, safetyS, settings } = plan
  const ofDay =
    budget === null
      ? {}
      : {
          'tiers.free.inputTokensPerDay': budget.inputTokens,
          'tiers.free.outputTokensPerDay': budget.outputTokens,
        }
  const { repeatShare: _, secondShare: __, sendAgainShare: ___, ...habits } = people
  return completeScenario({
    name: 'swarm',
    about: 'A seed of the swarm.',
    nodes,
    arrivals: { perSecond: plan.arrivalsPerSecond },
    durationS: safetyS + livenessS,
    ladder: {
      primary: { callsPerSecond: callsPerSecond.primary },
      economy: { callsPerSecond: callsPerSecond.economy },
    },
    faults: faults.filter((fault) => !isAct(fault)),
    people: habits,
    settings: { ...COMES_TO_REST, ...ofDay, ...settings },
  })
}

function regionsOf(
  { provider }: SwarmPlan,
  parts: {
    readonly scenario: FleetScenario
    readonly world: SwarmWorld
    readonly breach: WatchedRun['breach']
    readonly calls: CallFacts[]
    readonly health: (lane: string) => ReturnType<Parameters<typeof regionOf>[0]['health']>
    readonly usual: UsualCall
  },
): ReadonlyMap<string, Region> {
  const { breach, calls, health, scenario, usual, world } = parts
  return new Map(
    scenario.ladder.map(({ model, name, size }) => {
      const facts = SWARM_MODELS[name]
      const region = regionOf({
        lane: name,
        modelId: model,
        ...(facts === undefined ? {} : { facts }),
        clock: world.clock,
        random: world.random.fork(`region ${name}`),
        capacity: capacityOf(size, usual),
        habits: provider,
        health: () => health(name),
        onCall: (call) => {
          calls.push(call)
          world.trace(`call ${name} ${call.number}`)
          // By the clock of the node that set the deadline.
          const now = world.nodes.find((node) => node.name === call.node)?.clock.now() ?? 0
          if (now > call.deadlineAt) breach('a provider was called after the deadline', `${name} ${call.number}`)
        },
        onEnd: ({ number }, outcome) => world.trace(`call ${name} ${number} ${outcome}`),
      })
      return [name, region]
    }),
  )
}

function crowdOf(plan: SwarmPlan, world: SwarmWorld, answers: AnswerCheck[]): Crowd {
  const { arrivalsPerSecond, livenessS, people, regulars, safetyS } = plan
  return new Crowd({
    world,
    random: world.random.fork('crowd'),
    habits: people,
    arrivalsPerSecond: () => arrivalsPerSecond,
    arrivalsPerSecondMax: arrivalsPerSecond,
    untilMs: (safetyS + livenessS) * SECOND_MS,
    accountOf: (name, random) => (regulars === 0 ? name : `guest_regular_${random.between(1, regulars)}`),
    onArrival: () => {},
    onFirstWord: () => {},
    onEnd: () => {},
    onAnswer: (answer) => void answers.push(answer),
  })
}

/** Shoppers repeat their requests while the store is paused and just after, each at its own time. */
function sendAgainInPauses({ faults }: SwarmPlan, world: SwarmWorld, crowd: Crowd): void {
  const random = world.random.fork('send again')
  for (const fault of faults) {
    if (fault.kind !== 'state-pause') continue
    const { fromMs, toMs } = spanOf(fault)
    world.time.after(fromMs + 1, () => {
      for (const person of crowd.people) {
        world.time.after(random.between(1, toMs - fromMs + AFTER_PAUSE_MS), () => person.sendAgain())
      }
    })
  }
}

function checkBoundsEverySecond(watched: WatchedRun): void {
  checkBounds(watched)
  watched.world.time.after(SECOND_MS, () => checkBoundsEverySecond(watched))
}

/** The events of the turn that the breach names. */
function historyOf(breach: string | undefined, { turns }: Watchers): readonly string[] {
  const turnId = /turn_\w+/.exec(breach ?? '')?.[0]
  const turn = turnId === undefined ? undefined : turns.turns.get(turnId)
  return turn === undefined ? [] : [`of ${turn.turnId}:`, ...turn.history]
}
