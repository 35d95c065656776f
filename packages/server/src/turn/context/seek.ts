// Seeks products for a quest: searches, drops everything that a stated condition excludes, and when nothing is left relaxes
// one condition after the other in a fixed order, never an age or a dislike.
import type { Language } from '@mangaassist/protocol'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { isNarrowed, RELAXED_FIRST, relaxed as without, unmetBy } from '@mangaassist/bookseller/dialogue/conditions'
import type { ConditionName, Conditions } from '@mangaassist/bookseller/dialogue/conditions'
import type { Quest } from '@mangaassist/bookseller/dialogue/intent'
import { measureOf } from '@mangaassist/bookseller/dialogue/plan'
import { allProducts } from '#ports/product-store/each-product.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { Search, SearchHit } from '#ports/search/port.ts'

export interface Sought {
  readonly products: readonly Product[]
  readonly relaxed: readonly ConditionName[]
  /** The words matched little, and nothing else led to the products. */
  readonly isUnsure: boolean
}

interface SeekParts {
  readonly search: Search
  readonly products: ProductStore
}

/** Enough for a filter to leave some. */
const POOL = 300
/** Words that match less of a product are chance. */
const MATCHED_MIN = 0.34

export async function seek(
  { search, products }: SeekParts,
  { quest, language, limit }: { readonly quest: Quest; readonly language: Language; readonly limit: number },
  signal: AbortSignal,
): Promise<Sought> {
  const { among, compared, conditions, exclude } = quest
  const than = compared === undefined ? [] : await products.byIds(compared.than)

  async function poolFor(asked: Conditions): Promise<{ readonly pool: readonly Product[]; readonly best: number }> {
    if (among !== undefined) return { pool: await products.byIds(among), best: 1 }
    const hits = (await search.find({ ...queryFor(quest, asked), language, limit: POOL }, signal)).filter(isProduct)
    // A search without words or wishes has no order: every product is a candidate then.
    if (hits.length === 0 && quest.text === '') return { pool: await allProducts(products), best: 1 }
    return { pool: await products.byIds(hits.map(({ id }) => id)), best: hits[0]?.matched ?? 0 }
  }

  const fits = (asked: Conditions) => (product: Product) =>
    !exclude.includes(product.id) && unmetBy(product, asked).length === 0 && differs(product, quest, than)

  const relaxed: ConditionName[] = []
  for (const next of [undefined, ...relaxable(conditions)]) {
    if (next !== undefined) relaxed.push(next)
    const asked = without(conditions, relaxed)
    const { pool, best } = await poolFor(asked)
    const fitting = ordered(pool.filter(fits(asked)), quest)
    if (fitting.length === 0) continue
    const isUnsure = best < MATCHED_MIN && !isNarrowed(asked) && among === undefined
    return { products: fitting.slice(0, Math.max(limit, quest.count)), relaxed, isUnsure }
  }
  return { products: [], relaxed: [], isUnsure: true }
}

const isProduct = (hit: SearchHit): boolean => hit.kind === 'product'

/** The stated conditions that may be relaxed, in their order. */
function relaxable(conditions: Conditions): readonly ConditionName[] {
  return RELAXED_FIRST.filter((name) => JSON.stringify(without(conditions, [name])) !== JSON.stringify(conditions))
}

function queryFor({ text, exclude }: Quest, { want, like, by, publishedIn, avoid, limits }: Conditions) {
  const { status, inStock, volumesMax, volumesMin, volumeYenMax, volumeYenMin, yearFrom, yearTo, demographic } = limits
  const [author] = by
  const filters = {
    ...(status === undefined ? {} : { status: status === 'completed' ? ('completed' as const) : ('running' as const) }),
    ...(inStock === undefined ? {} : { inStock }),
    ...(volumesMax === undefined ? {} : { volumesMax }),
    ...(volumesMin === undefined ? {} : { volumesMin }),
    ...(volumeYenMax === undefined ? {} : { priceYenMax: volumeYenMax }),
    ...(volumeYenMin === undefined ? {} : { priceYenMin: volumeYenMin }),
    ...(yearFrom === undefined ? {} : { yearFrom }),
    ...(yearTo === undefined ? {} : { yearTo }),
    ...(demographic === undefined ? {} : { demographic }),
    ...(author === undefined ? {} : { author }),
    ...(publishedIn.length === 0 ? {} : { magazines: publishedIn }),
  }
  const keys = (of: 'genres' | 'moods', aspects: Conditions['want']) => [...new Set(aspects.flatMap((aspect) => aspect[of]))]
  const avoided = [...keys('genres', avoid), ...keys('moods', avoid)]
  return {
    text,
    like,
    exclude,
    wish: { genres: keys('genres', want), moods: keys('moods', want), avoid: avoided, filters },
  }
}

/** "Cheaper" is cheaper than the cheapest of those shown. */
function differs(product: Product, { compared }: Quest, than: readonly Product[]): boolean {
  if (compared === undefined || than.length === 0) return true
  return compared.measures.every((measure) => {
    const value = measureOf(measure, product)
    const values = than.flatMap((other) => measureOf(measure, other) ?? [])
    return measure === 'better' || (value !== undefined && values.every((other) => value < other))
  })
}

/** In the order of the search; a comparison is met by the nearest first only where the search has no opinion. */
function ordered(products: readonly Product[], { conditions }: Quest): readonly Product[] {
  if (conditions.limits.age === undefined) return products
  // For a child, what is in stock comes first.
  return [...products.filter(({ stock }) => stock > 0), ...products.filter(({ stock }) => stock === 0)]
}
