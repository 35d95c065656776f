// The catalogue for a storefront: pages of cards, with or without search words, one series with similar ones, and the front
// shelves. Prices and stock are current.
import type { Language, ProductCard, ProductDetail, ProductItem, ProductSort } from '@mangaassist/protocol'
import { toCard } from '@mangaassist/bookseller/catalogue/catalogue'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { dayOf } from '#domain/budget/day.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Wish } from '@mangaassist/bookseller/retrieval/wish'
import type { Clock } from '#ports/clock/port.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { Search } from '#ports/search/port.ts'
import { genreCounts, matches, sorted } from './storefront/arrange.ts'
import type { ProductFilters } from './storefront/arrange.ts'
import { frontShelves } from './storefront/front.ts'
import type { FrontShelves } from './storefront/front.ts'
import { toDetail, toItem } from './storefront/items.ts'
import { createShelf } from './storefront/shelf.ts'
import type { ShelfView, ShelvedSeries } from './storefront/shelf.ts'

export interface ProductsQuery {
  /** Search words. Empty: all series. */
  readonly text: string
  /** Default: the best match first, and without words the order of ids. */
  readonly sort?: ProductSort | undefined
  readonly language: Language
  readonly limit: number
  /** The last id of the previous page. */
  readonly after: string
  /** How many are left out at the beginning, in place of `after`. */
  readonly skip?: number
  readonly filters: ProductFilters
}

export interface ProductsPage {
  readonly items: readonly ProductItem[]
  /** The `after` of the next page; absent on the last page. */
  readonly next?: string
  /** How many series match. */
  readonly total: number
  /** How many match in each genre, whatever genre the filters name; the most common first. */
  readonly genres: readonly (readonly [genre: string, count: number])[]
}

/** What the picture of a cover is made from. */
export type CoverFacts = Pick<Product, 'id' | 'title' | 'genres'>

export interface ProductQueriesParts {
  readonly products: ProductStore
  readonly search: Pick<Search, 'find'>
  readonly clock: Clock
  /** The shop's: its day decides the picks and which volumes are still to come. */
  readonly timeZone: string
  /** The grounding of a turn with these words: in the search box they mean the same as in the chat. */
  readonly lookUp: (
    question: { readonly message: string; readonly language: Language; readonly limit: number },
    signal: AbortSignal,
  ) => Promise<{ readonly products: readonly Product[]; readonly liked: readonly Product[] }>
}

/** How many results of a search can be paged through. */
const HITS_MAX = 500
const SIMILAR_MAX = 6

export function createProductQueries({ clock, lookUp, products, search, timeZone }: ProductQueriesParts) {
  const shelf = createShelf(products)
  const today = () => dayOf(clock.now(), timeZone).key

  async function found(
    { byId }: ShelfView,
    { text, language, filters }: ProductsQuery,
    signal: AbortSignal,
  ): Promise<readonly ShelvedSeries[]> {
    const meant = await lookUp({ message: text, language, limit: HITS_MAX }, signal)
    const understood = [...meant.liked, ...meant.products].map((product) => product.id)
    const ids = understood.length > 0 ? understood : await byWords({ text, language, filters }, signal)
    // An index may be older than the catalogue.
    return [...new Set(ids)].flatMap((id) => byId.get(id) ?? [])
  }

  /** Full-text search, for words that were not understood as a wish. */
  async function byWords(
    { text, language, filters }: Pick<ProductsQuery, 'text' | 'language' | 'filters'>,
    signal: AbortSignal,
  ) {
    const hits = await search.find({ text, language, limit: HITS_MAX, ...wishFor(filters) }, signal)
    return hits.filter((hit) => hit.matched > 0).map((hit) => hit.id)
  }

  /** Those that the catalogue names, with its reason, then those that the search finds. */
  async function similarTo(product: Product, language: Language, signal: AbortSignal): Promise<ProductCard[]> {
    const reasons = new Map(
      (product.similar ?? []).flatMap(({ id, reason }) => (id === undefined ? [] : [[id, reason]])),
    )
    const named = [...reasons.keys()].filter((id) => id !== product.id)
    // The page of a series is useful without similar series.
    const hits = await search
      .find({ text: '', language, limit: SIMILAR_MAX, like: [product.id] }, signal)
      .catch((error: unknown) => {
        if (error instanceof Refusal) return []
        throw error
      })
    const ids = [...new Set([...named, ...hits.map((hit) => hit.id)])].slice(0, SIMILAR_MAX)
    return (await products.byIds(ids)).map((other) => toCard(other, language, reasons.get(other.id)?.[language]))
  }

  return {
    async page(query: ProductsQuery, signal: AbortSignal): Promise<ProductsPage> {
      const { after, filters, language, limit, skip = 0, sort } = query
      const view = await shelf.current()
      const candidates = query.text.trim() === '' ? view.all : await found(view, query, signal)
      const { genre, ...others } = filters
      const inAnyGenre = candidates.filter((series) => matches(series, others))
      const matching = genre === undefined ? inAnyGenre : inAnyGenre.filter((series) => matches(series, { genre }))
      const ordered = sort === undefined ? matching : sorted(matching, sort, language)
      const from = after === '' ? skip : startAfter(ordered, after, sort ?? query.text.trim())
      const shown = ordered.slice(from, from + limit)
      const last = from + limit < ordered.length ? shown.at(-1) : undefined
      return {
        items: shown.map((series) => toItem(series, language)),
        ...(last === undefined ? {} : { next: last.id }),
        total: matching.length,
        genres: genreCounts(inAnyGenre),
      }
    },

    async detail(id: string, language: Language, signal: AbortSignal): Promise<ProductDetail> {
      const [product] = await products.byIds([id])
      if (product === undefined) throw new Refusal('NOT_FOUND', { details: { field: 'id' } })
      return { ...toDetail(product, language), similar: await similarTo(product, language, signal) }
    },

    async front(language: Language): Promise<FrontShelves> {
      return frontShelves(await shelf.current(), today(), language)
    },

    today,

    async cover(id: string): Promise<CoverFacts | undefined> {
      return (await shelf.current()).byId.get(id)
    },

    async ids(): Promise<readonly string[]> {
      return (await shelf.current()).all.map(({ id }) => id)
    },
  }
}

/**
 * Where the next page begins. In the order of ids an id that has left the catalogue still has a place; in any other order it
 * starts at the top again, and the reader drops duplicates.
 */
function startAfter(ordered: readonly ShelvedSeries[], after: string, orderedBy: string): number {
  if (orderedBy !== '') return ordered.findIndex(({ id }) => id === after) + 1
  const next = ordered.findIndex(({ id }) => id > after)
  return next === -1 ? ordered.length : next
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
