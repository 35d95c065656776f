// Which edition of the catalogue this node has, and whether the other nodes of the cluster have another one: then shoppers get different
// answers by chance. It is reported, and does not take a node out of service.
import type { Clock } from '#ports/clock/port.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { NodeWatch } from './nodes.ts'

export interface EditionReport {
  readonly edition: string | null
  readonly products: number
  /** The editions of other nodes that differ, with the number of nodes; absent when none does. */
  readonly others?: Readonly<Record<string, number>>
  readonly warning?: string
}

export interface EditionWatchParts {
  readonly products: Pick<ProductStore, 'edition' | 'count'>
  readonly nodes: Pick<NodeWatch, 'seen'>
  /** Every node has a copy of one catalogue. */
  readonly isShared?: boolean
  readonly clock: Clock
  readonly telemetry: Telemetry
}

export interface EditionWatch {
  report(): Promise<EditionReport>
  /** Warns when other nodes have another edition, once until they have the same again. */
  check(): Promise<void>
}

/** What was read longer ago is not reported: Redis may have been unavailable since. */
const KNOWN_MS = 60_000
const WARNING = 'nodes have different catalogues: run the import for every node'
const WARNING_SHARED =
  'nodes have different catalogues: each follows the shared one within seconds, or its log says why not'

export function createEditionWatch({
  clock,
  isShared = false,
  nodes,
  products,
  telemetry,
}: EditionWatchParts): EditionWatch {
  let isDifferent = false

  function different(edition: string): Readonly<Record<string, number>> {
    const seen = nodes.seen()
    if (seen === undefined || clock.now() - seen.at > KNOWN_MS) return {}
    const others = seen.nodes.flatMap((node) => node.edition ?? []).filter((other) => other !== edition)
    return Object.fromEntries([...Map.groupBy(others, (other) => other)].map(([other, same]) => [other, same.length]))
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
    async check() {
      const edition = (await products.edition())?.digest
      const counts = edition === undefined ? [] : Object.values(different(edition))
      const was = isDifferent
      isDifferent = counts.length > 0
      if (edition === undefined || !isDifferent || was) return
      telemetry.log('warn', 'catalogue.editions-differ', { edition, nodes: counts.reduce((sum, n) => sum + n, 0) })
    },
  }
}
