// What the ladder's lanes mean for clients: while one is closed, nothing; while the best recovers, slow down; while all are
// open, pause. The doors send it with jitter, so that clients do not return in step.
import type { LaneView } from '#domain/lane/lane-view.ts'
import type { PressureAction } from './pressure.ts'

type Openness = 'well' | 'recovering' | 'open'

const ACTION: Readonly<Record<Openness, PressureAction>> = { well: 'none', recovering: 'slow', open: 'pause' }
const FROM_THE_BEST: readonly Openness[] = ['well', 'recovering', 'open']

export function lanePressure(views: readonly LaneView[]): PressureAction {
  const seen = new Set(views.map(opennessOf))
  return ACTION[FROM_THE_BEST.find((openness) => seen.has(openness)) ?? 'well']
}

function opennessOf({ phase, operator }: LaneView): Openness {
  if (operator?.action === 'force-open' || phase === 'open') return 'open'
  return phase === 'closed' ? 'well' : 'recovering'
}
