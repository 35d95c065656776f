// The circuit's own steps, shared by the policies: opening for a jittered, growing while, and probing in stages. Every opening
// and every new round of probes is a new epoch, so a late result cannot close or open what it knows nothing about.
import type { ProbeCounts } from './counts.ts'
import type { ProbingGate } from './gate.ts'
import type { HalfOpen, LaneState, Open, Phase } from './state.ts'

interface OpenTime {
  readonly firstMs: number
  readonly maxMs: number
  readonly jitter: number
  readonly forgetMs: number
}

export interface TickMoment {
  readonly now: number
  /** Uniform in [0, 1). */
  readonly float: number
}

export function opened(state: LaneState, time: OpenTime, moment: TickMoment): LaneState {
  const { phase } = state
  const { now, float } = moment
  const isRepeat = phase.openedMs > 0 && (phase.kind !== 'closed' || now - phase.since < time.forgetMs)
  // The longest is a promise about recovery, so jitter stays below it.
  const longestMs = time.maxMs / (1 + time.jitter)
  const openedMs = Math.min(longestMs, isRepeat ? phase.openedMs * 2 : time.firstMs)
  const until = now + Math.round(openedMs * (1 + time.jitter * (2 * float - 1)))
  const { goodInFlight, goodWaitMs } = phase
  const open: Open = { kind: 'open', since: now, until, openedMs, goodInFlight, goodWaitMs }
  return { ...state, epoch: state.epoch + 1, phase: open }
}

interface Probing {
  readonly probes: ProbeCounts
  readonly probeStages: readonly number[]
  readonly openTime: OpenTime
  readonly moment: TickMoment
  /** What comes after the last stage. */
  readonly passed: (phase: HalfOpen) => Phase
}

/** The next step of a lane that is looking whether it is well. */
export function nextProbing(state: LaneState, phase: Open | HalfOpen, probing: Probing): LaneState {
  const { probes, probeStages, moment } = probing
  if (phase.kind === 'open')
    return moment.now < phase.until ? state : { ...state, phase: halfOpened(phase, probeStages, moment.now) }
  if (probes.epoch !== state.epoch) return state
  if (probes.failed > 0) return opened(state, probing.openTime, moment)
  if (probes.passed >= phase.probesMax) {
    const stage = phase.stage + 1
    const next = probeStages[stage]
    if (next === undefined) return { ...state, phase: probing.passed(phase) }
    return { ...state, phase: { ...phase, stage, probesMax: phase.probesMax + next } }
  }
  // A probe without a verdict would be waited for for ever.
  return probes.lost === 0 ? state : withNewEpoch(state, probeStages)
}

/** A state whose counts are gone, or can no longer be completed: the stage of probes is begun anew, nothing older is believed. */
export function withNewEpoch(state: LaneState, probeStages: readonly number[]): LaneState {
  const { phase } = state
  const next = phase.kind === 'half-open' ? { ...phase, probesMax: probeStages[phase.stage] ?? 1 } : phase
  return { ...state, epoch: state.epoch + 1, phase: next }
}

function halfOpened(phase: Open, probeStages: readonly number[], now: number): HalfOpen {
  const { openedMs, goodInFlight, goodWaitMs } = phase
  const common = { since: now, openedMs, goodInFlight, goodWaitMs }
  return { ...common, kind: 'half-open', stage: 0, probesMax: probeStages[0] ?? 1 }
}

/** The first probe of an open circuit needs no tick: with the ticking node gone, a lane still finds its way back. */
export function probingGate(
  phase: Open | HalfOpen,
  probeStages: readonly number[],
): Pick<ProbingGate, 'kind' | 'notBefore' | 'probesMax'> {
  if (phase.kind === 'open') return { kind: 'probing', notBefore: phase.until, probesMax: probeStages[0] ?? 1 }
  return { kind: 'probing', notBefore: 0, probesMax: phase.probesMax }
}
