// What all nodes did in the last half hour, as this node has seen it in their announcements. A node that starts knows nothing of what was before. Bounded:
// one step for each node and ten seconds, and only half an hour of them.
import { STEP_MS, STEPS_MAX, addedUp } from './activity.ts'
import type { ActivityStep } from './activity.ts'

interface ActiveNode {
  readonly id: string
  readonly activity?: readonly ActivityStep[]
}

/** A rate is that of the last minute. */
const RECENT_STEPS = 6
export const ACTIVITY_MINUTE_MS = RECENT_STEPS * STEP_MS

export class ClusterActivity {
  /** By the beginning of the step, then by node. */
  readonly #steps = new Map<number, Map<string, ActivityStep>>()

  see(nodes: readonly ActiveNode[], now: number): void {
    for (const { activity = [], id } of nodes)
      for (const step of activity) if (this.#isKept(step.at, now)) this.#at(step.at).set(id, step)
    for (const at of this.#steps.keys()) if (!this.#isKept(at, now)) this.#steps.delete(at)
  }

  /** What a node did in the last minute that has ended. */
  lastMinute(nodeId: string, now: number): ActivityStep {
    const end = this.#endedBy(now)
    const steps = Array.from({ length: RECENT_STEPS }, (_, ago) =>
      this.#steps.get(end - (ago + 1) * STEP_MS)?.get(nodeId),
    )
    return addedUp(
      steps.flatMap((step) => step ?? []),
      end - RECENT_STEPS * STEP_MS,
    )
  }

  /**
   * The sums of all nodes by minute of the clock, oldest first, from the first step that was seen to the last minute that has ended.
   * `running` is the most that ran at the end of a step.
   */
  minutes(now: number): readonly ActivityStep[] {
    const end = Math.floor(this.#endedBy(now) / ACTIVITY_MINUTE_MS) * ACTIVITY_MINUTE_MS
    const byMinute = Map.groupBy(this.#sums(now), ({ at }) => Math.floor(at / ACTIVITY_MINUTE_MS) * ACTIVITY_MINUTE_MS)
    return [...byMinute]
      .filter(([at]) => at < end)
      .map(([at, steps]) => ({ ...addedUp(steps, at), running: Math.max(...steps.map(({ running }) => running)) }))
  }

  /** The sum of all nodes since the first step that was seen, and when that began; undefined before a step has ended. */
  total(now: number): ActivityStep | undefined {
    const steps = this.#sums(now)
    return steps.length === 0 ? undefined : addedUp(steps)
  }

  /** The sums of all nodes by step, oldest first. */
  #sums(now: number): readonly ActivityStep[] {
    const first = Math.min(...this.#steps.keys())
    const end = this.#endedBy(now)
    if (first >= end) return []
    return Array.from({ length: (end - first) / STEP_MS }, (_, index) => {
      const at = first + index * STEP_MS
      return addedUp([...(this.#steps.get(at)?.values() ?? [])], at)
    })
  }

  /** The beginning of the step that has not been announced by every node yet. */
  #endedBy(now: number): number {
    return Math.floor(now / STEP_MS) * STEP_MS
  }

  #isKept(at: number, now: number): boolean {
    return at > now - STEPS_MAX * STEP_MS && at <= now
  }

  #at(at: number): Map<string, ActivityStep> {
    const known = this.#steps.get(at) ?? new Map<string, ActivityStep>()
    this.#steps.set(at, known)
    return known
  }
}
