// Compares the stored vectors with the catalogue and the FAQ: which documents have none or old ones, and which are gone.
import type { FaqEntry } from '@mangaassist/bookseller/catalogue/catalogue'
import { eachOfPages } from '#lib/collections/each-of-pages.ts'
import type { ProductOutline, ProductStore } from '#ports/product-store/port.ts'
import type { DocumentOutline, VectorStore } from '#ports/vector-store/port.ts'
import { faqTexts } from './documents.ts'

export interface Surveyed {
  /** The facts of every document, by its id. */
  readonly wanted: ReadonlyMap<string, string>
  readonly missing: readonly string[]
  readonly gone: readonly string[]
}

const PAGE = 500

export async function survey({
  products,
  faq,
  store,
  pause,
}: {
  readonly products: Pick<ProductStore, 'outlines'>
  readonly faq: readonly FaqEntry[]
  readonly store: Pick<VectorStore, 'outlines'>
  /** Awaited between pages, so that a large catalogue delays nothing else. */
  readonly pause: () => Promise<void>
}): Promise<Surveyed> {
  const wanted = new Map<string, string>()
  const outlines = eachOfPages(PAGE, async (limit, after: ProductOutline | undefined) => {
    await pause()
    return products.outlines(after?.id ?? '', limit)
  })
  for await (const { id, facts } of outlines) wanted.set(id, facts)
  for (const { id, facts } of faq.map(faqTexts)) wanted.set(id, facts)
  const current = new Set<string>()
  const gone: string[] = []
  for await (const { id, facts } of storedOutlines(store, pause)) {
    if (wanted.get(id) === facts) current.add(id)
    else if (!wanted.has(id)) gone.push(id)
  }
  return { wanted, missing: [...wanted.keys()].filter((id) => !current.has(id)), gone }
}

export function storedOutlines(
  store: Pick<VectorStore, 'outlines'>,
  pause: () => Promise<void>,
): AsyncGenerator<DocumentOutline> {
  return eachOfPages(PAGE, async (limit, after: DocumentOutline | undefined) => {
    await pause()
    return store.outlines(after?.id ?? '', limit)
  })
}
