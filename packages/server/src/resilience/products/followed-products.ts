// The catalogue of a node that shares one with other nodes. It answers from its own copy, which follows the shared catalogue within
// seconds; imports go to the shared one. At the moment of an answer the node makes sure that its copy is current, and reads price and
// stock from the shared catalogue where it is not; when it cannot, it says since when they may have changed.
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { partsOf } from '@mangaassist/bookseller/catalogue/offer'
import { digestOf } from '#domain/catalogue/digests.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { ProductOutline, ProductStore } from '#ports/product-store/port.ts'
import type { LiveProducts, ProductsNow, SharedProducts } from '#ports/product-store/shared.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { copyEdition, withOffer } from './copy-edition.ts'
import { SharedNow } from './shared-now.ts'
import type { Known } from './shared-now.ts'

export interface FollowedProductsParts {
  readonly shared: SharedProducts
  /** The node's copy. Nothing else writes it. */
  readonly local: ProductStore
  readonly clock: Clock
  readonly telemetry: Telemetry
}

export interface FollowedProducts {
  readonly products: ProductStore
  readonly live: LiveProducts
}

const PURGE_EVERY_MS = 10 * 60_000

export function followedProducts(parts: FollowedProductsParts): FollowedProducts {
  const { clock, local, shared, telemetry } = parts
  const now = new SharedNow(shared, clock)
  let confirmedAt: number | undefined
  let purgedAt = clock.now()
  let unlike: string | undefined
  let following: Promise<boolean> | undefined

  /** Whether the local copy has the edition of the shared catalogue, as last read. */
  async function isCopied({ readAt, snapshot }: Known): Promise<boolean> {
    const isSame = (await local.edition())?.digest === snapshot.edition.digest
    if (isSame) confirmedAt = Math.max(readAt, confirmedAt ?? 0)
    return isSame
  }

  async function followOnce(): Promise<boolean> {
    const known = await now.read()
    if (known === undefined || (await isCopied(known))) return false
    const { snapshot } = known
    if (snapshot.edition.digest === unlike) return false
    const at = clock.now()
    const { digest } = await copyEdition(snapshot, local)
    // If the copy still differs, remember the edition: copying it again would give the same result.
    unlike = (await isCopied(known)) ? undefined : snapshot.edition.digest
    telemetry.log('info', 'catalogue.copied', { edition: digest, products: snapshot.count, tookMs: clock.now() - at })
    return true
  }

  const follow = () => (following ??= followOnce().finally(() => (following = undefined)))

  /** The copy follows at once; if that fails, at the next round. */
  async function published<Value>(change: Promise<Value>): Promise<Value> {
    const value = await change
    // A round that began before the change may be running.
    await following?.catch(() => {})
    await follow().catch((error: unknown) => telemetry.log('warn', 'catalogue.not-copied', {}, error))
    return value
  }

  /** In the background: an import does not wait for it, and a failure leaves the remains for the next time. */
  function purge(): void {
    if (clock.now() - purgedAt < PURGE_EVERY_MS) return
    purgedAt = clock.now()
    shared.purge().catch((error: unknown) => telemetry.log('warn', 'catalogue.not-purged', {}, error))
  }

  return {
    products: {
      ...local,
      replaceAll: (products, source) => published(shared.replaceAll(products, source)),
      changeOffers: (changes, how) => published(shared.changeOffers(changes, how)),
      async begin() {
        const next = await shared.begin()
        return { ...next, publish: (how) => published(next.publish(how)) }
      },
    },
    live: {
      async follow() {
        purge()
        return follow()
      },
      async now(products) {
        if (products.length === 0) return { products }
        const known = await now.current()
        if (known !== undefined && (await isCopied(known))) return { products }
        const read = known === undefined ? undefined : await now.inTime(() => sharedOnes(now, known, products))
        if (read !== undefined) return { products: read }
        telemetry.count('catalogue_stale_total')
        return { products, asOf: confirmedAt ?? null } satisfies ProductsNow
      },
    },
  }
}

/** The products as the shared catalogue has them: the copy is behind. */
async function sharedOnes(now: SharedNow, known: Known, products: readonly Product[]): Promise<readonly Product[]> {
  const ids = [...new Set(products.map(({ id }) => id))]
  const outlines = await now.outlinesOf(known, ids)
  const isOther = (product: Product, outline: ProductOutline | undefined) =>
    outline !== undefined && outline.facts !== digestOf(partsOf(product).facts)
  const others = products.filter((product) => isOther(product, outlines.get(product.id))).map(({ id }) => id)
  const changed = new Map(
    (others.length === 0 ? [] : await known.snapshot.byIds(others)).map((product) => [product.id, product]),
  )
  return products.flatMap((product) => {
    const outline = outlines.get(product.id)
    return outline === undefined ? [] : [changed.get(product.id) ?? withOffer(product, outline.offer)]
  })
}
