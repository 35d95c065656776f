// The shelf in memory: what lists of series need of each product, in the order of ids. It is read again when the edition of
// the catalogue changes, so prices and stock are those of the store.
import { totalYen } from '@mangaassist/bookseller/catalogue/catalogue'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import type { ProductStore } from '#ports/product-store/port.ts'

type Kept =
  | 'id'
  | 'title'
  | 'author'
  | 'volumes'
  | 'status'
  | 'pricePerVolumeYen'
  | 'stock'
  | 'volumeOffers'
  | 'genres'
  | 'demographic'
  | 'age'
  | 'firstYear'
  | 'releases'

/** Without the long texts of a product: a large catalogue fits in memory. */
export type ShelvedSeries = Pick<Product, Kept> & {
  readonly totalYen: number
  /** How many series of the catalogue name this one as similar: the measure of the order `popular`. */
  readonly namedBy: number
}

export interface ShelfView {
  readonly all: readonly ShelvedSeries[]
  readonly byId: ReadonlyMap<string, ShelvedSeries>
  /** Changes with the facts of the catalogue, not with its prices. */
  readonly edition: string
}

const BATCH = 200
const EMPTY: ShelfView = { all: [], byId: new Map(), edition: '' }

export function createShelf(products: Pick<ProductStore, 'edition' | 'page'>) {
  let known: { readonly key: string; readonly view: Promise<ShelfView> } | undefined

  async function read(edition: string): Promise<ShelfView> {
    const found: Omit<ShelvedSeries, 'namedBy'>[] = []
    const namedBy = new Map<string, number>()
    for (let after = '', size = BATCH; size === BATCH;) {
      const batch = await products.page(after, BATCH)
      size = batch.length
      after = batch.at(-1)?.id ?? ''
      for (const product of batch) {
        found.push(shelved(product))
        for (const { id } of product.similar ?? []) if (id !== undefined) namedBy.set(id, (namedBy.get(id) ?? 0) + 1)
      }
    }
    const all = found.map((series) => ({ ...series, namedBy: namedBy.get(series.id) ?? 0 }))
    return { all, byId: new Map(all.map((series) => [series.id, series])), edition }
  }

  return {
    async current(): Promise<ShelfView> {
      const edition = await products.edition()
      if (edition === undefined) return EMPTY
      const key = `${edition.version}.${edition.offers}.${edition.digest}`
      if (known?.key !== key) {
        const view = read(edition.factsDigest)
        known = { key, view }
        // A failed read is not kept.
        view.catch(() => {
          if (known?.view === view) known = undefined
        })
      }
      return known.view
    },
  }
}

function shelved(product: Product): Omit<ShelvedSeries, 'namedBy'> {
  const { age, author, demographic, firstYear, genres, id, pricePerVolumeYen, releases, status, stock, title } = product
  return {
    id,
    title,
    volumes: product.volumes,
    pricePerVolumeYen,
    stock,
    genres,
    totalYen: totalYen(product),
    ...(author === undefined ? {} : { author }),
    ...(status === undefined ? {} : { status }),
    ...(product.volumeOffers === undefined ? {} : { volumeOffers: product.volumeOffers }),
    ...(demographic === undefined ? {} : { demographic }),
    ...(age === undefined ? {} : { age }),
    ...(firstYear === undefined ? {} : { firstYear }),
    ...(releases === undefined ? {} : { releases }),
  }
}
