// Probes lanes whose circuit waits for a call, and models that turns do not ask because their vendor rejects them, at the shop's cost: the first
// probe of a model that was gone is never a shopper's question, and a lane without traffic closes too. Every node asks; the lane's own permits bound the number of
// probes over all nodes.
import type { Rejections } from '#domain/model/rejections.ts'
import type { RunSettings } from '#domain/settings/run-settings.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Lanes } from '#ports/lanes/port.ts'
import type { Rung } from '../turn.ts'
import type { ProbeLane } from './probe-lane.ts'

export interface HealLaneParts {
  readonly clock: Pick<Clock, 'now'>
  readonly lanes: Pick<Lanes, 'seen'>
  readonly rejections: Pick<Rejections, 'isProbeDue'>
  /** Models are asked in the normal mode only. */
  readonly settings: Pick<RunSettings, 'mode'>
  readonly probeLane: ProbeLane
  /** How many nodes share the probes of a stage. */
  readonly nodes: () => number
}

/** A model that is coming back, or a small one, is not asked for more at once. */
const AT_ONCE_MAX = 3

/** The returned function makes the probes that a lane waits for now. */
export function createHealLane({ clock, lanes, nodes, probeLane, rejections, settings }: HealLaneParts) {
  /** How many probes this node should make now. */
  function due({ lane, name }: Rung): number {
    const { operator, opensAt, phase, probes } = lanes.seen(lane)
    if (settings.mode() !== 'normal' || operator?.action === 'force-open') return 0
    if (phase === 'open') return opensAt !== null && opensAt <= clock.now() ? 1 : 0
    if (phase !== 'half-open' || probes === null) return rejections.isProbeDue(name) ? 1 : 0
    return Math.min(AT_ONCE_MAX, Math.ceil((probes.probesMax - probes.passed) / Math.max(1, nodes())))
  }

  return async function healLane(rung: Rung): Promise<void> {
    await Promise.all(Array.from({ length: due(rung) }, () => probeLane(rung)))
  }
}
