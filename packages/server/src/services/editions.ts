// Which edition of the catalogue this node has, and whether the other nodes of the cluster have another one: then shoppers get different
// answers by chance. It is reported, and does not take a node out of service.
import type { Clock } from '#ports/clock/port.ts'
import type { EditionBoard } from '#ports/edition-board/port.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface EditionReport {
  readonly edition: string | null
  readonly products: number
  /** The editions of other nodes that differ, with the number of nodes; absent when none does. */
  readonly others?: Readonly<Record<string, number>>
  readonly warning?: string
}

export interface EditionWatchParts {
  readonly products: Pick<ProductStore, 'edition' | 'count'>
  /** Absent where there is one node. */
  readonly editions?: EditionBoard
  /** Every node has a copy of one catalogue. */
  readonly isShared?: boolean
  readonly clock: Clock
  readonly telemetry: Telemetry
}

export interface EditionWatch {
  report(): Promise<EditionReport>
  /** Says which edition this node has, and reads those of the others. */
  announce(): Promise<void>
}

/** What was read longer ago is not reported: Redis may have been unavailable since. */
const KNOWN_MS = 60_000
const WARNING = 'nodes have different catalogues: run the import for every node'
const WARNING_SHARED =
  'nodes have different catalogues: each follows the shared one within seconds, or its log says why not'

export function createEditionWatch({
  clock,
  editions,
  isShared = false,
  products,
  telemetry,
}: EditionWatchParts): EditionWatch {
  let known: { readonly others: readonly string[]; readonly at: number } = { others: [], at: 0 }
  let isDifferent = false

  function different(edition: string): Readonly<Record<string, number>> {
    const recent = clock.now() - known.at > KNOWN_MS ? [] : known.others
    const counts = Map.groupBy(
      recent.filter((other) => other !== edition),
      (other) => other,
    )
    return Object.fromEntries([...counts].map(([other, nodes]) => [other, nodes.length]))
  }

  return {
    async report() {
      const edition = (await products.edition())?.digest
      const others = edition === undefined ? {} : different(edition)
      const counted = { edition: edition ?? null, products: await products.count() }
      return Object.keys(others).length === 0
        ? counted
        : { ...counted, others, warning: isShared ? WARNING_SHARED : WARNING }
    },
    async announce() {
      const edition = (await products.edition())?.digest
      if (editions === undefined || edition === undefined) return
      known = { others: await editions.announce(edition), at: clock.now() }
      const was = isDifferent
      isDifferent = Object.keys(different(edition)).length > 0
      if (isDifferent && !was)
        telemetry.log('warn', 'catalogue.editions-differ', { edition, nodes: known.others.length })
    },
  }
}
