// The steps of a scenario as plain data: the conditions from each time on, and the events at it. Pure: the world
// applies the steps in order and needs nothing else about faults.
import type { Span } from '../fleet/fleet-run.ts'
import { WELL } from '../provider/health.ts'
import type { Health } from '../provider/health.ts'
import { spanOf } from './fault-shapes.ts'
import type { Fault, FaultKind, FaultOf } from './fault-shapes.ts'
import type { FleetScenario } from './scenario.ts'

/** The faults in force from a time on. */
export interface Conditions {
  /** Health by the names of the ladder; every model is present. */
  readonly lanes: Readonly<Record<string, Health>>
  readonly searchDelayMs: number
  readonly state: {
    readonly isPaused: boolean
    readonly delayMs: number
    /** Share of the nodes that cannot reach the shared store. */
    readonly cutOffShare: number
  }
}

/** An event that happens once. */
export type FleetEvent =
  | { readonly kind: 'state-restart'; readonly downMs: number }
  | { readonly kind: 'node-crash'; readonly count: number; readonly downMs: number }
  | { readonly kind: 'node-pause'; readonly count: number; readonly pauseMs: number }
  /** The node with this index, from 0 on, is drained and replaced. */
  | { readonly kind: 'replace-node'; readonly index: number }

export interface Step {
  readonly atMs: number
  readonly conditions: Conditions
  readonly events: readonly FleetEvent[]
  /** Sentences for the moments of the run; empty when nothing visible changes. */
  readonly descriptions: readonly string[]
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

/** One step for each time at which anything changes, in order, from 0 on. */
export function timelineOf(scenario: FleetScenario): readonly Step[] {
  const times = new Set([0])
  const events = new Map<number, FleetEvent[]>()
  for (const fault of scenario.faults) {
    for (const atMs of changesOf(fault)) times.add(atMs)
    for (const { atMs, event } of eventsOf(scenario, fault)) {
      times.add(atMs)
      events.set(atMs, [...(events.get(atMs) ?? []), event])
    }
  }
  for (const { atS } of scenario.arrivals.shape) times.add(atS * SECOND_MS)
  return [...times]
    .toSorted((a, b) => a - b)
    .map((atMs) => ({
      atMs,
      conditions: conditionsAt(scenario, atMs),
      events: events.get(atMs) ?? [],
      descriptions: descriptionsAt(scenario, atMs),
    }))
}

/** The faults in force at this time; flapping ones also during their pauses. */
export function faultsAt({ faults }: FleetScenario, atMs: number): readonly Fault[] {
  return faults.filter((fault) => {
    const { fromMs, toMs } = spanOf(fault)
    return fromMs <= atMs && atMs < toMs
  })
}

/**
 * From the start of the first fault to the end of the last; arrivals above the stated rate count as a fault. Without
 * faults: the whole run.
 */
export function faultSpan(scenario: FleetScenario): Span {
  const incidents = incidentsOf(scenario)
  const [first, last] = [incidents[0], incidents.at(-1)]
  if (first === undefined || last === undefined) return { fromMs: 0, toMs: scenario.durationS * SECOND_MS }
  return { fromMs: first.fromMs, toMs: last.toMs }
}

/** The periods with faults, or with arrivals above the stated rate, in order; those that overlap or touch are one. */
export function incidentsOf(scenario: FleetScenario): readonly Span[] {
  const spans = [...scenario.faults.map(spanOf), ...surgesOf(scenario)].toSorted((a, b) => a.fromMs - b.fromMs)
  const apart: Span[] = []
  for (const span of spans) {
    const last = apart.at(-1)
    if (last === undefined || span.fromMs > last.toMs) apart.push(span)
    else apart[apart.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, span.toMs) }
  }
  return apart
}

/** The arrival rate at this time, as a multiple of the stated rate. */
export function arrivalFactorAt({ arrivals: { shape } }: FleetScenario, atMs: number): number {
  return shape.findLast(({ atS }) => atS * SECOND_MS <= atMs)?.factor ?? 1
}

/** The share of arrivals at this time who ask about the new volume. */
export function newVolumeShareAt({ arrivals: { shape } }: FleetScenario, atMs: number): number {
  return shape.findLast(({ atS }) => atS * SECOND_MS <= atMs)?.newVolumeShare ?? 0
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

/** Two faults of a kind do not add up: the worse one counts. */
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

/** The times at which its conditions change. */
function changesOf(fault: Fault): readonly number[] {
  const { fromMs, toMs } = spanOf(fault)
  if (fault.kind !== 'flapping') return [fromMs, toMs]
  const { periodMs, downMs } = flaps(fault)
  const changes = [toMs]
  for (let atMs = fromMs; atMs < toMs; atMs += periodMs) changes.push(atMs, Math.min(toMs, atMs + downMs))
  return changes
}

function isFlappedDown(fault: FaultOf<'flapping'>, atMs: number): boolean {
  const { periodMs, downMs } = flaps(fault)
  return (atMs - fault.atS * SECOND_MS) % periodMs < downMs
}

/** In whole milliseconds, so that the step times and the conditions at them agree. */
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

function descriptionsAt(scenario: FleetScenario, atMs: number): readonly string[] {
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

/** The periods in which arrivals exceed the stated rate. */
function surgesOf({ arrivals: { shape }, durationS }: FleetScenario): readonly Span[] {
  return shape.flatMap(({ atS, factor }, index) => {
    if (factor <= 1) return []
    return [{ fromMs: atS * SECOND_MS, toMs: (shape[index + 1]?.atS ?? durationS) * SECOND_MS }]
  })
}
