// Checks the ledger against the record of the simulated vendors: every call that a turn made has its row, whichever of its
// owners made it. A node that died may have taken the only knowledge of its calls with it.
import type { LedgerRow } from '@mangaassist/server/ports/ledger/port'
import type { CallFacts } from '../provider/call.ts'
import type { FleetWorld } from '../world/fleet-world.ts'
import type { WatchedTurn } from './watch/turn-watch.ts'

export interface CallBooks {
  readonly world: Pick<FleetWorld, 'nodes' | 'see'>
  /** Every call of a vendor, in order. */
  readonly calls: readonly CallFacts[]
  readonly breach: (kind: string, detail: string) => void
}

export class CallCheck {
  readonly #books: CallBooks
  readonly #byTurn: Map<string | undefined, CallFacts[]>
  readonly #alive: ReadonlySet<string>

  constructor(books: CallBooks) {
    this.#books = books
    this.#byTurn = Map.groupBy(books.calls, ({ turnId }) => turnId)
    this.#alive = new Set(books.world.nodes.map(({ name }) => name))
  }

  check({ isCached, turnId }: WatchedTurn, rows: readonly LedgerRow[]): void {
    const { breach, world } = this.#books
    const calls = this.#byTurn.get(turnId) ?? []
    const booked = rows.filter(isOfVendor)
    const missing = calls.length - booked.length
    // A turn may be stopped after a call was announced and before it was made; such a row has no usage.
    if (missing <= 0 && -missing <= booked.filter(isUnused).length) return
    if (missing === 1 && isCached) return
    const lost = calls.filter(({ node }) => !this.#alive.has(node)).length
    if (missing > 0 && missing <= lost) return world.see('a call died with its node')
    breach('the ledger and the calls of a turn differ', `${turnId}: ${booked.length} rows, ${calls.length} calls`)
  }
}

/** An answer that needed no call has one row, with the attempt 0. */
function isOfVendor({ attempt, tier }: LedgerRow): boolean {
  return attempt > 0 && (tier === 'primary' || tier === 'economy')
}

function isUnused({ inputTokens, outputTokens }: LedgerRow): boolean {
  return inputTokens + outputTokens === 0
}
