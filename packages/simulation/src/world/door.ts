// The path from a client to the fleet: a load balancer that sends a new connection to a random ready node, and a
// connection that carries frames both ways in order. It is cut when its node dies, and a paused node receives its
// frames later.
import type { ServerFrame } from '@mangaassist/protocol'
import type { Principal } from '@mangaassist/server/domain/identity/principal'
import { Connection } from '@mangaassist/server/edge/connection/connection'
import { Pipe } from '../network/pipe.ts'
import type { FleetWorld } from './fleet-world.ts'
import type { FleetNode, Seat } from './node.ts'

export interface DoorConnection {
  readonly node: string
  /** A frame, or arbitrary data from a hostile client. */
  send(frame: object | string): void
  hangUp(): void
}

export interface LineEnd {
  onFrame(frame: ServerFrame): void
  onLost(): void
}

const ONE_WAY_MS = 1

/** Undefined when no node is ready. */
export function dial(world: FleetWorld, principal: Principal, end: LineEnd): DoorConnection | undefined {
  const { ready } = world
  if (ready.length === 0) return undefined
  return new OpenLine(world, { node: world.random.pick(ready), principal, end })
}

class OpenLine implements DoorConnection {
  readonly #world: FleetWorld
  readonly #node: FleetNode
  readonly #end: LineEnd
  readonly #up: Pipe
  readonly #down: Pipe
  #isOpen = true
  #seat: Seat | undefined

  constructor(
    world: FleetWorld,
    parts: { readonly node: FleetNode; readonly principal: Principal; readonly end: LineEnd },
  ) {
    this.#world = world
    this.#node = parts.node
    this.#end = parts.end
    this.#up = new Pipe(world.clock)
    this.#down = new Pipe(world.clock)
    this.#up.send(ONE_WAY_MS, () => this.#node.clock.whenRunning(() => void this.#enter(parts.principal)))
  }

  get node(): string {
    return this.#node.name
  }

  send(frame: object | string): void {
    const text = typeof frame === 'string' ? frame : JSON.stringify(frame)
    this.#up.send(ONE_WAY_MS, () => this.#node.clock.whenRunning(() => this.#seat?.connection.receive(text)))
  }

  hangUp(): void {
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
      send: (text: string) => this.#down.send(ONE_WAY_MS, () => this.#hear(text)),
      bufferedBytes: () => 0,
      progressMark: () => 0,
      pause: () => {},
      resume: () => {},
      ignore: () => {},
      close: () => this.#lost(),
    }
    const connection = new Connection(node, { transport, principal, language: 'ja' })
    const seat: Seat = { connection, lost: () => this.#lost() }
    this.#seat = seat
    this.#world.seats.set(connection.id, node)
    node.seats.add(seat)
  }

  #hear(text: string): void {
    if (this.#isOpen) this.#end.onFrame(JSON.parse(text) as ServerFrame)
  }

  #leave(): void {
    if (this.#seat === undefined) return
    this.#node.seats.delete(this.#seat)
    this.#seat.connection.closed()
    this.#seat = undefined
  }

  #lost(): void {
    this.#leave()
    // Frames that were sent before still arrive.
    this.#down.send(ONE_WAY_MS, () => {
      if (!this.#isOpen) return
      this.#isOpen = false
      this.#end.onLost()
    })
  }
}
