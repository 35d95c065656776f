// Retrieves what a question means: the named series, or those that fit a wish, with the products as they are in the
// catalogue now.
import type { Language } from '@mangaassist/protocol'
import type { FaqEntry, Product } from '@mangaassist/bookseller/catalogue/catalogue'
import type { Grounding } from '@mangaassist/bookseller/grounding'
import { byMeasure, isAvoided, passes } from '@mangaassist/bookseller/retrieval/filters'
import { isEmptyWish } from '@mangaassist/bookseller/understanding/ask'
import type { Ask } from '@mangaassist/bookseller/understanding/ask'
import type { AskInContext } from '@mangaassist/bookseller/understanding/in-context'
import { eachProduct } from '#ports/product-store/each-product.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { Search, SearchHit } from '#ports/search/port.ts'

export interface RetrieveParts {
  readonly search: Search
  readonly products: ProductStore
  readonly faq: readonly FaqEntry[]
}

/** A series found by words alone must match this share of them to be more than coincidence. */
const MATCHED_MIN = 0.34
/** The share at which words that were not understood count as a wish. */
const UNDERSTOOD_MIN = 0.5

export async function retrieve(
  parts: RetrieveParts,
  question: { readonly ask: AskInContext; readonly text: string; readonly language: Language; readonly limit: number },
  signal: AbortSignal,
): Promise<Grounding> {
  const { ask, limit } = question
  const faq = faqFor(parts, ask)
  if (ask.kind === 'faq') return { ask, products: [], liked: [], faq }
  const named = ask.mentioned.length === 0 ? [] : await parts.products.byIds(ask.mentioned)
  if (isAboutNamed(ask) && named.length > 0) return { ask, products: named.slice(0, limit), liked: [], faq: [] }
  if (!looksForProducts(ask)) return { ask, products: [], liked: [], faq }
  if (ask.most !== undefined && ask.kind === 'recommend')
    return { ask, products: (await mostOnShelf(parts, ask)).slice(0, limit), liked: [], faq }
  const hits = await parts.search.find(
    { ...question, wish: ask.wish, like: named.map(({ id }) => id), exclude: ask.exclude },
    signal,
  )
  const products = await parts.products.byIds(wanted(hits, ask).slice(0, limit))
  // Words that were not understood but match a series were a wish.
  const kind = ask.kind === 'unknown' && products.length > 0 ? 'recommend' : ask.kind
  return { ask: { ...ask, kind }, products, liked: named, faq }
}

export function faqFor(parts: Pick<RetrieveParts, 'faq'>, { faqId }: Ask): readonly FaqEntry[] {
  return parts.faq.filter((entry) => entry.id === faqId)
}

const isAboutNamed = ({ kind }: AskInContext): boolean => kind === 'about' || kind === 'price' || kind === 'compare'

/** Words that were not understood may still match a series; a bare reference has no words to search for. */
const looksForProducts = ({ kind, reference, fact }: AskInContext): boolean =>
  kind === 'like' || kind === 'recommend' || (kind === 'unknown' && reference === undefined && fact === undefined)

/** The longest or the cheapest of all that fit the wish. */
async function mostOnShelf({ products }: RetrieveParts, ask: AskInContext): Promise<readonly Product[]> {
  const { wish, most } = ask
  const fits = (product: Product) =>
    passes(product, wish.filters) &&
    wish.genres.every((genre) => product.genres.includes(genre)) &&
    wish.moods.every((mood) => product.moods.includes(mood)) &&
    !isAvoided(product, wish) &&
    !ask.exclude.includes(product.id)
  const fitting: Product[] = []
  for await (const product of eachProduct(products)) if (fits(product)) fitting.push(product)
  return most === undefined ? fitting : fitting.toSorted(byMeasure(most))
}

function wanted(hits: readonly SearchHit[], { kind, mentioned, wish }: AskInContext): readonly string[] {
  const products = hits.filter((hit) => hit.kind === 'product')
  const isDirected = mentioned.length > 0 || !isEmptyWish(wish)
  return products
    .filter((hit) => isDirected || hit.matched >= (kind === 'unknown' ? UNDERSTOOD_MIN : MATCHED_MIN))
    .map((hit) => hit.id)
}
