// One run: a scenario, a configuration and a seed give the whole run, second by second and as figures, the same to the
// byte each time. Callers that inspect more get the world before it starts and at rest.
import type { Config } from '@mangaassist/server/config/config'
import { CONNECTIONS_MAX, connectionsOf, laneOf } from '@mangaassist/server/domain/lane/lanes-of'
import type { ModelFacts } from '@mangaassist/server/domain/model/model-facts'
import { figuresOf } from '../fleet/figures.ts'
import type { FleetRun } from '../fleet/fleet-run.ts'
import { scaleHint } from '../fleet/scale-hint.ts'
import type { CallTokens, ScaleHint } from '../fleet/scale-hint.ts'
import type { NetworkQuality } from '../network/store-network.ts'
import { policies } from '../policies/policies.ts'
import type { FleetPolicy } from '../policies/policies.ts'
import type { CallFacts } from '../provider/call.ts'
import { capacityOf, usualServiceMs } from '../provider/capacity.ts'
import { USUAL_HABITS } from '../provider/habits.ts'
import type { Capacity } from '../provider/habits.ts'
import { WELL } from '../provider/health.ts'
import type { Health } from '../provider/health.ts'
import { isFailed, providersOf, regionOf } from '../provider/region.ts'
import type { Region } from '../provider/region.ts'
import { seededRandom } from '../virtual/random.ts'
import { completeScenario } from '../scenario/scenario.ts'
import type { FleetScenario } from '../scenario/scenario.ts'
import { arrivalFactorAt, faultSpan, incidentsOf, newVolumeShareAt, timelineOf } from '../scenario/timeline.ts'
import { TimelineRunner, NORMAL_NETWORK } from './timeline-runner.ts'
import { Crowd } from './crowd.ts'
import { fleetConfig } from './fleet-config.ts'
import { FleetWorld } from './fleet-world.ts'
import type { PersonHabits } from './person-habits.ts'
import type { Visit } from './person.ts'
import { Sampler } from './sampler.ts'
import type { Shop } from './shop.ts'

export interface RunFleetOptions {
  readonly scenario: FleetScenario
  readonly policy: FleetPolicy
  /** The base that the policy changes; models and ladder come from the scenario. */
  readonly config: Config
  readonly seed: number
  /** The seed whose shoppers come, at its times and with its questions. Default: `seed`. */
  readonly crowdSeed?: number
  /** Default: the scenario's number. */
  readonly nodes?: number
  readonly shop: Shop
  /** Facts of a model, such as its price. */
  readonly factsOf?: ((modelId: string) => ModelFacts | undefined) | undefined
  /** Runs all pending promise callbacks; `adapters/system/promise-drain.ts`. */
  readonly drain: () => Promise<void>
  readonly habits?: Partial<PersonHabits>
  readonly networkQuality?: NetworkQuality
  /** Clock error of each node at the start. */
  readonly aheadMs?: (index: number) => number
  /** Called at the end of each virtual second with the number of seconds done. */
  readonly onSecond?: (doneS: number) => void
  /** Called for each arrival; its later fields are set during the run. */
  readonly onVisit?: (visit: Visit) => void
  readonly onWorld?: (world: FleetWorld) => void
  readonly onRest?: (world: FleetWorld, crowd: Crowd, regions: ReadonlyMap<string, Region>) => Promise<void> | void
}

const STARTS_AT = 1_790_000_000_000
/** Time after the last arrival in which waiting shoppers may still be answered. */
const REST_MS = 180_000
const EVENTS_MAX = 200_000_000
const SECOND_MS = 1000
/** For a region whose slots and quota are given. */
const NOTHING_USED = { inputTokens: 0, outputTokens: 0 }

export async function runFleet(options: RunFleetOptions): Promise<FleetRun> {
  const run = await simulate(options)
  return { ...run, hint: await hintFor(run, options) }
}

/** Without the hint, which needs a run that measures a call. */
async function simulate(
  options: RunFleetOptions,
  onCall: (call: CallFacts) => void = () => {},
): Promise<Omit<FleetRun, 'hint'>> {
  const { drain, scenario, seed, shop } = options
  const nodes = options.nodes ?? scenario.nodes
  const config = fleetConfig(options.policy.config(options.config), scenario)
  const { lane, name: policy } = options.policy
  const policed = lane === undefined ? {} : { lanePolicy: lane }
  const world = new FleetWorld({ seed, config, shop, startsAt: STARTS_AT, drain, ...policed })
  options.onWorld?.(world)
  const durationMs = scenario.durationS * SECOND_MS
  const regions = new Map<string, Region>()
  const sampler = new Sampler({
    world,
    durationMs,
    servedMs: config.answers.firstWordMs,
    inFlight: () => regions.values().reduce((sum, region) => sum + region.alive(), 0),
    lanes: new Map(scenario.ladder.map(({ name }) => [name, laneOf(config, name)])),
    onSecond: options.onSecond,
  })
  const health = (name: string) => runner?.health(name) ?? WELL
  for (const { habits, model, name, size } of scenario.ladder) {
    const isGiven = size.slots !== undefined && size.tokensPerMinute !== undefined
    const capacity = capacityOf(size, isGiven ? NOTHING_USED : await usualCall(scenario, options), habits.quotaGrant)
    const facts = options.factsOf?.(model)
    regions.set(name, sampledRegion({ capacity, facts, habits, model, name }, { world, sampler, health, onCall }))
  }
  world.providers = providersOf(regions)
  let runner: TimelineRunner | undefined
  runner = new TimelineRunner(world, {
    nodes,
    steps: timelineOf(scenario),
    networkQuality: options.networkQuality ?? NORMAL_NETWORK,
    aheadMs: options.aheadMs,
  })
  const firstWordsMs: number[] = []
  const arrivedMs = new Map<string, number>()
  const crowd = crowdOf(options, world, { sampler, firstWordsMs, arrivedMs })

  await world.time.run({ until: STARTS_AT + durationMs, eventsMax: EVENTS_MAX })
  const isAtRest = () => crowd.people.size === 0
  await world.time.run({ until: STARTS_AT + durationMs + REST_MS, eventsMax: EVENTS_MAX, stop: isAtRest })
  await options.onRest?.(world, crowd, regions)
  // The ledger has the principal of every call, so calls need not carry their arrival time.
  for await (const { attempt, principalId } of world.stores.ledger.rows({})) {
    const cameMs = attempt > 0 ? arrivedMs.get(principalId) : undefined
    if (cameMs !== undefined) sampler.attemptCaused(cameMs)
  }
  const seconds = sampler.seconds()
  const faults = faultSpan(scenario)
  const { costMicroUsd: microUsd } = await world.stores.ledger.totals({})
  return {
    scenario: scenario.name,
    policy,
    seed,
    nodes,
    arrivalsPerSecond: scenario.arrivals.perSecond,
    faults,
    incidents: incidentsOf(scenario),
    seconds,
    moments: world.moments,
    figures: figuresOf(seconds, { faults, firstWordsMs, microUsd }),
    traceHash: world.traceHash(),
    breaches: world.breaches,
  }
}

/** The facts about people that a run records. */
interface Sampled {
  readonly sampler: Sampler
  readonly firstWordsMs: number[]
  readonly arrivedMs: Map<string, number>
}

interface SampledModel extends Pick<FleetScenario['ladder'][number], 'habits' | 'model' | 'name'> {
  readonly capacity: Capacity
  readonly facts: ModelFacts | undefined
}

interface RegionParts {
  readonly world: FleetWorld
  readonly sampler: Sampler
  readonly health: (name: string) => Health
  readonly onCall: (call: CallFacts) => void
}

function sampledRegion(
  { capacity, facts, habits, model, name }: SampledModel,
  { world, sampler, health, onCall }: RegionParts,
): Region {
  return regionOf({
    lane: name,
    modelId: model,
    ...(facts === undefined ? {} : { facts }),
    clock: world.clock,
    random: world.random.fork(`region ${name}`),
    capacity,
    habits,
    health: () => health(name),
    onCall: (call) => {
      sampler.attempted(call.at - STARTS_AT)
      onCall(call)
    },
    onEnd: ({ at, number }, outcome) => {
      world.trace(`call ${name} ${number} ${outcome}`)
      if (isFailed(outcome)) sampler.attemptFailed(at - STARTS_AT)
    },
  })
}

function crowdOf(
  { crowdSeed, habits, onVisit, scenario, seed, shop }: RunFleetOptions,
  world: FleetWorld,
  { sampler, firstWordsMs, arrivedMs }: Sampled,
): Crowd {
  const { perSecond, shape } = scenario.arrivals
  return new Crowd({
    world,
    random: seededRandom(crowdSeed ?? seed).fork('crowd'),
    habits: { secondShare: 0, repeatShare: 0, ...scenario.people, ...habits },
    arrivalsPerSecond: (atMs) => perSecond * arrivalFactorAt(scenario, atMs),
    arrivalsPerSecondMax: perSecond * Math.max(1, ...shape.map(({ factor }) => factor)),
    untilMs: scenario.durationS * SECOND_MS,
    newVolume: { shareAt: (atMs) => newVolumeShareAt(scenario, atMs), questions: shop.newVolumeQuestions },
    onArrival: (visit, name) => {
      onVisit?.(visit)
      arrivedMs.set(name, visit.atMs)
      sampler.arrived(visit)
    },
    onFirstWord: (visit) => {
      sampler.firstWord(visit)
      if (visit.firstWordMs !== undefined) firstWordsMs.push(visit.firstWordMs - visit.atMs)
    },
    onEnd: (visit, { tier }) => sampler.ended(visit, tier),
  })
}

async function hintFor({ seconds }: Pick<FleetRun, 'seconds'>, options: RunFleetOptions): Promise<ScaleHint> {
  const { scenario } = options
  const config = fleetConfig(options.policy.config(options.config), scenario)
  const connections = connectionsOf(config)
  const call = await usualCall(scenario, options)
  return scaleHint({
    arrivals: seconds.map(({ arrivals }) => arrivals),
    call,
    models: scenario.ladder.map(({ name, size }) => ({
      name,
      callMs: usualServiceMs(size, call),
      connectionsMax: connections.get(laneOf(config, name)) ?? CONNECTIONS_MAX,
    })),
    runningMax: config.turns.runningMax,
    quotaBurstMs: USUAL_HABITS.quotaBurstMs,
  })
}

/** The run that measures what a call uses. */
const MEASURED = { arrivalsPerSecond: 8, durationS: 15, seed: 1 }
const UNLIMITED = { slots: 10_000, tokensPerMinute: 1_000_000_000 }
/** The settings that decide how much a call uses; the rest of a scenario's may name models that are not asked here. */
const SHAPING = /^(tiers|tokens)\./

type MeasuredBy = Pick<RunFleetOptions, 'config' | 'drain' | 'factsOf' | 'shop'>

const measured = new WeakMap<Shop, Map<string, Promise<CallTokens>>>()

/**
 * What a call of the simulated shoppers uses, which regions are sized from: a node without faults asks a region without limits. Measured once for a
 * shop and the settings that shape its prompts.
 */
export function usualCall(
  { settings }: Pick<FleetScenario, 'settings'>,
  { config, drain, factsOf, shop }: MeasuredBy,
): Promise<CallTokens> {
  const known = measured.get(shop) ?? new Map<string, Promise<CallTokens>>()
  measured.set(shop, known)
  const shaping = Object.fromEntries(Object.entries(settings).filter(([path]) => SHAPING.test(path)))
  const key = JSON.stringify([config.tokens, config.tiers, shaping])
  const call = known.get(key) ?? measure(shaping, { config, drain, factsOf, shop })
  known.set(key, call)
  return call
}

async function measure(settings: FleetScenario['settings'], options: MeasuredBy): Promise<CallTokens> {
  const scenario = completeScenario({
    name: 'usual',
    about: 'What a call uses.',
    nodes: 1,
    arrivals: { perSecond: MEASURED.arrivalsPerSecond },
    durationS: MEASURED.durationS,
    ladder: { primary: UNLIMITED },
    people: { doubleTapShare: 0, disconnectShare: 0, deviceSwitchShare: 0, stopShare: 0 },
    settings,
  })
  let counts: ReturnType<Region['counts']> | undefined
  let maxOutputTokens = 0
  await simulate(
    {
      ...options,
      scenario,
      policy: policies.ours,
      seed: MEASURED.seed,
      onRest: (_, __, regions) => void (counts = regions.get('primary')?.counts()),
    },
    (call) => (maxOutputTokens += call.maxOutputTokens),
  )
  if (counts === undefined || counts.ended === 0) throw new Error('no call of the simulated shoppers has ended')
  return {
    inputTokens: counts.inputTokens / counts.ended,
    outputTokens: counts.outputTokens / counts.ended,
    maxOutputTokens: maxOutputTokens / counts.attempts,
  }
}
