// Ranks the series that answer a wish. It fuses three rankings: full text, vectors, and attributes (genres, moods,
// readership), by reciprocal rank, because their scores are not comparable. Filters exclude a series whatever its
// rank.
import type { Product } from './catalogue.ts'
import type { Filters, Measure, Wish } from '../understanding/ask.ts'
import { isEmptyWish } from '../understanding/ask.ts'
import { authorNames } from '../understanding/people.ts'

export interface Shelf {
  readonly products: readonly Product[]
  /** One for each product, in the same order, of unit length. */
  readonly vectors: readonly Float32Array[]
}

export interface ShelfQuery {
  readonly wish: Wish
  /** Series that the results should resemble; they are not among the results. */
  readonly like: readonly string[]
  readonly exclude: readonly string[]
  /** Ids found by full text, best first. */
  readonly byText: readonly string[]
  /** Ids of the series that the text names: they come first. */
  readonly named: readonly string[]
  /** The vector of the question; absent when the embedder knows none of its words. */
  readonly meaning?: Float32Array
  readonly limit: number
}

export interface Ranked {
  readonly id: string
  readonly score: number
}

const WEIGHTS = { text: 1, meaning: 1, attributes: 2, suited: 12 } as const
/**
 * The constant k of reciprocal rank fusion: the larger it is, the less the first rank is worth more than the second.
 */
const FUSION_OFFSET = 20
const OUT_OF_STOCK_FACTOR = 0.85
const NAMED_BONUS = 10
const MEANING_MIN = 0.12
const MOOD_CHOICE_MIN = 3

export function rankShelf(shelf: Shelf, query: ShelfQuery): readonly Ranked[] {
  const allowed = allowedBy(shelf, query)
  // For a child the attributes decide, not the words; and a present must be in stock.
  const isGift = query.wish.filters.forChildren === true
  const opinions: readonly (readonly [weight: number, ids: readonly string[]])[] = [
    [WEIGHTS.text, query.byText.filter((id) => allowed.has(id))],
    [WEIGHTS.meaning, byMeaning(shelf, query, allowed)],
    [isGift ? WEIGHTS.suited : WEIGHTS.attributes, byAttributes(shelf, query, allowed)],
  ]
  const scores = new Map<string, number>()
  for (const [weight, ids] of opinions) {
    for (const [rank, id] of ids.entries()) scores.set(id, (scores.get(id) ?? 0) + weight / (FUSION_OFFSET + rank))
  }
  for (const id of query.named) if (allowed.has(id)) scores.set(id, (scores.get(id) ?? 0) + NAMED_BONUS)
  const availability = (id: string) => (isGift && (allowed.get(id)?.stock ?? 0) > 0 ? 1 : 0)
  return [...scores]
    .map(([id, score]) => ({ id, score: (allowed.get(id)?.stock ?? 0) > 0 ? score : score * OUT_OF_STOCK_FACTOR }))
    .sort((a, b) => availability(b.id) - availability(a.id) || b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, query.limit)
}

function allowedBy({ products }: Shelf, { wish, like, exclude }: ShelfQuery): ReadonlyMap<string, Product> {
  const out = new Set([...like, ...exclude])
  const allowed = products.filter(
    (product) => !out.has(product.id) && !isAvoided(product, wish) && passes(product, wish.filters),
  )
  // "Like this one" is more specific than a genre.
  const suited = like.length > 0 ? allowed : ofGenres(allowed, products, wish.genres)
  // "Like this one, but darker" wants dark ones, as long as there are some.
  const ofMood = suited.filter((product) => wish.moods.some((mood) => product.moods.includes(mood)))
  return new Map((ofMood.length >= MOOD_CHOICE_MIN ? ofMood : suited).map((product) => [product.id, product]))
}

export const isAvoided = (product: Product, { avoid, avoidAuthors = [] }: Wish): boolean =>
  avoid.some((key) => product.genres.includes(key) || product.moods.includes(key)) ||
  authorNames(product.author).ja.some((author) => avoidAuthors.includes(author))

/** A wish for a genre finds only that genre; other genres come in only when the catalogue has none of it. */
function ofGenres(allowed: readonly Product[], all: readonly Product[], genres: readonly string[]): readonly Product[] {
  if (!all.some((product) => genres.some((genre) => product.genres.includes(genre)))) return allowed
  const ofEvery = allowed.filter((product) => genres.every((genre) => product.genres.includes(genre)))
  return ofEvery.length > 0
    ? ofEvery
    : allowed.filter((product) => genres.some((genre) => product.genres.includes(genre)))
}

export function passes(product: Product, filters: Filters): boolean {
  const {
    status,
    inStock,
    volumesMax,
    volumesMin,
    priceYenMax,
    priceYenMin,
    yearFrom,
    yearTo,
    demographic,
    forChildren,
    author,
    magazines,
  } = filters
  // A wish for a running series includes those on hiatus.
  if (status !== undefined && status !== product.status && !(status === 'running' && product.status === 'hiatus'))
    return false
  if (inStock === true && product.stock === 0) return false
  if (product.volumes > (volumesMax ?? Number.POSITIVE_INFINITY) || product.volumes < (volumesMin ?? 0)) return false
  const price = product.pricePerVolumeYen
  if (price > (priceYenMax ?? Number.POSITIVE_INFINITY) || price < (priceYenMin ?? 0)) return false
  if (!isWithin(product.firstYear, yearFrom, yearTo)) return false
  if (demographic !== undefined && product.demographic !== demographic) return false
  if (forChildren === true && !isForChildren(product)) return false
  if (author !== undefined && !authorNames(product.author).ja.includes(author)) return false
  return magazines === undefined || (product.magazine !== undefined && magazines.includes(product.magazine.ja))
}

/** A series of an unknown year fits no limit of years. */
function isWithin(year: number | undefined, from: number | undefined, to: number | undefined): boolean {
  if (year === undefined) return from === undefined && to === undefined
  return year >= (from ?? 0) && year <= (to ?? Number.POSITIVE_INFINITY)
}

/** Sorts the series that have most of the measure first. */
export function byMeasure(measure: Measure): (a: Product, b: Product) => number {
  const of = ({ volumes, pricePerVolumeYen }: Product) =>
    measure === 'shorter' || measure === 'longer' ? volumes : pricePerVolumeYen
  return measure === 'shorter' || measure === 'cheaper' ? (a, b) => of(a) - of(b) : (a, b) => of(b) - of(a)
}

const NOT_FOR_CHILDREN = new Set(['dark', 'gritty', 'horror', 'psychological', 'crime', 'war'])
const CHILDREN_READ = new Set(['kodomo', 'shounen', 'shoujo'])
const CHILDREN_ENJOY = new Set(['light', 'funny', 'heartwarming', 'hopeful'])
const GROWN_UP = new Set(['romance', 'drama', 'historical', 'boys-love', 'yuri', 'work', 'thriller'])

const isForChildren = ({ genres, moods }: Product): boolean =>
  ![...genres, ...moods].some((key) => NOT_FOR_CHILDREN.has(key))

/** Prefers what children enjoy to what is merely harmless, and series in stock to sold-out ones. */
function suitsChildren({ demographic, genres, moods, stock }: Product): number {
  const enjoyed = moods.filter((mood) => CHILDREN_ENJOY.has(mood)).length
  const strange = genres.filter((genre) => GROWN_UP.has(genre)).length
  const read =
    (demographic !== undefined && CHILDREN_READ.has(demographic) ? 4 : 0) + (demographic === 'kodomo' ? 2 : 0)
  return Math.max(1, read + enjoyed - strange + (stock > 0 ? 6 : 0))
}

function byMeaning(
  { products, vectors }: Shelf,
  { meaning }: ShelfQuery,
  allowed: ReadonlyMap<string, Product>,
): readonly string[] {
  if (meaning === undefined) return []
  const near: Ranked[] = []
  for (const [index, product] of products.entries()) {
    const vector = vectors[index]
    if (vector === undefined || !allowed.has(product.id)) continue
    const score = dot(meaning, vector)
    if (score >= MEANING_MIN) near.push({ id: product.id, score })
  }
  return near.sort((a, b) => b.score - a.score).map(({ id }) => id)
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0)
  return sum
}

function byAttributes(
  { products }: Shelf,
  { wish, like }: ShelfQuery,
  allowed: ReadonlyMap<string, Product>,
): readonly string[] {
  if (isEmptyWish(wish) && like.length === 0) return []
  const models = products.filter((product) => like.includes(product.id))
  return [...allowed.values()]
    .map((product) => ({ id: product.id, score: wished(product, wish) + resembles(product, models) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id)
}

/** Passing a filter counts as a fulfilled wish too, so that a filter alone finds something. */
function wished(product: Product, { genres, moods, filters }: Wish): number {
  const met = genres.reduce((sum, genre) => sum + prominence(product.genres, genre), 0)
  const felt = moods.reduce((sum, mood) => sum + prominence(product.moods, mood), 0)
  const suits = filters.forChildren === true ? suitsChildren(product) : 0
  return met + felt + suits + (Object.keys(filters).length > 0 ? 1 : 0)
}

/** The first genres and moods of a list describe the series best. */
function prominence(list: readonly string[], key: string): number {
  const at = list.indexOf(key)
  return at === -1 ? 0 : 4 - at * 0.5
}

function resembles(product: Product, models: readonly Product[]): number {
  let best = 0
  for (const model of models) {
    const shared = overlap(product.genres, model.genres) * 4 + overlap(product.moods, model.moods) * 2
    const kin =
      (isSame(product.demographic, model.demographic) ? 0.5 : 0) +
      (isSame(product.author?.ja, model.author?.ja) ? 0.5 : 0)
    best = Math.max(best, shared + kin)
  }
  return best
}

/** Two unknown facts are not the same fact. */
const isSame = (a: string | undefined, b: string | undefined): boolean => a !== undefined && a === b

function overlap(a: readonly string[], b: readonly string[]): number {
  const shared = a.filter((item) => b.includes(item)).length
  return shared / (a.length + b.length - shared || 1)
}
