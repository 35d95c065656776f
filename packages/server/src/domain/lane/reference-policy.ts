// The `reference` policy: pressure from the last minute's outcomes, a circuit by count or rate, long openings, a constant
// maximum of retries. It serves for comparison, and for operators who must have the published figures.
import { newestCells, sumOf, sumSince } from './cells.ts'
import { opened, nextProbing, probingGate } from './circuit.ts'
import type { TickMoment } from './circuit.ts'
import type { LaneCounts } from './counts.ts'
import type { Gate } from './gate.ts'
import type { Level, ShownLevel } from './level.ts'
import { isOperated } from './operate.ts'
import type { LanePolicy } from './policy.ts'
import type { LaneSettings } from './settings.ts'
import { startState } from './state.ts'
import type { Closed, LaneState } from './state.ts'

const PRESSURE = {
  windowMs: 60_000,
  outcomesMax: 200,
  slightAbove: 0.05,
  highAbove: 0.2,
  openAbove: 0.5,
  sustainedMs: 60_000,
  coolDownMs: 30_000,
  successesToNormal: 3,
  /** With fewer outcomes there is no error rate. */
  outcomesMin: 10,
}

/** Retries cost nothing and overloads hold no slots, because this policy has neither bucket nor limit. */
function referenceSettings(settings: LaneSettings): LaneSettings {
  const retry = { ...settings.retry, costs: { throttle: 0, quick: 0, slow: 0 } }
  return { ...settings, retry, limit: { ...settings.limit, overloadHoldMs: 0 } }
}

export function referencePolicy(base: LaneSettings): LanePolicy {
  const settings = referenceSettings(base)
  return {
    name: 'reference',
    settings,
    tick(state, counts, moment) {
      if (state.policy !== 'reference') return { ...startState('reference', moment.now), epoch: state.epoch + 1 }
      const now = Math.max(moment.now, state.tickedAt)
      const input = { counts, settings, now, float: moment.float }
      const next = isOperated(state) ? state : step(state, input)
      return { ...next, shown: shownAfter(state.shown, next, input), tickedAt: now }
    },
    gate: gateOf(settings),
  }
}

interface TickInput extends TickMoment {
  readonly counts: LaneCounts
  readonly settings: LaneSettings
}

function step(state: LaneState, input: TickInput): LaneState {
  const { phase, shown } = state
  const { counts, settings, now } = input
  const openTime = openFor(settings.circuit.openMs)
  if (phase.kind === 'open' || phase.kind === 'half-open') {
    const { probeStages } = settings
    const passed = () => closedAt(now)
    return nextProbing(state, phase, { probes: counts.probes, probeStages, openTime, moment: input, passed })
  }
  if (isCircuitTripped(counts, settings, { now, since: phase.since })) return opened(state, openTime, input)
  const isLostLong = shown.level === 'high' && now - shown.markedAt >= PRESSURE.sustainedMs
  return isLostLong ? opened(state, openFor(PRESSURE.coolDownMs), input) : state
}

function openFor(openMs: number) {
  return { firstMs: openMs, maxMs: openMs, jitter: 0, forgetMs: 0, busyInFlight: 0 }
}

function closedAt(now: number): Closed {
  const common = { since: now, openedMs: 0, goodInFlight: 0, goodWaitMs: 0 }
  return { ...common, kind: 'closed', limit: null, pace: null, unsaturatedSince: now, cutAt: now }
}

function isCircuitTripped(
  counts: LaneCounts,
  { circuit }: LaneSettings,
  { now, since }: { readonly now: number; readonly since: number },
): boolean {
  const { calls, failures } = sumSince(counts.cells, Math.max(since, now - circuit.windowMs))
  return failures >= circuit.failures || (calls >= PRESSURE.outcomesMin && failures >= calls * circuit.rate)
}

/** `markedAt` is the last moment at which no more than half of the calls failed. */
function shownAfter(shown: ShownLevel, { phase, operator }: LaneState, { counts, now }: TickInput): ShownLevel {
  if (operator?.action === 'force-open' || phase.kind === 'open') return { level: 'open', markedAt: now }
  if (phase.kind !== 'closed') return { level: 'recovery', markedAt: now }
  const cells = counts.cells.filter(({ at }) => at >= Math.max(phase.since, now - PRESSURE.windowMs))
  const { calls, failures, overloads } = sumOf(newestCells(cells, PRESSURE.outcomesMax))
  const errors = calls < PRESSURE.outcomesMin ? 0 : failures / calls
  const isTroubled = counts.successesRunning < PRESSURE.successesToNormal && failures > 0
  const level = nextPressure(shown.level, { errors, isTroubled, hasOverload: overloads > 0 })
  return { level, markedAt: errors > PRESSURE.openAbove ? shown.markedAt : now }
}

interface Pressure {
  /** The share of failed calls. */
  readonly errors: number
  /** Whether there were failures, and too few successes in a row since. */
  readonly isTroubled: boolean
  readonly hasOverload: boolean
}

function nextPressure(level: Level, { errors, isTroubled, hasOverload }: Pressure): Level {
  if (errors > PRESSURE.highAbove) return level === 'normal' ? 'slight' : 'high'
  if (level === 'high') return 'slight'
  return isTroubled && (level === 'slight' || hasOverload || errors > PRESSURE.slightAbove) ? 'slight' : 'normal'
}

function gateOf({ retry, probeStages }: LaneSettings): LanePolicy['gate'] {
  return ({ phase, epoch, operator }): Gate => {
    const common = { epoch, bucketMax: retry.bucketMin, refill: 0 }
    if (operator?.action === 'force-open') return { ...common, kind: 'shut' }
    if (phase.kind === 'open' || phase.kind === 'half-open') return { ...common, ...probingGate(phase, probeStages) }
    return {
      ...common,
      kind: 'free',
      limit: null,
      overloadsMax: null,
      startsMax: null,
      retry: { inFlightMax: null, countMax: retry.countMax },
    }
  }
}
