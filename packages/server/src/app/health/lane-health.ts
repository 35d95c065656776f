// The state of lanes for `/readyz`: by the configured name of their models, because the page is public and a lane's name
// reveals where a model is; or by the name of the dependency. It never decides readiness: with every lane open, lower tiers
// still answer.
import type { LaneView } from '#domain/lane/lane-view.ts'
import { publicNames } from '#services/lanes.ts'
import type { RejectionCause } from '#domain/model/rejections.ts'
import type { NamedLaneView } from '#services/lanes.ts'

type LaneHealth = {
  readonly status: 'ok' | 'degraded' | 'error'
  readonly level: LaneView['level']
  readonly phase: LaneView['phase']
  /** Why the vendor rejects the calls of the model. */
  readonly rejected?: RejectionCause
}

type Seen = Pick<NamedLaneView, 'lane' | 'level' | 'models' | 'phase' | 'rejected' | 'scope'>

/** By `lane:` and the name. */
export function laneHealth(lanes: readonly Seen[]): Readonly<Record<string, LaneHealth>> {
  return Object.fromEntries(
    lanes.flatMap((view) => publicNames(view).map((name) => [`lane:${name}`, healthOf(view, name)] as const)),
  )
}

function healthOf({ level, phase, rejected: all }: Seen, name: string): LaneHealth {
  const rejected = all.find(({ model }) => model === name)?.cause
  const status = phase === 'open' || rejected !== undefined ? 'error' : level === 'normal' ? 'ok' : 'degraded'
  return { status, level, phase, ...(rejected === undefined ? {} : { rejected }) }
}
