// Which series a wish excludes, and by which of its conditions. The ranking asks with the stored facts and the current offers, and
// answers ask with a product. A series of which a fact is unknown does not pass a condition on it.
import { totalYen } from '../catalogue/catalogue.ts'
import type { Product } from '../catalogue/catalogue.ts'
import type { Filters, Wish } from './wish.ts'
import { keysOf } from './shelf-entry.ts'
import type { ShelfOffer, Shelf } from './shelf.ts'

/** The facts of one series that conditions are about. */
export interface FactsView {
  readonly volumes: number
  readonly firstYear?: number | undefined
  readonly age?: number | undefined
  readonly offer: ShelfOffer
  has(key: string): boolean
}

/** A condition of a wish that a series does not meet. */
export type Condition = keyof Filters | 'avoid' | 'avoidAuthors' | 'avoidTexts' | 'exclude'

export function viewOf(product: Product): FactsView {
  const keys = new Set(keysOf(product))
  const { volumes, firstYear, age, pricePerVolumeYen, stock } = product
  return {
    volumes,
    firstYear,
    age,
    offer: { pricePerVolumeYen, totalYen: totalYen(product), stock },
    has: (key) => keys.has(key),
  }
}

/** The facts of one product of a shelf. It can be moved to another product, because a search views thousands. */
export class ShelfView implements FactsView {
  product: number
  readonly #shelf: Shelf
  readonly #offerOf: (product: number) => ShelfOffer

  constructor(shelf: Shelf, offerOf: (product: number) => ShelfOffer, product = 0) {
    this.#shelf = shelf
    this.#offerOf = offerOf
    this.product = product
  }

  get volumes(): number {
    return this.#shelf.volumes[this.product]!
  }

  get firstYear(): number | undefined {
    const year = this.#shelf.firstYears[this.product]!
    return year === 0 ? undefined : year
  }

  get age(): number | undefined {
    const age = this.#shelf.ages[this.product]!
    return age === 255 ? undefined : age
  }

  get offer(): ShelfOffer {
    return this.#offerOf(this.product)
  }

  has(key: string): boolean {
    return this.#shelf.has(this.product, this.#shelf.key(key))
  }
}

/** For each condition on a key, the keys of which a series must have one. */
export function keysRequired(filters: Filters): readonly (readonly string[])[] {
  const { author, writer, artist, demographic, status, magazines, publishers } = filters
  return [
    author === undefined ? [] : [`by:${author}`],
    writer === undefined ? [] : [`writer:${writer}`],
    artist === undefined ? [] : [`artist:${artist}`],
    demographic === undefined ? [] : [`for:${demographic}`],
    status === undefined ? [] : [`status:${status}`, ...(status === 'running' ? ['status:hiatus'] : [])],
    (magazines ?? []).map((name) => `magazine:${name}`),
    (publishers ?? []).map((name) => `publisher:${name}`),
  ].filter((keys) => keys.length > 0)
}

const ON_OFFER = ['inStock', 'priceYenMax', 'priceYenMin', 'totalYenMax'] as const satisfies readonly (keyof Filters)[]

/** Whether a condition is about the price or the stock, which change within an edition. */
export const asksForOffer = (filters: Filters): boolean => ON_OFFER.some((name) => filters[name] !== undefined)

export const passes = (product: Product, filters: Filters): boolean =>
  failedFilter(viewOf(product), filters) === undefined

export const isAvoided = (product: Product, wish: Wish): boolean => avoidedBy(viewOf(product), wish) !== undefined

export function avoidedBy(view: FactsView, { avoid, avoidAuthors = [] }: Wish): Condition | undefined {
  const kinds = ['genre', 'mood', 'content', 'for'] as const
  if (avoid.some((key) => kinds.some((kind) => view.has(`${kind}:${key}`)))) return 'avoid'
  return avoidAuthors.some((author) => view.has(`by:${author}`)) ? 'avoidAuthors' : undefined
}

type Checks = { readonly [Name in keyof Filters]-?: (view: FactsView, limit: NonNullable<Filters[Name]>) => boolean }

const CHECKS: Checks = {
  // A wish for a running series includes those on hiatus.
  status: (view, status) => view.has(`status:${status}`) || (status === 'running' && view.has('status:hiatus')),
  inStock: ({ offer }) => offer.stock > 0,
  volumesMax: ({ volumes }, max) => volumes <= max,
  volumesMin: ({ volumes }, min) => volumes >= min,
  priceYenMax: ({ offer }, max) => offer.pricePerVolumeYen <= max,
  priceYenMin: ({ offer }, min) => offer.pricePerVolumeYen >= min,
  totalYenMax: ({ offer }, max) => offer.totalYen <= max,
  yearFrom: ({ firstYear }, from) => firstYear !== undefined && firstYear >= from,
  yearTo: ({ firstYear }, to) => firstYear !== undefined && firstYear <= to,
  demographic: (view, demographic) => view.has(`for:${demographic}`),
  forChildren: (view) => isForChildren(view),
  readerAge: ({ age }, reader) => age !== undefined && age <= reader,
  author: (view, author) => view.has(`by:${author}`),
  writer: (view, writer) => view.has(`writer:${writer}`),
  artist: (view, artist) => view.has(`artist:${artist}`),
  magazines: (view, names) => names.some((name) => view.has(`magazine:${name}`)),
  publishers: (view, names) => names.some((name) => view.has(`publisher:${name}`)),
  notMagazines: (view, names) => !names.some((name) => view.has(`magazine:${name}`)),
  notPublishers: (view, names) => !names.some((name) => view.has(`publisher:${name}`)),
  notDemographics: (view, names) => !names.some((name) => view.has(`for:${name}`)),
}

/** The first condition that the series does not meet. */
export function failedFilter(view: FactsView, filters: Filters): Condition | undefined {
  return (Object.keys(filters) as (keyof Filters)[]).find((name) => !meets(view, filters, name))
}

function meets(view: FactsView, filters: Filters, name: keyof Filters): boolean {
  const limit = filters[name]
  const check = CHECKS[name] as (view: FactsView, limit: unknown) => boolean
  return limit === undefined || check(view, limit)
}

const keysOfKind = (kind: string, keys: string): readonly string[] => keys.split(' ').map((key) => `${kind}:${key}`)
/** Keys of series that are not for children. */
export const NOT_FOR_CHILDREN: readonly string[] = [
  ...keysOfKind('mood', 'dark gritty'),
  ...keysOfKind('genre', 'horror psychological crime war'),
  ...keysOfKind('content', 'violence-strong gore sexual-strong nudity drugs'),
]
export const CHILD_AGE_MAX = 12

const isForChildren = (view: FactsView): boolean =>
  (view.age ?? 0) <= CHILD_AGE_MAX && !NOT_FOR_CHILDREN.some((key) => view.has(key))

const CHILDREN_READ = ['for:kodomo', 'for:shounen', 'for:shoujo']
const CHILDREN_ENJOY = ['mood:light', 'mood:funny', 'mood:heartwarming', 'mood:hopeful']
const GROWN_UP = keysOfKind('genre', 'romance drama historical boys-love yuri work thriller')

/** Prefers what children of that age enjoy to what is merely harmless; from 0 to 1. */
export function suitsChildren(view: FactsView, reader?: number): number {
  const enjoyed = CHILDREN_ENJOY.filter((key) => view.has(key)).length
  const strange = GROWN_UP.filter((key) => view.has(key)).length
  const read = (CHILDREN_READ.some((key) => view.has(key)) ? 3 : 0) + (view.has('for:kodomo') ? 1 : 0)
  // Made for about that age: a ten-year-old has outgrown picture books.
  const apart = reader === undefined || view.age === undefined ? 2 : Math.abs(reader - 1 - view.age)
  return Math.max(0, read + enjoyed - strange + Math.max(0, 2 - apart / 2)) / 10
}
