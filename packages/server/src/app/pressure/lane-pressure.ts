// What the lanes of the ladder mean for the clients: while one of them is well, nothing; while the best of them recovers, to
// slow down; while all are open, to pause. Told by the doors, spread so that nobody comes back in step.
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
