// What is moved, from the folder of a shop to the stores that the configuration chooses.
import type { Database } from '#adapters/sqlite/files/database.ts'
import type { Part } from '#app/migration.ts'
import { chosenStores, IS_SHARED } from '#config/chosen-stores.ts'
import type { NodePort, StoredPort } from '#config/chosen-stores.ts'
import type { ShopSource } from '#ports/migration/shop-source.ts'
import type { StoreParts } from '../stores/store-parts.ts'
import { MOVES } from './moves.ts'

/** In the order in which they are moved. */
export async function partsToMove(source: ShopSource, given: Omit<StoreParts, 'database'>): Promise<readonly Part[]> {
  const chosen = chosenStores(given.config)
  const move = { source, counts: source.counts(), chosen, parts: { ...given, database: NO_DATABASE } }
  const parts: Part[] = []
  for (const [port, partsOf] of Object.entries(MOVES)) {
    // A store of the node itself stays in its folder.
    const isShared = IS_SHARED[chosen[port as StoredPort | NodePort]]
    if (isShared && typeof partsOf !== 'string') parts.push(...(await partsOf(move)))
  }
  return parts
}

/** No part that is moved opens a store in a folder: those of the nodes are not the target. */
const NO_DATABASE = new Proxy({} as Database, {
  get() {
    throw new TypeError('a store in a folder is no target of a move')
  },
})
