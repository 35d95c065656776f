// Lanes of one process, each with its own controller and counts; and the oracle that shared lanes are held to.
import { LocalLane } from '#domain/lane/local-lane.ts'
import type { LanePolicy } from '#domain/lane/policy.ts'
import { retryCost } from '#domain/lane/retry-bucket.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Lanes } from '#ports/lanes/port.ts'

export interface MemoryLanesOptions {
  readonly clock: Pick<Clock, 'now'>
  readonly random: Pick<Random, 'float'>
  /** One entry for each lane, by name. */
  readonly policies: ReadonlyMap<string, LanePolicy>
  /** The longest time until a call's first text or its end; after it the owner is considered dead. */
  readonly leaseMs: number
}

export function memoryLanes({ clock, random, policies, leaseMs }: MemoryLanesOptions): Lanes {
  const now = () => clock.now()
  const float = () => random.float()
  const lanes = new Map([...policies].map(([name, policy]) => [name, new LocalLane({ policy, float, now: now() })]))
  const listeners = new Set<(lane: string) => void>()
  const changed = (lane: string) => {
    for (const listener of listeners) listener(lane)
  }
  const laneOf = (name: string): LocalLane => {
    const lane = lanes.get(name)
    if (lane === undefined) throw new RangeError(`there is no lane ${name}`)
    return lane
  }

  return {
    async permit(name, { id, ask }) {
      const retry = policies.get(name)?.settings.retry
      const paid =
        ask.kind === 'retry' && retry ? { ...ask, cost: retryCost(ask.after, retry) } : { kind: 'first' as const }
      return laneOf(name).take({ id, ask: paid, leaseMs }, now())
    },
    async served(name, permitId, servedLeaseMs) {
      laneOf(name).served(permitId, { now: now(), leaseMs: servedLeaseMs })
    },
    async report(name, permitId, outcome) {
      laneOf(name).report(permitId, outcome, now())
      changed(name)
    },
    async shed(name) {
      laneOf(name).shed(now())
    },
    peek: async (name) => laneOf(name).view(now()),
    seen: (name) => laneOf(name).view(now()),
    async operate(name, action, by) {
      laneOf(name).operate({ action, by, at: now() })
      changed(name)
      return laneOf(name).view(now())
    },
    onChange(listener) {
      // A function of its own, because the same listener may be registered twice.
      const own = (lane: string) => listener(lane)
      listeners.add(own)
      return { [Symbol.dispose]: () => void listeners.delete(own) }
    },
    async tick() {
      for (const [name, lane] of lanes) {
        lane.tick(now())
        changed(name)
      }
    },
  }
}
