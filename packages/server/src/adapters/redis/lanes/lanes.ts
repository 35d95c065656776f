// The lanes that nodes share, on Redis. The node that holds a lane's tick runs its controller over what all nodes counted;
// the others read what it published. A permit is one round trip and a report another, and both work without Redis.
import { retryCost } from '#domain/lane/retry-bucket.ts'
import type { LanePolicy } from '#domain/lane/policy.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Lanes } from '#ports/lanes/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { Redis } from '../client/connection.ts'
import { SharedLane } from './shared-lane.ts'

export interface RedisLanesOptions {
  readonly redis: Pick<Redis, 'run' | 'command'>
  readonly clock: Pick<Clock, 'now'>
  readonly random: Pick<Random, 'float'>
  readonly telemetry: Telemetry
  /** Different from that of every other node, and of earlier processes of this node. */
  readonly nodeId: string
  /** By the name of the lane, the same on every node. No other lanes exist. */
  readonly policies: ReadonlyMap<string, LanePolicy>
  /** The longest time until a call's first text or its end; after it the owner is considered dead. */
  readonly leaseMs: number
}

export function redisLanes(options: RedisLanesOptions): Lanes {
  const { policies } = options
  const lanes = new Map([...policies].map(([lane, policy]) => [lane, new SharedLane({ ...options, lane, policy })]))
  const listeners = new Set<(lane: string) => void>()
  const published = new Map<string, string>()
  const changed = (name: string) => {
    for (const listener of listeners) listener(name)
  }
  const laneOf = (name: string): SharedLane => {
    const lane = lanes.get(name)
    if (lane === undefined) throw new RangeError(`there is no lane ${name}`)
    return lane
  }
  const tickLane = async (name: string, lane: SharedLane) => {
    await lane.tick()
    const shown = JSON.stringify(lane.seen())
    if (published.get(name) === shown) return
    published.set(name, shown)
    changed(name)
  }

  return {
    async permit(name, { id, ask }) {
      const retry = policies.get(name)?.settings.retry
      const paid = ask.kind === 'retry' && retry ? { ...ask, cost: retryCost(ask.after, retry) } : FIRST
      return laneOf(name).permit(id, paid)
    },
    served: (name, permitId, leaseMs) => laneOf(name).served(permitId, leaseMs),
    async report(name, permitId, outcome) {
      await laneOf(name).report(permitId, outcome)
      changed(name)
    },
    shed: (name) => laneOf(name).shed(),
    peek: (name) => laneOf(name).peek(),
    seen: (name) => laneOf(name).seen(),
    async operate(name, action, by) {
      const view = await laneOf(name).operate({ action, by })
      changed(name)
      return view
    },
    onChange(listener) {
      // A function of its own, because the same listener may be registered twice.
      const own = (lane: string) => listener(lane)
      listeners.add(own)
      return { [Symbol.dispose]: () => void listeners.delete(own) }
    },
    async tick() {
      await Promise.all([...lanes].map(([name, lane]) => tickLane(name, lane)))
    },
  }
}

const FIRST = { kind: 'first' } as const
