// Seeks products for a quest: searches, drops everything that a stated condition excludes, and when nothing is left relaxes
// one condition after the other in a fixed order, never an age or a dislike.
import type { Language } from '@mangaassist/protocol'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { isNarrowed, RELAXED_FIRST, relaxed as without, unmetBy } from '@mangaassist/bookseller/dialogue/conditions'
import type { ConditionName, Conditions } from '@mangaassist/bookseller/dialogue/conditions'
import { appealOf } from '@mangaassist/bookseller/dialogue/appeal'
import type { Quest } from '@mangaassist/bookseller/dialogue/intent'
import { measureOf } from '@mangaassist/bookseller/dialogue/planning/measure'
import { isAlike } from '@mangaassist/bookseller/dialogue/planning/verdict'
import { passagesOf } from '@mangaassist/bookseller/retrieval/passages'
import type { Passage } from '@mangaassist/bookseller/retrieval/passages'
import { wishOf } from '@mangaassist/bookseller/retrieval/wish-of'
import { allProducts } from '#ports/product-store/each-product.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { Search, SearchQuery } from '#ports/search/port.ts'

export interface Sought {
  readonly products: readonly Product[]
  readonly relaxed: readonly ConditionName[]
  /** The words matched little, and nothing else led to the products. */
  readonly isUnsure: boolean
  /** The passage that matches the words, by product id. */
  readonly matched?: Readonly<Record<string, Passage>>
}

interface SeekParts {
  readonly search: Search
  readonly products: ProductStore
}

/** Enough for a filter to leave some. */
const POOL = 300
/** The share of its words that a remembered story must match to be shown against the shopper's taste. */
const STORY_MIN = 0.6
/** Words that match less of a product are chance. */
const MATCHED_MIN = 0.5

interface Seeking {
  readonly quest: Quest
  readonly language: Language
  readonly limit: number
  /** The message was not understood, so the earlier conditions do not make the result sure. */
  readonly isGuess?: boolean
}

export async function seek(
  { search, products }: SeekParts,
  { quest, language, limit, isGuess = false }: Seeking,
  signal: AbortSignal,
): Promise<Sought> {
  const { among, compared, conditions, exclude, seen = [], isStory = false } = quest
  const [than, liked] = await Promise.all([
    compared === undefined ? [] : products.byIds(compared.than),
    conditions.like.length === 0 ? [] : products.byIds(conditions.like),
  ])

  // Words that were not understood tell no story.
  const isRemembered = isStory && !isGuess

  // What is first by a measure is first of all, not of the best known.
  const isMeasured = compared?.than.length === 0 && conditions.want.length === 0

  async function poolFor(asked: Conditions, isWide = false): Promise<Pool> {
    if (among !== undefined) return { pool: await products.byIds(among), best: 1 }
    const { age: _, ...limits } = asked.limits
    // A search takes a series of unknown age for none of that age; what it is about may still suit.
    const own = { ...asked, ...(isRemembered ? { avoid: [] } : {}), ...(isWide ? { limits } : {}) }
    const query = queryFor(quest, own)
    const hits = await search.find({ ...query, language, limit: POOL }, signal)
    // A search without words or wishes has no order: every product is a candidate then.
    if ((hits.length === 0 || isMeasured) && quest.text === '') return { pool: await allProducts(products), best: 1 }
    const paired = liked.flatMap(({ similar = [] }) => similar.flatMap(({ id }) => id ?? []))
    const ids = [...new Set([...hits.map(({ id }) => id), ...paired])]
    const reasons = new Map(hits.map(({ id, reasons: own }) => [id, own?.[language] ?? -1]))
    return { pool: await products.byIds(ids), best: hits[0]?.matched ?? 0, reasons }
  }

  const fitting = (
    { pool, best, reasons }: Pool,
    names: readonly ConditionName[],
    shownBefore: readonly string[] = seen,
  ): Sought | undefined => {
    const asked = without(conditions, names)
    const fits = (product: Product) =>
      !exclude.includes(product.id) &&
      !shownBefore.includes(product.id) &&
      unmetBy(product, asked).length === 0 &&
      differs(product, quest, than)
    // A dislike is passed over for it, an age never.
    const isIt = (product: Product) =>
      !exclude.includes(product.id) && !unmetBy(product, asked).some((name) => name !== 'avoid' && name !== 'want')
    const [remembered] = isRemembered && best >= STORY_MIN ? pool.filter(isIt) : []
    const others = ordered(pool.filter(fits), quest, liked)
    const found = remembered === undefined ? others : [remembered, ...others.filter(({ id }) => id !== remembered.id)]
    if (found.length === 0) return undefined
    const isUnsure = best < MATCHED_MIN && (isGuess || !isNarrowed(asked)) && among === undefined
    const shown = found.slice(0, limit)
    return { products: shown, relaxed: names, isUnsure, matched: passagesFor(shown, reasons) }
  }

  const strictPool = await poolFor(conditions)
  const strict = fitting(strictPool, []) ?? (seen.length > 0 ? fitting(strictPool, [], []) : undefined)
  if (strict === undefined && among !== undefined) {
    const { among: _, ...open } = quest
    return seek({ search, products }, { quest: open, language, limit, isGuess }, signal)
  }
  const names = relaxable(conditions)
  const isChild = conditions.limits.age !== undefined
  if (strict !== undefined || (names.length === 0 && !isChild)) return strict ?? NOTHING
  // One search without any condition that may be relaxed: the conditions are then dropped one after the other.
  const wide = await poolFor(without(conditions, names), true)
  for (let count = isChild ? 0 : 1; count <= names.length; count += 1) {
    const found = fitting(wide, names.slice(0, count))
    if (found !== undefined) return found
  }
  return NOTHING
}

interface Pool {
  readonly pool: readonly Product[]
  /** The share of the words that the best hit matches. */
  readonly best: number
  /** By id, the number of the passage that says why it was found. */
  readonly reasons?: ReadonlyMap<string, number>
}

function passagesFor(products: readonly Product[], reasons: Pool['reasons']): Readonly<Record<string, Passage>> {
  return Object.fromEntries(
    products.flatMap((product) => {
      const passage = passagesOf(product)[reasons?.get(product.id) ?? -1]
      return passage === undefined ? [] : [[product.id, passage]]
    }),
  )
}

const NOTHING: Sought = { products: [], relaxed: [], isUnsure: true }

/** The stated conditions that may be relaxed, in their order. */
function relaxable(conditions: Conditions): readonly ConditionName[] {
  return RELAXED_FIRST.filter((name) => JSON.stringify(without(conditions, [name])) !== JSON.stringify(conditions))
}

/** The search gets everything that it can use; `unmetBy` decides. */
function queryFor(
  { text, exclude, named = [] }: Quest,
  conditions: Conditions,
): Omit<SearchQuery, 'language' | 'limit'> {
  return { text, exclude, named, like: conditions.like, wish: wishOf(conditions) }
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

/**
 * In the order of the search, except: what is the most of what was asked for, the cheapest or the shortest of all, comes first;
 * so does what is known to resemble a liked series where nothing else is wished; where nothing but limits were stated, the
 * best-known come first; and for a child, what is in stock.
 */
function ordered(
  products: readonly Product[],
  { conditions, text, compared }: Quest,
  liked: readonly Product[],
): readonly Product[] {
  const { age } = conditions.limits
  const isWished = text !== '' || conditions.want.length > 0
  const isUnordered = !isWished && liked.length === 0
  const rank = (product: Product) =>
    (age !== undefined && product.stock === 0 ? -1000 : 0) +
    (isUnordered ? appealOf(product, age) : 0) +
    (!isWished && liked.some((other) => isAlike(product, other)) ? 100 : 0)
  const measure = compared?.than.length === 0 ? compared.measures[0] : undefined
  const most = (product: Product) => (measure === undefined ? 0 : (measureOf(measure, product) ?? Number.MAX_VALUE))
  return products
    .map((product) => ({ product, rank: rank(product) }))
    .toSorted((a, b) => most(a.product) - most(b.product) || b.rank - a.rank)
    .map(({ product }) => product)
}
