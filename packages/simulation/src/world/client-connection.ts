// The path from a client to the fleet: a load balancer that sends a new connection to a random ready node, and a
// connection that carries frames both ways in order. It is cut when its node dies, and a paused node receives its
// frames later.
import type { ServerFrame } from '@mangaassist/protocol'
import type { Principal } from '@mangaassist/server/domain/identity/principal'
import { Connection } from '@mangaassist/server/edge/connection/connection'
import { Pipe } from '../network/pipe.ts'
import type { FleetWorld } from './fleet-world.ts'
import type { FleetNode, ServedClient } from './node.ts'

export interface ClientConnection {
  readonly node: string
  /** A frame, or arbitrary data from a hostile client. */
  send(frame: object | string): void
  disconnect(): void
}

export interface ConnectionHandlers {
  onFrame(frame: ServerFrame): void
  onLost(): void
}

const ONE_WAY_MS = 1

/** Returns undefined when no node is ready. */
export function connect(
  world: FleetWorld,
  principal: Principal,
  handlers: ConnectionHandlers,
): ClientConnection | undefined {
  const { ready } = world
  if (ready.length === 0) return undefined
  return new OpenConnection(world, { node: world.random.pick(ready), principal, handlers })
}

class OpenConnection implements ClientConnection {
  readonly #world: FleetWorld
  readonly #node: FleetNode
  readonly #handlers: ConnectionHandlers
  readonly #up: Pipe
  readonly #down: Pipe
  #isOpen = true
  #client: ServedClient | undefined

  constructor(
    world: FleetWorld,
    parts: { readonly node: FleetNode; readonly principal: Principal; readonly handlers: ConnectionHandlers },
  ) {
    this.#world = world
    this.#node = parts.node
    this.#handlers = parts.handlers
    this.#up = new Pipe(world.clock)
    this.#down = new Pipe(world.clock)
    this.#up.send(ONE_WAY_MS, () => this.#node.clock.whenRunning(() => void this.#enter(parts.principal)))
  }

  get node(): string {
    return this.#node.name
  }

  send(frame: object | string): void {
    const text = typeof frame === 'string' ? frame : JSON.stringify(frame)
    this.#up.send(ONE_WAY_MS, () => this.#node.clock.whenRunning(() => this.#client?.connection.receive(text)))
  }

  disconnect(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#up.send(ONE_WAY_MS, () => this.#node.clock.whenRunning(() => this.#leave()))
  }

  /** Like the WebSocket door: new connections have their own rate limit. */
  async #enter(principal: Principal): Promise<void> {
    const node = this.#node
    if (node.isGone) return this.#lost()
    const taken = await node.app.connect().catch(() => undefined)
    if (taken === undefined || node.isGone) return this.#lost()
    if (!this.#isOpen) return
    const transport = {
      send: (text: string) => this.#down.send(ONE_WAY_MS, () => this.#receive(text)),
      bufferedBytes: () => 0,
      progressMark: () => 0,
      pause: () => {},
      resume: () => {},
      ignore: () => {},
      close: () => this.#lost(),
    }
    const connection = new Connection(node, { transport, principal, language: 'ja' })
    const client: ServedClient = { connection, lost: () => this.#lost() }
    this.#client = client
    this.#world.nodeByConnection.set(connection.id, node)
    node.clients.add(client)
  }

  #receive(text: string): void {
    if (this.#isOpen) this.#handlers.onFrame(JSON.parse(text) as ServerFrame)
  }

  #leave(): void {
    if (this.#client === undefined) return
    this.#node.clients.delete(this.#client)
    this.#client.connection.closed()
    this.#client = undefined
  }

  #lost(): void {
    this.#leave()
    // Frames that were sent before still arrive.
    this.#down.send(ONE_WAY_MS, () => {
      if (!this.#isOpen) return
      this.#isOpen = false
      this.#handlers.onLost()
    })
  }
}
