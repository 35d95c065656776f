// The catalogue for a storefront: pages of cards, with or without search words, and one series with similar ones. Prices and
// stock are current.
import type { Language, ProductDetail, ProductItem, PublicationStatus } from '@mangaassist/protocol'
import { toCard } from '@mangaassist/bookseller/catalogue/catalogue'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { Refusal } from '#domain/refusal.ts'
import type { Wish } from '@mangaassist/bookseller/retrieval/wish'
import { GENRES, labelOf, MOODS, READERSHIPS } from '@mangaassist/bookseller/understanding/vocabulary'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { Search } from '#ports/search/port.ts'

interface ProductFilters {
  readonly genre?: string | undefined
  readonly demographic?: string | undefined
  readonly status?: PublicationStatus | undefined
  readonly inStock?: boolean | undefined
}

export interface ProductsQuery {
  /** Search words. Empty: all series in the order of their ids; otherwise the best match first. */
  readonly text: string
  readonly language: Language
  readonly limit: number
  /** The last id of the previous page. */
  readonly after: string
  readonly filters: ProductFilters
}

export interface ProductsPage {
  readonly items: readonly ProductItem[]
  /** The `after` of the next page; absent on the last page. */
  readonly next?: string
}

export interface ProductQueriesParts {
  readonly products: ProductStore
  readonly search: Pick<Search, 'find'>
  /** The grounding of a turn with these words: in the search box they mean the same as in the chat. */
  readonly lookUp: (
    question: { readonly message: string; readonly language: Language; readonly limit: number },
    signal: AbortSignal,
  ) => Promise<{ readonly products: readonly Product[]; readonly liked: readonly Product[] }>
}

const BATCH = 100
/** How many results of a search can be paged through. */
const HITS_MAX = 500
const SIMILAR_MAX = 6

export function createProductQueries({ lookUp, products, search }: ProductQueriesParts) {
  async function* shelved(after: string, signal: AbortSignal): AsyncGenerator<Product> {
    for (let last: string | undefined = after; last !== undefined;) {
      signal.throwIfAborted()
      const batch = await products.page(last, BATCH)
      yield* batch
      last = batch.length < BATCH ? undefined : batch.at(-1)?.id
    }
  }

  async function* found({ text, language, after, filters }: ProductsQuery, signal: AbortSignal) {
    const meant = await lookUp({ message: text, language, limit: HITS_MAX }, signal)
    const understood = [...meant.liked, ...meant.products].map((product) => product.id)
    const ids = understood.length > 0 ? understood : await byWords({ text, language, filters }, signal)
    // An id that is no longer among the results starts at the top again; the web page drops duplicates.
    const from = after === '' ? 0 : ids.indexOf(after) + 1
    for (let start = from; start < ids.length; start += BATCH) {
      signal.throwIfAborted()
      yield* await products.byIds(ids.slice(start, start + BATCH))
    }
  }

  /** Full-text search, for words that were not understood as a wish. */
  async function byWords(
    { text, language, filters }: Pick<ProductsQuery, 'text' | 'language' | 'filters'>,
    signal: AbortSignal,
  ) {
    const hits = await search.find({ text, language, limit: HITS_MAX, ...wishFor(filters) }, signal)
    return hits.filter((hit) => hit.matched > 0).map((hit) => hit.id)
  }

  async function similarTo(id: string, language: Language, signal: AbortSignal): Promise<readonly Product[]> {
    const hits = await search.find({ text: '', language, limit: SIMILAR_MAX, like: [id] }, signal)
    return products.byIds(hits.map((hit) => hit.id))
  }

  return {
    async page(query: ProductsQuery, signal: AbortSignal): Promise<ProductsPage> {
      const candidates = query.text.trim() === '' ? shelved(query.after, signal) : found(query, signal)
      const items: ProductItem[] = []
      for await (const product of candidates) {
        // Search results are filtered too: an index may be older than the catalogue, and only prefers a genre.
        if (!matches(product, query.filters)) continue
        const last = items.at(-1)
        if (items.length === query.limit && last !== undefined) return { items, next: last.id }
        items.push(toItem(product, query.language))
      }
      return { items }
    },

    async detail(id: string, language: Language, signal: AbortSignal): Promise<ProductDetail> {
      const [product] = await products.byIds([id])
      if (product === undefined) throw new Refusal('NOT_FOUND', { details: { field: 'id' } })
      // The page of a series is useful without similar series.
      const similar = await similarTo(id, language, signal).catch((error: unknown) => {
        if (error instanceof Refusal) return []
        throw error
      })
      return { ...toDetail(product, language), similar: similar.map((other) => toCard(other, language)) }
    },
  }
}

function matches(product: Product, { genre, demographic, status, inStock }: ProductFilters): boolean {
  if (genre !== undefined && !product.genres.includes(genre)) return false
  if (demographic !== undefined && product.demographic !== demographic) return false
  if (status !== undefined && product.status !== status) return false
  return inStock !== true || product.stock > 0
}

/** The filters as far as a search can use them; `matches` decides. */
function wishFor({ genre, demographic, status, inStock }: ProductFilters): { wish?: Wish } {
  const filters = {
    ...(demographic === undefined ? {} : { demographic }),
    // For a search a paused series counts as running.
    ...(status === undefined ? {} : { status: status === 'completed' ? ('completed' as const) : ('running' as const) }),
    ...(inStock === true ? { inStock } : {}),
  }
  if (genre === undefined && Object.keys(filters).length === 0) return {}
  const want = genre === undefined ? [] : [{ text: '', genres: [genre], moods: [] }]
  return { wish: { want, avoid: [], filters } }
}

function toItem(product: Product, language: Language): ProductItem {
  const { demographic, genres } = product
  return {
    ...toCard(product, language),
    genres: [...genres],
    ...(demographic === undefined ? {} : { demographic }),
  }
}

function toDetail(product: Product, language: Language): Omit<ProductDetail, 'similar'> {
  const { demographic, firstYear, genres, magazine, moods, synopsis, title } = product
  return {
    ...toItem(product, language),
    romaji: title.romaji,
    ...(magazine === undefined ? {} : { magazine: magazine[language] }),
    moods: [...moods],
    ...(firstYear === undefined ? {} : { firstYear }),
    ...(synopsis === undefined ? {} : { synopsis: synopsis[language] }),
    labels: {
      genres: genres.map((genre) => labelOf(GENRES, genre, language)),
      moods: moods.map((mood) => labelOf(MOODS, mood, language)),
      ...(demographic === undefined ? {} : { demographic: labelOf(READERSHIPS, demographic, language) }),
    },
  }
}
