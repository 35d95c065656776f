// A fleet's world that remembers the last things that happened, so that a breach comes with the story that led to it, and what
// nodes took with them that they had told nobody yet.
import { FleetWorld } from '../world/fleet-world.ts'
import type { FleetNode } from '../world/node.ts'
import { breachKind } from './breach-kind.ts'

const STORY_MAX = 120
/** What a node says of what it could not bring to an end when it left. */
const GIVEN_UP: readonly string[] = ['state.settlement-lost', 'ledger.rows-lost']

export class SwarmWorld extends FleetWorld {
  #story: string[] = []
  #isFrozen = false
  #chargesLost = 0

  /** Up to the first breach, or to now. */
  get story(): readonly string[] {
    return this.#story
  }

  /** Charges and rows that waited in the memory of a node when it went. */
  get chargesLost(): number {
    const { errorCounts } = this.telemetry
    return GIVEN_UP.reduce((sum, event) => sum + (errorCounts.get(event) ?? 0), this.#chargesLost)
  }

  override crash(node: FleetNode): void {
    if (!node.isGone) this.#chargesLost += node.unsettled
    super.crash(node)
  }

  override trace(what: string): void {
    super.trace(what)
    if (this.#isFrozen) return
    this.#story.push(`${this.atMs} ms: ${what}`)
    if (this.#story.length > 2 * STORY_MAX) this.#story = this.#story.slice(-STORY_MAX)
  }

  /** Whether this cannot be promised; then it is only counted. */
  isExcused: (breach: string) => boolean = () => false

  override breach(what: string): void {
    if (this.isExcused(what)) return this.see(breachKind(what))
    super.breach(what)
    this.#story = this.#story.slice(-STORY_MAX)
    this.#isFrozen = true
  }
}
