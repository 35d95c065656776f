// A lane as operators see it: its phase, figures and level in one flat value. It is read-only: making a view uses up no probe
// and causes no tick.
import { sumSince } from './cells.ts'
import type { LaneCounts } from './counts.ts'
import { isPrompt } from './in-flight-limit.ts'
import type { Gate } from './gate.ts'
import type { Level } from './level.ts'
import type { LaneSettings } from './settings.ts'
import type { LaneState, OperatorMark, Phase } from './state.ts'

export interface LaneView {
  readonly level: Level
  readonly phase: Phase['kind']
  readonly epoch: number
  readonly inFlight: number
  /** null: no limit. */
  readonly limit: number | null
  /** Calls a second, while the provider refuses some for load; null: as many as come. */
  readonly pace: number | null
  /** Whether calls that are answered get their first words later than usual, as behind a queue of the provider. */
  readonly isSlow: boolean
  readonly bucket: number
  readonly bucketMax: number
  /** When an open circuit lets its first probe through; null: it is not open, or an operator forced it open. */
  readonly opensAt: number | null
  /** The stage of probes, and how many have passed; null: not half-open. */
  readonly probes: { readonly stage: number; readonly passed: number; readonly probesMax: number } | null
  /** Counts of the last ten seconds. */
  readonly recent: {
    readonly calls: number
    readonly failures: number
    readonly retries: number
    readonly shed: number
  }
  readonly operator: OperatorMark | null
}

const RECENT_MS = 10_000

export function laneView(
  state: LaneState,
  {
    counts,
    gate,
    now,
    settings,
  }: { counts: LaneCounts; gate: Gate; now: number; settings: Pick<LaneSettings, 'limit'> },
): LaneView {
  const { phase, epoch, shown, operator } = state
  const { calls, failures, retries, shed, successes } = sumSince(counts.cells, now - RECENT_MS)
  // A lane that an operator forced open is shown as open, whatever the controller's own phase is.
  const isForced = operator?.action === 'force-open'
  return {
    level: isForced ? 'open' : shown.level,
    phase: isForced ? 'open' : phase.kind,
    epoch,
    inFlight: counts.inFlight,
    limit: gate.kind === 'free' ? gate.limit : null,
    pace: phase.kind === 'closed' && phase.pace ? Math.round(phase.pace.perSecond * 10) / 10 : null,
    isSlow: successes > 0 && !isPrompt(phase, counts, { now, settings: settings.limit }),
    bucket: counts.bucket,
    bucketMax: gate.bucketMax,
    opensAt: phase.kind === 'open' ? phase.until : null,
    probes:
      phase.kind === 'half-open'
        ? { stage: phase.stage, passed: counts.probes.passed, probesMax: phase.probesMax }
        : null,
    recent: { calls, failures, retries, shed },
    operator,
  }
}
