// N whole servers in one process and virtual time, over shared stores and a network that can fail, with a method for
// everything that can happen to them. The same seed and the same calls give the same trace, to the byte.
import { createHash } from 'node:crypto'
import { seededRandom } from '../virtual/random.ts'
import type { SeededRandom } from '../virtual/random.ts'
import { VirtualTime } from '../virtual/time.ts'
import type { Config } from '@mangaassist/server/config/config'
import type { LanePolicy } from '@mangaassist/server/domain/lane/policy'
import type { Clock } from '@mangaassist/server/ports/clock/port'
import type { Model } from '@mangaassist/server/ports/model/port'
import type { Moment } from '../fleet/fleet-run.ts'
import { SharedStores } from '../network/shared-stores.ts'
import type { GivenStores } from '../network/shared-stores.ts'
import { StoreNetwork } from '../network/store-network.ts'
import type { NetworkQuality } from '../network/store-network.ts'
import { FleetNode } from './node.ts'
import type { Shop } from './shop.ts'
import { tally } from './tally.ts'
import type { Tally } from './tally.ts'

export interface FleetWorldParts {
  readonly seed: number | string
  readonly config: Config
  readonly shop: Shop
  readonly startsAt: number
  /** Runs all pending promise callbacks. */
  readonly drain: () => Promise<void>
  /** If given, replaces the shared lanes: every lane has this policy and is counted by each node separately. */
  readonly lanePolicy?: LanePolicy
  /** Stores that replace the default ones, on the world's clock. */
  readonly stores?: (clock: Clock) => GivenStores
}

/** The simulated providers. `nodeDied` is called when the node's connections are closed. */
export interface Providers {
  modelsFor(node: string): ReadonlyMap<string, Model>
  nodeDied(node: string): void
}

const TRACE_BYTES = 16_384

export class FleetWorld {
  readonly time: VirtualTime
  readonly clock: Clock
  readonly random: SeededRandom
  readonly config: Config
  readonly stores: SharedStores
  readonly networks: { readonly shared: StoreNetwork; readonly sessions: StoreNetwork }
  readonly telemetry: Tally = tally()
  readonly moments: Moment[] = []
  readonly breaches: string[] = []
  readonly seen = new Map<string, number>()
  /** The node of each client connection, by the connection's id. */
  readonly nodeByConnection = new Map<string, FleetNode>()
  /** The current latency of a search. */
  searchMs = 0
  readonly #parts: FleetWorldParts
  readonly #nodes = new Map<string, FleetNode>()
  readonly #hash = createHash('sha256')
  #lines = ''
  #providers: Providers | undefined
  #ready: readonly FleetNode[] = []
  #booted = 0

  constructor(parts: FleetWorldParts) {
    this.#parts = parts
    this.config = parts.config
    this.random = seededRandom(parts.seed)
    const { drain, startsAt } = parts
    this.time = new VirtualTime({ startsAt, random: this.random.fork('ties'), drain })
    this.clock = this.time.clock()
    this.stores = new SharedStores(this.clock, parts.config, parts.stores?.(this.clock))
    const network = (name: string) => new StoreNetwork({ clock: this.clock, random: this.random.fork(name) })
    this.networks = { shared: network('shared'), sessions: network('sessions') }
  }

  /** Must be set before the first node boots. */
  set providers(providers: Providers) {
    this.#providers = providers
  }

  get startsAt(): number {
    return this.#parts.startsAt
  }

  /** Time since the start of the run. */
  get atMs(): number {
    return this.time.now() - this.#parts.startsAt
  }

  get nodes(): readonly FleetNode[] {
    return [...this.#nodes.values()]
  }

  /** The nodes that get new connections from the load balancer. */
  get ready(): readonly FleetNode[] {
    return this.#ready
  }

  /** `aheadMs`: its clock error. */
  boot(aheadMs = 0): FleetNode {
    const name = `n${this.#booted}`
    const { config, lanePolicy, shop } = this.#parts
    if (this.#providers === undefined) throw new Error('set the providers before the first boot')
    this.#booted += 1
    const node = new FleetNode({
      name,
      time: this.time,
      random: this.random.fork(`node ${this.#booted}`),
      telemetry: this.telemetry,
      config,
      shop,
      searchMs: () => this.searchMs,
      stores: this.stores,
      networks: this.networks,
      models: this.#providers.modelsFor(name),
      aheadMs,
      ...(lanePolicy === undefined ? {} : { lanePolicy }),
    })
    this.#nodes.set(name, node)
    this.#ready = [...this.#ready, node]
    this.trace(`boot ${name}`)
    return node
  }

  crash(node: FleetNode): void {
    if (node.isGone) return
    this.#forget(node)
    node.crash()
    this.#providers?.nodeDied(node.name)
    this.see('crash')
    this.trace(`crash ${node.name}`)
  }

  /** Drains the node and resolves when it has left; turns that outlast the drain are left to other nodes. */
  async retire(node: FleetNode): Promise<void> {
    this.trace(`drain ${node.name}`)
    this.see('drain')
    this.#ready = this.#ready.filter((one) => one !== node)
    await node.leave()
    this.#forget(node)
    this.#providers?.nodeDied(node.name)
    this.trace(`left ${node.name}`)
  }

  stall(node: FleetNode, ms: number): void {
    if (node.clock.isPaused) return
    node.clock.pause()
    this.see('pause')
    this.trace(`pause ${node.name}`)
    this.time.after(ms, () => {
      this.trace(`go on ${node.name}`)
      node.clock.resume()
    })
  }

  cutOff(node: FleetNode): void {
    this.networks.shared.cut(node.links.shared)
    this.networks.sessions.cut(node.links.sessions)
    this.see('partition')
    this.trace(`cut off ${node.name}`)
  }

  reconnect(node: FleetNode): void {
    this.networks.shared.reconnect(node.links.shared)
    this.networks.sessions.reconnect(node.links.sessions)
    this.trace(`mend ${node.name}`)
  }

  /** Takes the stores down for `downMs`; the shared one loses data that is not on disk. */
  restartStore(downMs: number): void {
    for (const network of this.#stores()) network.goDown()
    this.stores.restart()
    this.see('store restart')
    this.trace('store down')
    this.time.after(downMs, () => {
      for (const network of this.#stores()) network.comeUp()
      this.trace('store up')
    })
  }

  pauseStore(): void {
    for (const network of this.#stores()) network.pause()
    this.see('store pause')
    this.trace('store pause')
  }

  resumeStore(): void {
    this.trace('store goes on')
    for (const network of this.#stores()) network.resume()
  }

  /** Sets latency and loss to the stores from now on. */
  set networkQuality(quality: NetworkQuality) {
    for (const network of this.#stores()) network.quality = quality
  }

  trace(what: string): void {
    this.#lines += `${this.atMs} ${what}\n`
    if (this.#lines.length < TRACE_BYTES) return
    this.#hash.update(this.#lines)
    this.#lines = ''
  }

  traceHash(): string {
    return this.#hash.copy().update(this.#lines).digest('hex')
  }

  addMoment(what: string): void {
    this.moments.push({ atMs: this.atMs, what })
    this.trace(what)
  }

  breach(what: string): void {
    this.breaches.push(`${this.atMs} ms: ${what}`)
    this.trace(`breach ${what}`)
  }

  see(state: string): void {
    this.seen.set(state, (this.seen.get(state) ?? 0) + 1)
  }

  #stores(): readonly StoreNetwork[] {
    return [this.networks.shared, this.networks.sessions]
  }

  #forget(node: FleetNode): void {
    this.#ready = this.#ready.filter((one) => one !== node)
    if (this.#nodes.get(node.name) === node) this.#nodes.delete(node.name)
  }
}
