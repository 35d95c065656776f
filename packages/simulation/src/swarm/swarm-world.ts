// A fleet's world that records the latest events, so that a breach is reported with the events that led to it, and
// counts the charges that were lost with a node.
import type { EventName } from '@mangaassist/server/domain/telemetry/catalogue'
import type { TurnStart } from '@mangaassist/server/domain/turn/log-records'
import { FleetWorld } from '../world/fleet-world.ts'
import type { FleetNode } from '../world/node.ts'
import { breachKind } from './breach-kind.ts'

const HISTORY_MAX = 120
/** A turn accepted at the end of a cut appears slightly later. */
const CUT_GRACE_MS = 200
/** Errors that a node logs for charges and rows that it could not write before it left. */
const GIVEN_UP: readonly EventName[] = ['budget.settlement-lost', 'ledger.rows-lost']

export class SwarmWorld extends FleetWorld {
  #history: string[] = []
  #isFrozen = false
  #chargesLost = 0
  readonly #cuts: { readonly node: string; readonly fromMs: number; toMs: number }[] = []

  /** The latest events, up to the first breach. */
  get history(): readonly string[] {
    return this.#history
  }

  /** Charges and rows that were only in the memory of a node when it died or left. */
  get chargesLost(): number {
    const { errorCounts } = this.telemetry
    return GIVEN_UP.reduce((sum, event) => sum + (errorCounts.get(event) ?? 0), this.#chargesLost)
  }

  override crash(node: FleetNode): void {
    if (!node.isGone) this.#chargesLost += node.unsettled
    super.crash(node)
  }

  override cutOff(node: FleetNode): void {
    this.#cuts.push({ node: node.name, fromMs: this.atMs, toMs: Number.POSITIVE_INFINITY })
    super.cutOff(node)
  }

  override reconnect(node: FleetNode): void {
    for (const cut of this.#cuts) if (cut.node === node.name) cut.toMs = Math.min(cut.toMs, this.atMs)
    super.reconnect(node)
  }

  /** Whether the node that accepted the turn could not reach the store then, while others could. */
  wasCutOff({ acceptedAt, writer = '' }: Pick<TurnStart, 'acceptedAt' | 'writer'>): boolean {
    const node = this.nodeByConnection.get(writer)
    if (node === undefined) return false
    const atMs = acceptedAt - node.clock.aheadMs - this.startsAt
    return this.#cuts.some((cut) => cut.node === node.name && cut.fromMs <= atMs && atMs <= cut.toMs + CUT_GRACE_MS)
  }

  override trace(what: string): void {
    super.trace(what)
    if (this.#isFrozen) return
    this.#history.push(`${this.atMs} ms: ${what}`)
    if (this.#history.length > 2 * HISTORY_MAX) this.#history = this.#history.slice(-HISTORY_MAX)
  }

  /** Whether a breach is unavoidable; then it is only counted. */
  isExcused: (breach: string) => boolean = () => false

  override breach(what: string): void {
    if (this.isExcused(what)) return this.see(breachKind(what))
    super.breach(what)
    this.#history = this.#history.slice(-HISTORY_MAX)
    this.#isFrozen = true
  }
}
