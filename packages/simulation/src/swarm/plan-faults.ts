// Draws the faults of a plan: zero to two of each kind, each with its own time and strength. All of them end within the
// safety phase.
import type { SeededRandom } from '../virtual/random.ts'
import type { SwarmFault } from './swarm-fault.ts'

type Make = (random: SeededRandom, span: { readonly atS: number; readonly forS: number }) => SwarmFault

const share = (random: SeededRandom) => Math.round((0.05 + random.float() * 0.95) * 100) / 100
const small = (random: SeededRandom) => Math.round(random.float() * 50) / 100
const target = (random: SeededRandom) => random.pick(['primary', 'economy', 'all'] as const)
const until = ({ atS, forS }: { readonly atS: number; readonly forS: number }) => ({ atS, forS })

/** The probability of each kind, and how to make one. */
const KINDS: readonly (readonly [probability: number, make: Make])[] = [
  [0.2, (random, span) => ({ kind: 'throttle', ...span, share: small(random), target: target(random) })],
  [0.35, (random, span) => ({ kind: 'outage', ...span, target: target(random) })],
  [0.2, (random, span) => ({ kind: 'errors', ...span, share: share(random), target: target(random) })],
  [0.15, (random, span) => ({ kind: 'brownout', ...span, share: small(random), target: target(random) })],
  [0.15, (random, span) => ({ kind: 'silence', ...span, share: share(random), target: target(random) })],
  [0.3, (random, span) => ({ kind: 'cuts', ...span, share: share(random), target: target(random) })],
  [0.15, (random, span) => ({ kind: 'stalls', ...span, share: share(random), target: target(random) })],
  [0.1, (random, span) => ({ kind: 'flapping', ...span, periodS: random.between(1, 8), target: target(random) })],
  [0.1, (random, span) => ({ kind: 'search-slow', ...span, delayMs: random.between(50, 12_000) })],
  [0.15, (_, span) => ({ kind: 'state-pause', ...span })],
  [0.1, (random, span) => ({ kind: 'state-latency', ...span, delayMs: random.between(10, 120) })],
  [0.25, (random, span) => ({ kind: 'state-partition', ...span, share: share(random) })],
  [0.15, (random, { atS }) => ({ kind: 'state-restart', atS, downS: random.between(0, 6) })],
  [0.45, (random, { atS }) => ({ kind: 'node-crash', atS, count: random.between(1, 2), downS: random.between(1, 8) })],
  [0.25, (random, span) => ({ kind: 'node-pause', ...span, count: random.between(1, 2) })],
  [0.15, (_, span) => ({ kind: 'deploy', ...span })],
  [0.15, (_, span) => ({ kind: 'sessions-away', ...until(span) })],
  [0.15, (_, { atS }) => ({ kind: 'node-join', atS })],
  [0.1, (random, { atS }) => ({ kind: 'clock-set', atS, aheadMs: random.between(-20_000, 20_000) })],
  [
    0.1,
    (random, span) => ({
      kind: 'operate',
      ...until(span),
      lane: random.pick(['primary', 'economy']),
      action: random.pick(['force-open', 'disable', 'reset'] as const),
    }),
  ],
  [0.05, (_, span) => ({ kind: 'maintenance', ...until(span) })],
]

const TWICE = 0.3
const STORMS = 0.15
const BRIEF_PAUSES = 0.5
const BRIEF_PAUSES_MAX = 4
const BRIEF_MS_MIN = 20
const BRIEF_MS_MAX = 5000
const NODES_ALL = 5
/**
 * These faults are often moved next to a fault of a model, so that they happen while its circuit is open or probing.
 */
const TOGETHER: ReadonlySet<SwarmFault['kind']> = new Set(['node-crash', 'node-join', 'state-restart'])
const TROUBLES: ReadonlySet<SwarmFault['kind']> = new Set(['outage', 'errors', 'silence', 'flapping'])
const LATEST_S = 9
/** Most faults are short; some last longer than any lease. */
const LASTS_S = [1, 3, 6, 12, 16] as const

export function faultsOf(random: SeededRandom, safetyS: number): readonly SwarmFault[] {
  const faults: SwarmFault[] = []
  for (const [probability, make] of KINDS) {
    if (!random.happens(probability)) continue
    faults.push(make(random, spanIn(random, safetyS)))
    if (random.happens(TWICE)) faults.push(make(random, spanIn(random, safetyS)))
  }
  const storm = random.happens(STORMS) ? stormOf(random) : []
  const pause = random.happens(STORMS) ? [longPause(random, safetyS)] : []
  const troubles = faults.filter(({ kind }) => TROUBLES.has(kind))
  const moved = faults.map((fault) => {
    if (!TOGETHER.has(fault.kind) || !random.happens(0.6)) return fault
    const other = random.pick(troubles.length > 0 ? troubles : faults)
    return { ...fault, atS: soonAfter(random, other, safetyS) }
  })
  return [...moved, ...storm, ...pause, ...briefPauses(random.fork('brief pauses'), safetyS)]
}

/** A model is down, its circuit opens, and all nodes crash while they probe for its recovery. */
function stormOf(random: SeededRandom): readonly SwarmFault[] {
  const span = { atS: random.between(2, 5), forS: random.between(3, 5) }
  const downS = random.between(1, 2)
  return [
    { kind: 'outage', ...span, target: random.pick(['primary', 'all']) },
    { kind: 'node-crash', atS: span.atS + span.forS + random.between(0, 30) / 10, count: NODES_ALL, downS },
  ]
}

/** A pause longer than any lease: other nodes have taken the node's turns when it resumes. */
function longPause(random: SeededRandom, safetyS: number): SwarmFault {
  const forS = random.between(8, 12)
  return { kind: 'node-pause', atS: random.between(2, safetyS - forS - 1), forS, count: 1 }
}

/** The store pauses briefly a few times: from 20 ms, which has no effect, to 5 s, mostly well under one second. */
function briefPauses(random: SeededRandom, safetyS: number): readonly SwarmFault[] {
  if (!random.happens(BRIEF_PAUSES)) return []
  return Array.from({ length: random.between(1, BRIEF_PAUSES_MAX) }, () => {
    const ms = Math.round(BRIEF_MS_MIN * (BRIEF_MS_MAX / BRIEF_MS_MIN) ** random.float())
    return { kind: 'state-pause', atS: random.between(2000, (safetyS - LATEST_S) * 1000) / 1000, forS: ms / 1000 }
  })
}

/** A time during the fault or just after it. */
function soonAfter(random: SeededRandom, { atS, ...fault }: SwarmFault, safetyS: number): number {
  const lasts = 'forS' in fault ? (fault.forS ?? 0) : 0
  return Math.min(safetyS - LATEST_S, atS + random.between(0, lasts + 3))
}

/** A span from second 2 on that leaves time for events that take a while, such as a restart. */
function spanIn(random: SeededRandom, safetyS: number) {
  const forS = random.pick(LASTS_S)
  return { atS: random.between(2, Math.max(2, safetyS - Math.max(LATEST_S, forS))), forS }
}
