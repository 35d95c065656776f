// One node of a simulated fleet: a whole server over store links, with its own clock and random numbers, and its client
// connections. This object is its memory: a crash drops it.
import type { SeededRandom } from '../virtual/random.ts'
import { NodeClock } from '../virtual/node-clock.ts'
import type { VirtualTime } from '../virtual/time.ts'
import { createApp } from '@mangaassist/server/app/app'
import { currentFaq } from '@mangaassist/server/domain/catalogue/current-faq'
import type { App } from '@mangaassist/server/app/app'
import type { Config } from '@mangaassist/server/config/config'
import type { LaneView } from '@mangaassist/server/domain/lane/lane-view'
import type { LanePolicy } from '@mangaassist/server/domain/lane/policy'
import type { Connection } from '@mangaassist/server/edge/connection/connection'
import { TimerWheel } from '@mangaassist/server/edge/connection/timer-wheel'
import { refuser } from '@mangaassist/server/edge/http/refuse'
import type { Refuse } from '@mangaassist/server/edge/http/refuse'
import type { Lanes } from '@mangaassist/server/ports/lanes/port'
import type { Model, ModelPart } from '@mangaassist/server/ports/model/port'
import type { Telemetry } from '@mangaassist/server/ports/telemetry/port'
import { nodePorts } from '../network/node-ports.ts'
import type { NodePorts } from '../network/node-ports.ts'
import type { SharedStores } from '../network/shared-stores.ts'
import { StoreLink } from '../network/store-link.ts'
import type { StoreNetwork } from '../network/store-network.ts'
import { slowSearch } from './shop.ts'
import type { Shop } from './shop.ts'

export interface NodeParts {
  readonly name: string
  readonly time: VirtualTime
  readonly random: SeededRandom
  readonly telemetry: Telemetry
  readonly config: Config
  readonly shop: Shop
  readonly searchMs: () => number
  readonly stores: SharedStores
  readonly networks: { readonly shared: StoreNetwork; readonly sessions: StoreNetwork }
  readonly models: ReadonlyMap<string, Model>
  readonly aheadMs: number
  readonly lanePolicy?: LanePolicy
}

/** A connected client, as its node knows it. */
export interface ServedClient {
  readonly connection: Connection
  /** Called when the connection is cut. */
  lost(): void
}

export class FleetNode {
  readonly name: string
  readonly clock: NodeClock
  readonly app: App
  readonly timers: TimerWheel
  readonly random: SeededRandom
  readonly telemetry: Telemetry
  readonly refuse: Refuse
  readonly config: Config
  readonly clients = new Set<ServedClient>()
  readonly links: { readonly shared: StoreLink; readonly sessions: StoreLink }
  readonly #ports: NodePorts
  #isGone = false

  constructor(parts: NodeParts) {
    const { random, config, name, networks, shop, stores, telemetry, time } = parts
    const { callMs } = config.state
    this.name = name
    this.random = random
    this.telemetry = telemetry
    this.config = config
    this.clock = new NodeClock(time, parts.aheadMs)
    this.timers = new TimerWheel(this.clock)
    this.refuse = refuser(telemetry)
    const { clock } = this
    const link = (network: StoreNetwork) => new StoreLink({ network, node: clock, random, telemetry, callMs })
    this.links = { shared: link(networks.shared), sessions: link(networks.sessions) }
    // A restarted process is a new node: the leases of the old one are not its own.
    const nodeId = random.id('node')
    const lane = parts.lanePolicy === undefined ? {} : { lanePolicy: parts.lanePolicy }
    this.#ports = nodePorts({ nodeId, clock, random, telemetry, config, stores, ...lane, ...this.links })
    const models = new Map([...parts.models].map(([key, model]) => [key, receivedWhenRunning(model, clock)]))
    const { products, understanding, complexity, prompts } = shop
    const own = {
      clock,
      random,
      telemetry,
      models,
      products,
      understanding,
      complexity,
      prompts,
      faq: currentFaq(shop.faq),
    }
    this.app = createApp(
      { ...this.#ports.ports, ...own, search: slowSearch(shop.search, clock, parts.searchMs) },
      config,
    )
    // As the WebSocket door does.
    this.app.pressure.listen(() => {
      for (const { connection } of this.clients) connection.sendPressure()
    })
    this.app.start()
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** The lane as this node sees it. */
  lane(name: string): LaneView {
    return this.#ports.ports.lanes.seen(name)
  }

  get lanes(): Lanes {
    return this.#ports.ports.lanes
  }

  get unsettled(): number {
    return this.#ports.unsettled()
  }

  /** Power loss: work in progress stops, and no one is notified. */
  crash(): void {
    this.#isGone = true
    this.clock.cut()
    this.#ports.sever()
    this.#dropClients()
  }

  /** A clean shutdown: new questions go to other nodes; running turns end, or are left to other nodes. */
  async leave(): Promise<void> {
    await this.app.drain()
    await this.#ports[Symbol.asyncDispose]()
    if (this.#isGone) return
    this.crash()
  }

  #dropClients(): void {
    for (const client of this.clients) client.lost()
    this.clients.clear()
  }
}

/** Delays a provider's parts for a paused node until it resumes. */
function receivedWhenRunning(model: Model, clock: NodeClock): Model {
  return {
    ...model,
    stream(request) {
      const parts = model.stream(request)[Symbol.asyncIterator]()
      const awake = (result: IteratorResult<ModelPart>) =>
        clock.isPaused
          ? new Promise<IteratorResult<ModelPart>>((resolve) => clock.whenRunning(() => resolve(result)))
          : result
      return {
        [Symbol.asyncIterator]() {
          return {
            next: () => parts.next().then(awake),
            return: () => parts.return?.() ?? Promise.resolve({ value: undefined, done: true as const }),
          }
        },
      }
    },
  }
}
