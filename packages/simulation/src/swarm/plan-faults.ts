// The faults of a plan: of each kind none or one or two, each at a moment and of a strength of its own, and all of them over
// when the safety phase is.
import type { SeededChance } from '../virtual/chance.ts'
import type { SwarmFault } from './swarm-fault.ts'

type Make = (chance: SeededChance, span: { readonly atS: number; readonly forS: number }) => SwarmFault

const share = (chance: SeededChance) => Math.round((0.05 + chance.float() * 0.95) * 100) / 100
const small = (chance: SeededChance) => Math.round(chance.float() * 50) / 100
const target = (chance: SeededChance) => chance.pick(['primary', 'economy', 'all'] as const)
const until = ({ atS, forS }: { readonly atS: number; readonly forS: number }) => ({ atS, forS })

/** How likely a plan has one, and how it is made. */
const KINDS: readonly (readonly [probability: number, make: Make])[] = [
  [0.2, (chance, span) => ({ kind: 'throttle', ...span, share: small(chance), target: target(chance) })],
  [0.35, (chance, span) => ({ kind: 'outage', ...span, target: target(chance) })],
  [0.2, (chance, span) => ({ kind: 'errors', ...span, share: share(chance), target: target(chance) })],
  [0.15, (chance, span) => ({ kind: 'brownout', ...span, share: small(chance), target: target(chance) })],
  [0.15, (chance, span) => ({ kind: 'silence', ...span, share: share(chance), target: target(chance) })],
  [0.3, (chance, span) => ({ kind: 'cuts', ...span, share: share(chance), target: target(chance) })],
  [0.15, (chance, span) => ({ kind: 'stalls', ...span, share: share(chance), target: target(chance) })],
  [0.1, (chance, span) => ({ kind: 'flapping', ...span, periodS: chance.between(1, 8), target: target(chance) })],
  [0.1, (chance, span) => ({ kind: 'search-slow', ...span, delayMs: chance.between(50, 12_000) })],
  [0.15, (_, span) => ({ kind: 'state-pause', ...span })],
  [0.1, (chance, span) => ({ kind: 'state-latency', ...span, delayMs: chance.between(10, 120) })],
  [0.25, (chance, span) => ({ kind: 'state-partition', ...span, share: share(chance) })],
  [0.15, (chance, { atS }) => ({ kind: 'state-restart', atS, downS: chance.between(0, 6) })],
  [0.45, (chance, { atS }) => ({ kind: 'node-crash', atS, count: chance.between(1, 2), downS: chance.between(1, 8) })],
  [0.25, (chance, span) => ({ kind: 'node-pause', ...span, count: chance.between(1, 2) })],
  [0.15, (_, span) => ({ kind: 'deploy', ...span })],
  [0.15, (_, span) => ({ kind: 'sessions-away', ...until(span) })],
  [0.15, (_, { atS }) => ({ kind: 'node-join', atS })],
  [0.1, (chance, { atS }) => ({ kind: 'clock-set', atS, aheadMs: chance.between(-20_000, 20_000) })],
  [
    0.1,
    (chance, span) => ({
      kind: 'operate',
      ...until(span),
      lane: chance.pick(['primary', 'economy']),
      action: chance.pick(['force-open', 'disable', 'reset'] as const),
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
/** Trouble comes together: these happen rather when a model is in trouble already, and its circuit looks for its return. */
const TOGETHER: ReadonlySet<SwarmFault['kind']> = new Set(['node-crash', 'node-join', 'state-restart'])
const TROUBLES: ReadonlySet<SwarmFault['kind']> = new Set(['outage', 'errors', 'silence', 'flapping'])
const LATEST_S = 9
/** What lasts any time lasts mostly a little, and now and then longer than any lease. */
const LASTS_S = [1, 3, 6, 12, 16] as const

export function faultsOf(chance: SeededChance, safetyS: number): readonly SwarmFault[] {
  const faults: SwarmFault[] = []
  for (const [probability, make] of KINDS) {
    if (!chance.happens(probability)) continue
    faults.push(make(chance, spanIn(chance, safetyS)))
    if (chance.happens(TWICE)) faults.push(make(chance, spanIn(chance, safetyS)))
  }
  const storm = chance.happens(STORMS) ? stormOf(chance) : []
  const pause = chance.happens(STORMS) ? [longPause(chance, safetyS)] : []
  const troubles = faults.filter(({ kind }) => TROUBLES.has(kind))
  const moved = faults.map((fault) => {
    if (!TOGETHER.has(fault.kind) || !chance.happens(0.6)) return fault
    const other = chance.pick(troubles.length > 0 ? troubles : faults)
    return { ...fault, atS: soonAfter(chance, other, safetyS) }
  })
  return [...moved, ...storm, ...pause, ...briefPauses(chance.fork('brief pauses'), safetyS)]
}

/** A model is away, its circuit opens, and whoever looks for its return dies while looking. */
function stormOf(chance: SeededChance): readonly SwarmFault[] {
  const span = { atS: chance.between(2, 5), forS: chance.between(3, 5) }
  const downS = chance.between(1, 2)
  return [
    { kind: 'outage', ...span, target: chance.pick(['primary', 'all']) },
    { kind: 'node-crash', atS: span.atS + span.forS + chance.between(0, 30) / 10, count: NODES_ALL, downS },
  ]
}

/** Longer than any lease: what the node had is another's when it goes on. */
function longPause(chance: SeededChance, safetyS: number): SwarmFault {
  const forS = chance.between(8, 12)
  return { kind: 'node-pause', atS: chance.between(2, safetyS - forS - 1), forS, count: 1 }
}

/** The store stands still for a moment, now and then: from 20 ms, which nobody notices, to 5 s, and mostly well under one. */
function briefPauses(chance: SeededChance, safetyS: number): readonly SwarmFault[] {
  if (!chance.happens(BRIEF_PAUSES)) return []
  return Array.from({ length: chance.between(1, BRIEF_PAUSES_MAX) }, () => {
    const ms = Math.round(BRIEF_MS_MIN * (BRIEF_MS_MAX / BRIEF_MS_MIN) ** chance.float())
    return { kind: 'state-pause', atS: chance.between(2000, (safetyS - LATEST_S) * 1000) / 1000, forS: ms / 1000 }
  })
}

/** While it lasts, or when it is just over. */
function soonAfter(chance: SeededChance, { atS, ...fault }: SwarmFault, safetyS: number): number {
  const lasts = 'forS' in fault ? (fault.forS ?? 0) : 0
  return Math.min(safetyS - LATEST_S, atS + chance.between(0, lasts + 3))
}

/** From the second second on, with room for what happens once and takes its time. */
function spanIn(chance: SeededChance, safetyS: number) {
  const forS = chance.pick(LASTS_S)
  return { atS: chance.between(2, Math.max(2, safetyS - Math.max(LATEST_S, forS))), forS }
}
