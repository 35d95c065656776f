// What the ladder's lanes mean for clients, where nothing can answer in the models' place: while one is closed, nothing; while
// the best recovers, slow down; while all are open, pause until the first of them may be asked again.
import type { LaneView } from '#domain/lane/lane-view.ts'
import type { PressureAction } from './pressure.ts'

export interface LanePressure {
  readonly action: PressureAction
  /** How long a pause should last; absent: as long as usual. */
  readonly holdMs?: number
}

/** The shortest pause: a circuit that is about to be probed may open again. And the pause while no lane says when it may be asked. */
const PAUSE_MIN_MS = 1000
const PAUSE_MAX_MS = 5000

export function lanePressure(views: readonly LaneView[], now: number): LanePressure {
  const phases = new Set(views.map(({ operator, phase }) => (operator?.action === 'force-open' ? 'open' : phase)))
  if (views.length === 0 || phases.has('closed')) return { action: 'none' }
  if (phases.has('recovering')) return { action: 'slow' }
  const opensAt = views.flatMap((view) => view.opensAt ?? [])
  return { action: 'pause', holdMs: Math.max(PAUSE_MIN_MS, Math.min(...opensAt, now + PAUSE_MAX_MS) - now) }
}
