// Opens the catalogue of a node: its own in SQLite, or a copy that follows the one which all nodes share in DynamoDB.
import { productsTable } from '#adapters/aws/dynamodb/product-store/table.ts'
import { sqliteProductStore } from '#adapters/sqlite/product-store/product-store.ts'
import type { Database } from '#adapters/sqlite/files/database.ts'
import type { Ports } from '#app/app.ts'
import { chosenStores } from '#config/chosen-stores.ts'
import type { Config } from '#config/config.ts'
import { isBundled } from '#domain/catalogue/sources.ts'
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'
import { eachProduct } from '#ports/product-store/each-product.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { SharedProducts } from '#ports/product-store/shared.ts'
import { readCatalogue } from '../bundled-data.ts'
import { StartError } from '../start-error.ts'
import type { SystemParts } from '../system.ts'
import type { SharedDynamo } from './open-dynamo.ts'

export interface ProductsParts extends Omit<SystemParts, 'metrics'> {
  readonly database: Database
  readonly dynamo: Pick<SharedDynamo, 'open' | 'openPatiently'>
}

const SEEDED_AT_ONCE = 100
const SEED_TRIES_MAX = 10
const SEED_PAUSE_MS = 2000

export async function openProducts(config: Config, parts: ProductsParts): Promise<Pick<Ports, 'products' | 'live'>> {
  const local = sqliteProductStore({ database: parts.database })
  if (chosenStores(config).products === 'dynamodb') return openShared(local, parts)
  await stockShelves(local)
  return { products: local }
}

async function openShared(
  local: ProductStore,
  parts: ProductsParts,
): Promise<Required<Pick<Ports, 'products' | 'live'>>> {
  const { clock, random, telemetry } = parts
  // Loaded on demand: a shop without DynamoDB does not load its client.
  const { dynamoProductStore } = await import('#adapters/aws/dynamodb/product-store/product-store.ts')
  const { followedProducts } = await import('#resilience/products/followed-products.ts')
  const hasCopy = (await local.edition()) !== undefined
  const dynamo = await (hasCopy ? parts.dynamo.openPatiently(productsTable) : parts.dynamo.open(productsTable))
  const shared = dynamoProductStore({ dynamo, clock, random })
  const followed = followedProducts({ shared, local, clock, telemetry })
  const ready = await orUnavailable(async () => {
    await seed(shared, local, parts)
    await followed.live.follow()
  })
  if (ready instanceof StoreUnavailable) {
    if ((await local.edition()) === undefined)
      throw new StartError(
        'the catalogue cannot be read from DynamoDB, and this node has no copy of it yet: run mangaassist doctor',
        { cause: ready },
      )
    telemetry.log('warn', 'catalogue.not-copied', {}, ready)
  }
  return followed
}

/**
 * Puts a first catalogue into an empty table: the node's own, which may be the bundled one. A shop's own catalogue also takes the
 * place of the bundled example.
 */
async function seed(shared: SharedProducts, local: ProductStore, { clock, random }: ProductsParts): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const there = await shared.edition()
    const own = await local.edition()
    const isOwn = own !== undefined && !isBundled(own.source)
    if (there !== undefined && !(isOwn && isBundled(there.source))) return
    await stockShelves(local)
    try {
      return await publishTo(shared, local)
    } catch (error) {
      // Another node that has just started may do the same.
      if (error instanceof StoreUnavailable || tries === SEED_TRIES_MAX) throw error
      await clock.sleep(SEED_PAUSE_MS * (0.5 + random.float()))
    }
  }
}

async function publishTo(shared: SharedProducts, local: ProductStore): Promise<void> {
  const next = await shared.begin()
  let some = []
  for await (const product of eachProduct(local)) {
    some.push(product)
    if (some.length < SEEDED_AT_ONCE) continue
    await next.add(some)
    some = []
  }
  await next.add(some)
  const faq = await local.faq()
  const { source = '' } = (await local.edition()) ?? {}
  await next.publish({ source, ...(faq === undefined ? {} : { faq }) })
}

/** Imports the bundled catalogue and its newer editions, unless the shop has imported a catalogue of its own. */
async function stockShelves(products: ProductStore): Promise<void> {
  const bundled = await readCatalogue()
  const edition = await products.edition()
  if (edition !== undefined && !isBundled(edition.source)) return
  if (edition?.source !== bundled.source) await products.replaceAll(bundled.products, bundled.source)
}
