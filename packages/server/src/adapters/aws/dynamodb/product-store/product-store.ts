// The catalogue in DynamoDB, shared by all nodes. An edition is written beside the current one and takes effect by one conditional
// write; readers of the earlier one finish undisturbed.
import type { Clock } from '#ports/clock/port.ts'
import type { SharedProducts, Snapshot } from '#ports/product-store/shared.ts'
import type { Random } from '#ports/random/port.ts'
import type { Dynamo } from '../client/dynamo.ts'
import { changeOffers } from './change-offers.ts'
import { beginEdition } from './next-edition.ts'
import { EditionReplaced } from './offer-item.ts'
import { purgeParts } from './parts.ts'
import { editionOf, readPointer } from './pointer.ts'
import { snapshotOf } from './snapshot.ts'
import { productsTable } from './table.ts'

export interface DynamoProductsOptions {
  readonly dynamo: Dynamo
  readonly clock: Clock
  readonly random: Random
}

const READ_TRIES_MAX = 3

export function dynamoProductStore({ clock, dynamo, random }: DynamoProductsOptions): SharedProducts {
  const parts = { dynamo, clock, random, table: dynamo.tableName(productsTable) }

  async function snapshot(): Promise<Snapshot | undefined> {
    const { current } = await readPointer(parts)
    return current === undefined ? undefined : snapshotOf(parts, current)
  }

  /** What `read` finds in the current edition; again when that was replaced and removed meanwhile. */
  async function ofCurrent<Value>(read: (now: Snapshot) => Promise<Value>, none: Value): Promise<Value> {
    for (let tries = 1; ; tries += 1) {
      const now = await snapshot()
      if (now === undefined) return none
      try {
        return await read(now)
      } catch (error) {
        if (!(error instanceof EditionReplaced) || tries === READ_TRIES_MAX) throw error
      }
    }
  }

  return {
    snapshot,
    purge: () => purgeParts(parts),
    byIds: (ids) => (ids.length === 0 ? Promise.resolve([]) : ofCurrent((now) => now.byIds(ids), [])),
    page: (afterId, limit) =>
      ofCurrent(async (now) => now.byIds((await now.outlines(afterId, limit)).map(({ id }) => id)), []),
    outlines: (afterId, limit) => ofCurrent((now) => now.outlines(afterId, limit), []),
    async count() {
      return (await readPointer(parts)).current?.count ?? 0
    },
    async edition() {
      const { current } = await readPointer(parts)
      return current === undefined ? undefined : editionOf(current)
    },
    faq: () => ofCurrent((now) => now.faq(), undefined),
    begin: () => beginEdition(parts),
    async replaceAll(products, source) {
      const next = await beginEdition(parts)
      await next.add(products)
      await next.publish({ source })
    },
    changeOffers: (changes, published) => changeOffers(parts, changes, published),
  }
}
