// Series to suggest while the assistant cannot answer: those in stock with the most volumes, as a measure of popularity. Cached in
// memory, because they are needed when everything else is down; empty until the catalogue was read.
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import type { ProductStore } from '#ports/product-store/port.ts'

export interface Popular {
  /** A few of them; another seed gives others. */
  some(seed: string): readonly Product[]
  /** Reads the catalogue again if it has changed. */
  refresh(): Promise<void>
}

const BATCH = 200
const KEPT_MAX = 24
const SOME = 3

export function createPopular({ products }: { readonly products: ProductStore }): Popular {
  let kept: readonly Product[] = []
  let version: number | undefined

  async function best(): Promise<readonly Product[]> {
    let found: readonly Product[] = []
    for (let after = '', size = BATCH; size === BATCH;) {
      const batch = await products.page(after, BATCH)
      size = batch.length
      after = batch.at(-1)?.id ?? ''
      const inStock = batch.filter(({ stock }) => stock > 0)
      found = [...found, ...inStock].toSorted((a, b) => b.volumes - a.volumes).slice(0, KEPT_MAX)
    }
    return found
  }

  return {
    some(seed) {
      const from = [...seed].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0)
      return Array.from({ length: Math.min(SOME, kept.length) }, (_, at) => kept[(from + at) % kept.length]!)
    },
    async refresh() {
      const edition = await products.edition()
      if (edition?.version === version) return
      kept = await best()
      version = edition?.version
    },
  }
}
