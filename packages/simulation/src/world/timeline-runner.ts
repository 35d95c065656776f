// Applies a scenario's timeline to a world: the conditions from each time on, and the events at it. Used by all runs.
import type { SeededRandom } from '../virtual/random.ts'
import { CLEAR_NETWORK } from '../network/store-network.ts'
import type { NetworkQuality } from '../network/store-network.ts'
import type { Health } from '../provider/health.ts'
import type { Conditions, FleetEvent, Step } from '../scenario/timeline.ts'
import type { FleetWorld } from './fleet-world.ts'
import type { FleetNode } from './node.ts'

/** The normal network to the stores has no latency, because each call that takes time costs events. */
export const NORMAL_NETWORK: NetworkQuality = CLEAR_NETWORK

export interface TimelineRunnerParts {
  readonly nodes: number
  readonly steps: readonly Step[]
  readonly networkQuality: NetworkQuality
  /** Clock error of each of the first nodes. */
  readonly aheadMs?: ((index: number) => number) | undefined
}

export class TimelineRunner {
  readonly #world: FleetWorld
  readonly #networkQuality: NetworkQuality
  readonly #random: SeededRandom
  /** The current node of each index. */
  readonly #nodes: FleetNode[]
  #conditions: Conditions | undefined
  #cutOff: readonly FleetNode[] = []

  constructor(world: FleetWorld, parts: TimelineRunnerParts) {
    this.#world = world
    this.#networkQuality = parts.networkQuality
    this.#random = world.random.fork('faults')
    world.networkQuality = parts.networkQuality
    this.#nodes = Array.from({ length: parts.nodes }, (_, index) => world.boot(parts.aheadMs?.(index)))
    for (const step of parts.steps) {
      if (step.atMs === 0) this.#apply(step)
      else world.time.after(step.atMs, () => this.#apply(step))
    }
  }

  health(lane: string): Health | undefined {
    return this.#conditions?.lanes[lane]
  }

  #apply({ conditions, descriptions, events }: Step): void {
    for (const what of descriptions) this.#world.addMoment(what)
    const before = this.#conditions
    this.#conditions = conditions
    this.#world.searchMs = conditions.searchDelayMs
    this.#applyState(conditions.state, before?.state)
    for (const event of events) this.#happen(event)
  }

  #applyState(state: Conditions['state'], before: Conditions['state'] | undefined): void {
    const world = this.#world
    if (state.isPaused && before?.isPaused !== true) world.pauseStore()
    if (!state.isPaused && before?.isPaused === true) world.resumeStore()
    if (state.delayMs !== (before?.delayMs ?? 0)) {
      world.networkQuality = { ...this.#networkQuality, oneWayMs: this.#networkQuality.oneWayMs + state.delayMs / 2 }
    }
    if (state.cutOffShare === (before?.cutOffShare ?? 0)) return
    for (const node of this.#cutOff) world.reconnect(node)
    this.#cutOff = this.#some(Math.round(state.cutOffShare * world.nodes.length))
    for (const node of this.#cutOff) world.cutOff(node)
  }

  #happen(event: FleetEvent): void {
    const world = this.#world
    switch (event.kind) {
      case 'state-restart':
        return world.restartStore(event.downMs)
      case 'node-crash':
        for (const node of this.#some(event.count)) {
          world.crash(node)
          world.time.after(event.downMs, () => this.#replace(node))
        }
        return
      case 'node-pause':
        for (const node of this.#some(event.count)) world.stall(node, event.pauseMs)
        return
      case 'replace-node': {
        const node = this.#nodes[event.index]
        if (node === undefined) return
        this.#replace(node)
        void world.retire(node)
      }
    }
  }

  #replace(node: FleetNode): void {
    this.#nodes[this.#nodes.indexOf(node)] = this.#world.boot()
  }

  #some(count: number): readonly FleetNode[] {
    const left = [...this.#world.ready]
    return Array.from({ length: Math.min(count, left.length) }, () => {
      const [node] = left.splice(this.#random.between(0, left.length - 1), 1)
      return node as FleetNode
    })
  }
}
