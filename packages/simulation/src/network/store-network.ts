// The way from the nodes to a store that they share, in virtual time: latency, calls that are lost before they are carried
// out and replies that are lost after, nodes that are cut off, a store that pauses, is down or restarts. Each node has its
// own link; what travels on one link keeps its order, as on a connection. Used by the fleet's world.
import type { SeededRandom } from '../virtual/random.ts'
import type { Clock } from '@mangaassist/server/ports/clock/port'

/** How the way is at the moment. */
export interface WayFigures {
  /** Of one way, log-normal; 0: none, and then a call costs no event. */
  readonly oneWayMs: number
  /** Of the logarithm. */
  readonly spread: number
  /** Parts of all calls: never carried out, or carried out and never answered. */
  readonly lostBefore: number
  readonly lostAfter: number
}

export const CLEAR_WAY: WayFigures = { oneWayMs: 0, spread: 0.5, lostBefore: 0, lostAfter: 0 }

/** What a link has to be told when the store is there again. */
export interface Linked {
  /** The connection was lost and is back: what was said meanwhile was missed. */
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
  #way: WayFigures = CLEAR_WAY
  #isPaused = false
  #isDown = false
  #waiting: (() => void)[] = []
  readonly #links = new Set<Linked>()
  readonly #cut = new Set<Linked>()

  constructor({ clock, random }: StoreNetworkParts) {
    this.clock = clock
    this.random = random
  }

  get way(): WayFigures {
    return this.#way
  }

  set way(way: WayFigures) {
    this.#way = way
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  /** It refuses at once, as a port that nobody listens on. */
  get isDown(): boolean {
    return this.#isDown
  }

  /** Whether a call of this link passes as if there were no way at all. */
  isClear(link: Linked): boolean {
    const { oneWayMs, lostBefore, lostAfter } = this.#way
    return oneWayMs + lostBefore + lostAfter === 0 && !this.#isPaused && !this.#isDown && !this.#cut.has(link)
  }

  isCut(link: Linked): boolean {
    return this.#cut.has(link)
  }

  /** How long something is on its way now, in whole milliseconds: their mean is the figure's. */
  wayMs(): number {
    const { oneWayMs, spread } = this.#way
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

  /** From now on nothing passes between the link's node and the store. */
  cut(link: Linked): void {
    this.#cut.add(link)
  }

  mend(link: Linked): void {
    if (this.#cut.delete(link)) this.#reconnectSoon(link)
  }

  /** Calls wait; what waited is carried out when the pause is over. */
  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    const waited = this.#waiting
    this.#waiting = []
    for (const work of waited) work()
  }

  /** Whoever waits is carried out in the order of coming. */
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

/** Box and Muller's; the second number is thrown away, so that each draw takes the same from chance. */
function normal(random: SeededRandom): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.float()))
  return radius * Math.cos(2 * Math.PI * random.float())
}
