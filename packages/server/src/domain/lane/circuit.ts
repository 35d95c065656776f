// The steps of a circuit, shared by the policies: opening for a jittered, growing time, and probing in stages. Every opening
// and every new round of probes starts an epoch, so that a late result of an older epoch cannot open or close the circuit.
import type { ProbeCounts } from './counts.ts'
import type { ProbingGate } from './gate.ts'
import type { HalfOpen, LaneState, Open, Phase } from './state.ts'

interface OpenTime {
  readonly firstMs: number
  readonly maxMs: number
  readonly jitter: number
  readonly forgetMs: number
  readonly busyInFlight: number
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
  // `maxMs` bounds the time to recovery, so it includes the jitter.
  const longestMs = time.maxMs / (1 + time.jitter)
  const isBusy = phase.goodInFlight >= time.busyInFlight
  const openedMs = Math.min(longestMs, isRepeat && !isBusy ? phase.openedMs * 2 : time.firstMs)
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
  /** The phase after the last stage has passed. */
  readonly passed: (phase: HalfOpen) => Phase
}

/** The next state of an open or half-open circuit. */
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
  // A lost probe never gets an outcome: without a new epoch the stage would wait for it for ever.
  return probes.lost === 0 ? state : withNewEpoch(state, probeStages)
}

/** Starts a new epoch, and the current stage of probes again, when the counts were lost or can no longer be completed. */
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

/** The first probe of an open circuit needs no tick, so that a lane recovers even if the ticking node is gone. */
export function probingGate(
  phase: Open | HalfOpen,
  probeStages: readonly number[],
): Pick<ProbingGate, 'kind' | 'notBefore' | 'probesMax'> {
  if (phase.kind === 'open') return { kind: 'probing', notBefore: phase.until, probesMax: probeStages[0] ?? 1 }
  return { kind: 'probing', notBefore: 0, probesMax: phase.probesMax }
}
