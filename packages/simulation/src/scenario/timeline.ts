// What a scenario does to the world, moment by moment, as plain data: the conditions that hold from a moment on, and what
// happens at it. Pure: the world applies the steps in order, and asks nothing else about faults.
import type { Span } from '../fleet/fleet-run.ts'
import { WELL } from '../provider/health.ts'
import type { Health } from '../provider/health.ts'
import { spanOf } from './fault-shapes.ts'
import type { Fault, FaultKind, FaultOf } from './fault-shapes.ts'
import type { FleetScenario } from './scenario.ts'

/** What is wrong, from a moment on. */
export interface Conditions {
  /** By the names of the ladder; every one is there. */
  readonly lanes: Readonly<Record<string, Health>>
  readonly searchDelayMs: number
  readonly state: {
    readonly isPaused: boolean
    readonly delayMs: number
    /** Of the nodes, that cannot reach it. */
    readonly cutOffShare: number
  }
}

/** What happens once. */
export type FleetEvent =
  | { readonly kind: 'state-restart'; readonly downMs: number }
  | { readonly kind: 'node-crash'; readonly count: number; readonly downMs: number }
  | { readonly kind: 'node-pause'; readonly count: number; readonly pauseMs: number }
  /** The node of this number, from 0 on, is drained and replaced. */
  | { readonly kind: 'replace-node'; readonly index: number }

export interface Step {
  readonly atMs: number
  readonly conditions: Conditions
  readonly events: readonly FleetEvent[]
  /** For the story of the run; empty when nothing of it is new to a reader. */
  readonly told: readonly string[]
}

const SECOND_MS = 1000
const FLAPPING_SHARE = 0.5
const MODEL_KINDS: ReadonlySet<FaultKind> = new Set<FaultKind>([
  'throttle',
  'outage',
  'errors',
  'brownout',
  'silence',
  'slow-words',
  'cuts',
  'stalls',
  'flapping',
])

/** In the order of time, from 0 on, one for each moment at which anything changes. */
export function timelineOf(scenario: FleetScenario): readonly Step[] {
  const moments = new Set([0])
  const events = new Map<number, FleetEvent[]>()
  for (const fault of scenario.faults) {
    for (const atMs of turnsOf(fault)) moments.add(atMs)
    for (const { atMs, event } of eventsOf(scenario, fault)) {
      moments.add(atMs)
      events.set(atMs, [...(events.get(atMs) ?? []), event])
    }
  }
  for (const { atS } of scenario.arrivals.shape) moments.add(atS * SECOND_MS)
  return [...moments]
    .toSorted((a, b) => a - b)
    .map((atMs) => ({
      atMs,
      conditions: conditionsAt(scenario, atMs),
      events: events.get(atMs) ?? [],
      told: toldAt(scenario, atMs),
    }))
}

/** The faults that last at this moment, flapping ones also while they pause. */
export function faultsAt({ faults }: FleetScenario, atMs: number): readonly Fault[] {
  return faults.filter((fault) => {
    const { fromMs, toMs } = spanOf(fault)
    return fromMs <= atMs && atMs < toMs
  })
}

/** From the first fault to heal; arrivals above the stated rate count as one. Without any: the whole run. */
export function faultSpan(scenario: FleetScenario): Span {
  const spans = [...scenario.faults.map(spanOf), ...surgesOf(scenario)]
  if (spans.length === 0) return { fromMs: 0, toMs: scenario.durationS * SECOND_MS }
  return {
    fromMs: Math.min(...spans.map(({ fromMs }) => fromMs)),
    toMs: Math.max(...spans.map(({ toMs }) => toMs)),
  }
}

/** How many times the stated rate come at this moment. */
export function arrivalFactorAt({ arrivals: { shape } }: FleetScenario, atMs: number): number {
  return shape.findLast(({ atS }) => atS * SECOND_MS <= atMs)?.factor ?? 1
}

export function conditionsAt(scenario: FleetScenario, atMs: number): Conditions {
  const faults = faultsAt(scenario, atMs)
  const delayMs = (kind: 'search-slow' | 'state-latency') =>
    faults.reduce((sum, fault) => (fault.kind === kind ? sum + fault.delayMs : sum), 0)
  return {
    lanes: Object.fromEntries(scenario.ladder.map(({ name }) => [name, healthOf(scenario, name, { faults, atMs })])),
    searchDelayMs: delayMs('search-slow'),
    state: {
      isPaused: faults.some(({ kind }) => kind === 'state-pause'),
      delayMs: delayMs('state-latency'),
      cutOffShare: Math.max(0, ...faults.map((fault) => (fault.kind === 'state-partition' ? fault.share : 0))),
    },
  }
}

function healthOf(
  { ladder }: FleetScenario,
  name: string,
  { faults, atMs }: { readonly faults: readonly Fault[]; readonly atMs: number },
): Health {
  return faults.reduce((health, fault) => {
    const target = ('target' in fault ? fault.target : undefined) ?? ladder[0]?.name
    return target === name || target === 'all' ? worsened(health, fault, atMs) : health
  }, WELL)
}

/** Two faults of a kind do not add up: the worse of them counts. */
function worsened(health: Health, fault: Fault, atMs: number): Health {
  switch (fault.kind) {
    case 'throttle':
      return { ...health, quotaShare: Math.min(health.quotaShare, fault.share) }
    case 'brownout':
      return { ...health, slotShare: Math.min(health.slotShare, fault.share) }
    case 'outage':
      return { ...health, errorShare: 1 }
    case 'flapping':
      return isFlappedDown(fault, atMs) ? { ...health, errorShare: 1 } : health
    case 'errors':
      return { ...health, errorShare: Math.max(health.errorShare, fault.share) }
    case 'silence':
      return { ...health, silenceShare: Math.max(health.silenceShare, fault.share ?? 1) }
    case 'slow-words':
      return {
        ...health,
        slowShare: Math.max(health.slowShare, fault.share),
        slowMs: Math.max(health.slowMs, fault.delayMs),
      }
    case 'cuts':
      return { ...health, cutShare: Math.max(health.cutShare, fault.share) }
    case 'stalls':
      return { ...health, stallShare: Math.max(health.stallShare, fault.share) }
    default:
      return health
  }
}

/** The moments at which its conditions change. */
function turnsOf(fault: Fault): readonly number[] {
  const { fromMs, toMs } = spanOf(fault)
  if (fault.kind !== 'flapping') return [fromMs, toMs]
  const { periodMs, downMs } = flaps(fault)
  const turns = [toMs]
  for (let atMs = fromMs; atMs < toMs; atMs += periodMs) turns.push(atMs, Math.min(toMs, atMs + downMs))
  return turns
}

function isFlappedDown(fault: FaultOf<'flapping'>, atMs: number): boolean {
  const { periodMs, downMs } = flaps(fault)
  return (atMs - fault.atS * SECOND_MS) % periodMs < downMs
}

/** In whole milliseconds, so that the moments of turning and what holds at them agree. */
function flaps({ periodS, share = FLAPPING_SHARE }: FaultOf<'flapping'>) {
  const periodMs = Math.round(periodS * SECOND_MS)
  return { periodMs, downMs: Math.round(periodMs * share) }
}

function eventsOf({ nodes }: FleetScenario, fault: Fault): readonly { atMs: number; event: FleetEvent }[] {
  const { fromMs, toMs } = spanOf(fault)
  const lastsMs = toMs - fromMs
  switch (fault.kind) {
    case 'state-restart':
      return [{ atMs: fromMs, event: { kind: fault.kind, downMs: lastsMs } }]
    case 'node-crash':
      return [{ atMs: fromMs, event: { kind: fault.kind, count: fault.count, downMs: lastsMs } }]
    case 'node-pause':
      return [{ atMs: fromMs, event: { kind: fault.kind, count: fault.count, pauseMs: lastsMs } }]
    case 'deploy':
      return Array.from({ length: nodes }, (_, index) => ({
        atMs: Math.floor(fromMs + (lastsMs * index) / nodes),
        event: { kind: 'replace-node', index },
      }))
    default:
      return []
  }
}

function toldAt(scenario: FleetScenario, atMs: number): readonly string[] {
  return [
    ...scenario.faults.flatMap((fault) => {
      const { fromMs, toMs } = spanOf(fault)
      if (atMs === fromMs) return [`${nameOf(scenario, fault)} begins`]
      return atMs === toMs ? [`${nameOf(scenario, fault)} is over`] : []
    }),
    ...scenario.arrivals.shape.flatMap(({ atS, factor }) =>
      atS * SECOND_MS === atMs ? [factor === 1 ? 'the usual arrivals' : `${factor} times the usual arrivals`] : [],
    ),
  ]
}

function nameOf({ ladder }: FleetScenario, fault: Fault): string {
  const share = 'share' in fault && fault.share !== undefined ? ` ${Math.round(fault.share * 100)} %` : ''
  const count = 'count' in fault ? ` × ${fault.count}` : ''
  const first = MODEL_KINDS.has(fault.kind) ? ladder[0]?.name : undefined
  const target = ('target' in fault ? fault.target : undefined) ?? first
  return `${fault.kind}${share}${count}${target === undefined ? '' : ` of ${target}`}`
}

/** When more come than the stated rate. */
function surgesOf({ arrivals: { shape }, durationS }: FleetScenario): readonly Span[] {
  return shape.flatMap(({ atS, factor }, index) => {
    if (factor <= 1) return []
    return [{ fromMs: atS * SECOND_MS, toMs: (shape[index + 1]?.atS ?? durationS) * SECOND_MS }]
  })
}
