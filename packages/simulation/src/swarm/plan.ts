// The plan of one seed of the swarm, as plain JSON: the shoppers, the faults with their times and strengths, and the
// time until everything is healthy again. A plan can be run, shrunk and stored; the seed also decides every other
// random choice.
import { seededRandom } from '../virtual/random.ts'
import type { SeededRandom } from '../virtual/random.ts'
import type { NetworkQuality } from '../network/store-network.ts'
import type { Habits } from '../provider/habits.ts'
import type { PersonHabits } from '../world/person-habits.ts'
import { faultsOf } from './plan-faults.ts'
import type { SwarmFault } from './swarm-fault.ts'

export interface SwarmPlan {
  readonly seed: number
  readonly nodes: number
  readonly arrivalsPerSecond: number
  /** Faults happen within `safetyS`; then nothing is wrong any more, and shoppers keep arriving for `livenessS`. */
  readonly safetyS: number
  readonly livenessS: number
  readonly people: PersonHabits
  /** Number of accounts that several shoppers share, such as a household on three devices; 0: every shopper is new. */
  readonly regulars: number
  /** Budget of a day, small enough to be reached; null: the default. */
  readonly budget: { readonly inputTokens: number; readonly outputTokens: number } | null
  /** Calls of average size per second that each model can handle. */
  readonly callsPerSecond: { readonly primary: number; readonly economy: number }
  readonly provider: Partial<Habits>
  /** Latency and loss between nodes and stores, until everything is healthy again. */
  readonly way: NetworkQuality
  /** Clock error of each node at the start. */
  readonly aheadMs: readonly number[]
  /** Settings of the server by their path. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly faults: readonly SwarmFault[]
}

const NODES_MAX = 5
/** Requests per minute of all shared accounts together. */
const RATE_OF_ALL = 90

export function planOf(seed: number): SwarmPlan {
  const random = seededRandom(`plan ${seed}`)
  const nodes = random.between(1, NODES_MAX)
  const safetyS = random.between(20, 40)
  const arrivalsPerSecond = round(0.5 + random.float() * 1.5)
  const livenessS = random.between(8, 16)
  const people = peopleOf(random)
  const regulars = random.happens(0.4) ? random.between(1, 4) : 0
  return {
    seed,
    nodes,
    arrivalsPerSecond,
    safetyS,
    livenessS,
    people,
    regulars,
    budget: random.happens(0.3)
      ? { inputTokens: random.between(600, 6000), outputTokens: random.between(150, 1500) }
      : null,
    callsPerSecond: {
      primary: round(arrivalsPerSecond * (0.6 + random.float() * 1.4)),
      economy: round(arrivalsPerSecond * (0.4 + random.float())),
    },
    provider: providerOf(random),
    way: networkQualityOf(random),
    aheadMs: Array.from({ length: nodes }, () => (random.happens(0.2) ? random.between(-5000, 20_000) : 0)),
    settings: settingsOf(random, regulars),
    faults: faultsOf(random, safetyS),
  }
}

function peopleOf(random: SeededRandom): PersonHabits {
  const some = (most: number) => (random.happens(0.5) ? round(random.float() * most) : 0)
  return {
    patienceMs: random.between(1500, 6000),
    resubmitShare: some(0.8),
    doubleTapShare: some(0.4),
    disconnectShare: some(0.6),
    deviceSwitchShare: some(0.3),
    stopShare: some(0.4),
    hostileShare: some(0.15),
    foreignShare: 0,
    secondShare: some(0.7),
    repeatShare: some(0.8),
    sendAgainShare: round(random.fork('send again').float()),
  }
}

function providerOf(random: SeededRandom): Partial<Habits> {
  if (random.happens(0.6)) return {}
  return {
    restartShare: round(random.float() * 0.5),
    overlapShare: round(random.float() * 0.3),
    mismatchShare: round(random.float() * 0.2),
    usageShare: round(0.5 + random.float() * 0.5),
  }
}

function networkQualityOf(random: SeededRandom): NetworkQuality {
  const clear = { oneWayMs: 0, spread: 0.5, lostBefore: 0, lostAfter: 0 }
  if (random.happens(0.5)) return clear
  const lostAfter = random.happens(0.6) ? round(random.float() * 0.08) : 0
  const lostBefore = random.fork('before').happens(0.6) ? round(random.fork('part').float() * 0.06) : 0
  return { oneWayMs: random.between(0, 8), spread: 0.8, lostBefore, lostAfter }
}

/** Limits low enough for a small crowd to reach. */
function settingsOf(random: SeededRandom, regulars: number): Readonly<Record<string, unknown>> {
  return {
    ...(random.happens(0.15) ? { 'queue.entriesMax': random.between(1, 4) } : {}),
    ...(random.happens(0.2) ? { 'turns.logRecordsMax': random.between(8, 14) } : {}),
    ...(random.happens(0.3) ? { 'answers.freshMs': random.between(500, 8000) } : {}),
    ...(random.happens(0.3) ? { 'deferred.waitMs': random.between(4000, 30_000) } : {}),
    // High enough that all sharers of the accounts have asked before the fleet must be at rest.
    'tiers.free.requestsPerMinute': Math.max(
      random.between(20, 90),
      regulars === 0 ? 0 : Math.ceil(RATE_OF_ALL / regulars),
    ),
    ...(random.happens(0.1) ? { 'state.alone.outputTokensPerUser': random.between(100, 900) } : {}),
  }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
