// What will be asked about the releases of a day, from the current catalogue. Read once for each edition of the catalogue:
// it may have a hundred thousand products.
import { createHash } from 'node:crypto'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { byDate, releasesOf } from '@mangaassist/bookseller/catalogue/release-calendar'
import { releaseQuestions } from '@mangaassist/bookseller/catalogue/release-questions'
import type { ReleaseQuestion } from '@mangaassist/bookseller/catalogue/release-questions'
import { eachProduct } from '#ports/product-store/each-product.ts'
import type { ProductStore } from '#ports/product-store/port.ts'

export interface DueReleases {
  readonly questions: readonly ReleaseQuestion[]
  /** Questions beyond the limit. */
  readonly leftOut: number
  /**
   * A digest of the released products, price and stock included. It is the same on every node with the same products, and
   * changes when answers about them are no longer true.
   */
  readonly digest: string
}

export interface DueReleasesParts {
  readonly products: Pick<ProductStore, 'edition' | 'page'>
  readonly questionsMax: number
}

export function createDueReleases({ products, questionsMax }: DueReleasesParts): (day: string) => Promise<DueReleases> {
  let known: { readonly key: string; readonly due: DueReleases } | undefined

  async function read(day: string): Promise<DueReleases> {
    const found: { product: Product; release: ReturnType<typeof releasesOf>[number] }[] = []
    for await (const product of eachProduct(products))
      for (const release of releasesOf(product, { from: day, to: day })) found.push({ product, release })
    const sorted = found.toSorted((a, b) => byDate(a.release, b.release))
    const all = releaseQuestions(sorted)
    const digest = createHash('sha256').update(JSON.stringify(sorted)).digest('base64url')
    return { questions: all.slice(0, questionsMax), leftOut: Math.max(0, all.length - questionsMax), digest }
  }

  return async (day) => {
    const key = JSON.stringify([day, await products.edition()])
    if (known?.key !== key) known = { key, due: await read(day) }
    return known.due
  }
}
