// The products of the current edition prepared for ranking, for every search adapter: built again when facts change; when only
// prices or stock change they are read again into the same products, which takes no new index.
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { shelfIndex } from '@mangaassist/bookseller/catalogue/shelf-index'
import type { ShelfIndex } from '@mangaassist/bookseller/catalogue/shelf-index'
import { eachOfPages } from '#lib/collections/each-of-pages.ts'
import type { Embedder } from '../embedder/port.ts'
import { allProducts } from '../product-store/each-product.ts'
import type { ProductOutline, ProductStore } from '../product-store/port.ts'

export interface Shelves {
  readonly version: number
  readonly products: readonly Product[]
  readonly index: ShelfIndex
}

type Catalogue = Pick<ProductStore, 'page' | 'outlines' | 'edition'>

const PAGE_OUTLINES = 500

export function currentShelves(
  catalogue: Catalogue,
  learn: (texts: readonly string[]) => Embedder,
): () => Promise<Shelves> {
  let known: { readonly version: number; readonly offers: number; readonly shelves: Promise<Shelves> } | undefined

  async function built(version: number): Promise<Shelves> {
    // Copied, because offers are changed in place.
    const products = (await allProducts(catalogue)).map((product) => ({ ...product }))
    return { version, products, index: await shelfIndex(products, learn) }
  }

  async function reoffered(shelves: Shelves): Promise<Shelves> {
    const byId = new Map(shelves.products.map((product) => [product.id, product]))
    const outlines = eachOfPages(PAGE_OUTLINES, (limit, after: ProductOutline | undefined) =>
      catalogue.outlines(after?.id ?? '', limit),
    )
    for await (const { id, offer } of outlines) {
      const product = byId.get(id)
      if (product === undefined) continue
      delete product.volumeOffers
      delete product.releases
      Object.assign(product, offer)
    }
    return shelves
  }

  return async () => {
    const { version = 0, offers = 0 } = (await catalogue.edition()) ?? {}
    if (known?.version === version && known.offers === offers) return known.shelves
    // The promise is cached, so that concurrent questions build the index once; a failed one is not cached.
    const shelves = known?.version === version ? known.shelves.then(reoffered) : built(version)
    known = { version, offers, shelves }
    shelves.catch(() => (known = undefined))
    return shelves
  }
}
