// The network between the nodes and a shared store, in virtual time: latency, calls lost before they are executed,
// replies lost after, nodes that are cut off, a store that pauses, is down or restarts. Each node has its own link, and
// messages on one link keep their order, as on a connection. Used by the fleet's world.
import type { SeededRandom } from '../virtual/random.ts'
import type { Clock } from '@mangaassist/server/ports/clock/port'

/** The current latency and loss. */
export interface NetworkQuality {
  /** Median latency in one direction, log-normal; 0: no latency, and then a call costs no event. */
  readonly oneWayMs: number
  /** Standard deviation of the logarithm of the latency. */
  readonly spread: number
  /** Shares of all calls that are never executed (`lostBefore`), or executed and never answered (`lostAfter`). */
  readonly lostBefore: number
  readonly lostAfter: number
}

export const CLEAR_NETWORK: NetworkQuality = { oneWayMs: 0, spread: 0.5, lostBefore: 0, lostAfter: 0 }

/** The part of a link that the network uses. */
export interface Linked {
  /** The connection was lost and is restored: messages sent meanwhile were missed. */
  reconnected(): void
}

export interface StoreNetworkParts {
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly random: SeededRandom
}

const RECONNECT_MS_MAX = 1000

export class StoreNetwork {
  readonly clock: StoreNetworkParts['clock']
  readonly random: SeededRandom
  #quality: NetworkQuality = CLEAR_NETWORK
  #isPaused = false
  #isDown = false
  #waiting: (() => void)[] = []
  readonly #links = new Set<Linked>()
  readonly #cut = new Set<Linked>()

  constructor({ clock, random }: StoreNetworkParts) {
    this.clock = clock
    this.random = random
  }

  get quality(): NetworkQuality {
    return this.#quality
  }

  set quality(quality: NetworkQuality) {
    this.#quality = quality
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  /** A store that is down refuses at once, like a port without a listener. */
  get isDown(): boolean {
    return this.#isDown
  }

  /** Whether a call on this link passes without latency or faults. */
  isClear(link: Linked): boolean {
    const { oneWayMs, lostBefore, lostAfter } = this.#quality
    return oneWayMs + lostBefore + lostAfter === 0 && !this.#isPaused && !this.#isDown && !this.#cut.has(link)
  }

  isCut(link: Linked): boolean {
    return this.#cut.has(link)
  }

  /** Draws the latency of one message, in whole milliseconds; rounding at random preserves the mean. */
  latencyMs(): number {
    const { oneWayMs, spread } = this.#quality
    if (oneWayMs === 0) return 0
    const ms = oneWayMs * Math.exp(spread * normal(this.random))
    return Math.floor(ms + this.random.float())
  }

  join(link: Linked): void {
    this.#links.add(link)
  }

  leave(link: Linked): void {
    this.#links.delete(link)
    this.#cut.delete(link)
  }

  /** Drops everything between the link's node and the store from now on. */
  cut(link: Linked): void {
    this.#cut.add(link)
  }

  reconnect(link: Linked): void {
    if (this.#cut.delete(link)) this.#reconnectSoon(link)
  }

  /** Calls wait, and are executed when the pause ends. */
  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    const waited = this.#waiting
    this.#waiting = []
    for (const work of waited) work()
  }

  /** Calls that wait are executed in the order of arrival. */
  wait(work: () => void): void {
    this.#waiting.push(work)
  }

  goDown(): void {
    this.#isDown = true
  }

  comeUp(): void {
    this.#isDown = false
    for (const link of this.#links) this.#reconnectSoon(link)
  }

  #reconnectSoon(link: Linked): void {
    const afterMs = this.random.between(1, RECONNECT_MS_MAX)
    this.clock.after(afterMs, () => {
      if (this.#links.has(link) && !this.#cut.has(link) && !this.#isDown) link.reconnected()
    })
  }
}

/** Box–Muller transform. It discards the second number, so that each draw takes the same count of random numbers. */
function normal(random: SeededRandom): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.float()))
  return radius * Math.cos(2 * Math.PI * random.float())
}
