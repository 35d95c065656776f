// Prices and stock of the products on a shelf, for its filters: read from the store when it is opened, and again when they change.
// A large catalogue is searched with the earlier ones meanwhile; what an answer states is read from the store in any case.
import { totalYen } from '@mangaassist/bookseller/catalogue/catalogue'
import type { ShelfOffer, Shelf } from '@mangaassist/bookseller/retrieval/shelf'
import { eachOfPages } from '#lib/collections/each-of-pages.ts'
import type { Edition, ProductOutline, ProductStore } from '../product-store/port.ts'

const PAGE_OUTLINES = 500
/** Offers of so many products are read in some ten milliseconds. */
const AWAITED_MAX = 5000
const SOLD_OUT: ShelfOffer = { pricePerVolumeYen: 0, totalYen: 0, stock: 0 }

export interface CurrentOffers {
  of(product: number): ShelfOffer
  /** Reads the offers again if those of the edition are newer; resolves at once for a large catalogue. */
  follow(edition: Edition | undefined): Promise<void>
}

export async function currentOffers(
  products: Pick<ProductStore, 'outlines' | 'edition'>,
  shelf: Shelf,
): Promise<CurrentOffers> {
  const prices = new Uint32Array(shelf.size)
  const totals = new Uint32Array(shelf.size)
  const stocks = new Uint32Array(shelf.size)
  let read = stampOf(await products.edition())
  let reading: Promise<void> | undefined

  async function readAll(): Promise<void> {
    const outlines = eachOfPages(PAGE_OUTLINES, (limit, after: ProductOutline | undefined) =>
      products.outlines(after?.id ?? '', limit),
    )
    for await (const { id, offer } of outlines) {
      const product = shelf.numberOf(id)
      if (product === undefined) continue
      prices[product] = offer.pricePerVolumeYen
      totals[product] = totalYen({ volumes: shelf.volumes[product]!, ...offer })
      stocks[product] = offer.stock
    }
  }

  await readAll()
  return {
    of: (product) =>
      product < shelf.size
        ? { pricePerVolumeYen: prices[product]!, totalYen: totals[product]!, stock: stocks[product]! }
        : SOLD_OUT,
    async follow(edition) {
      const stamp = stampOf(edition)
      if (stamp === read) return
      reading ??= readAll()
        .then(() => void (read = stamp))
        .finally(() => (reading = undefined))
      if (shelf.size <= AWAITED_MAX) await reading
      else reading.catch(() => {})
    },
  }
}

const stampOf = (edition: Edition | undefined): string => `${edition?.version ?? 0}/${edition?.offers ?? 0}`
