// The storefront's addresses: Japanese at `/…`, English at `/en/…`. Filters are in the address, so that Back, reload and sharing
// work without a script. Pure.
import { ProductSort } from '@mangaassist/protocol'
import type { Language } from '@mangaassist/protocol'
import type { ProductFilters } from '#services/storefront/arrange.ts'

export const LANGUAGES: readonly Language[] = ['ja', 'en']

/** The address of a page in a language; `path` is that of the Japanese page. */
export function hrefIn(language: Language, path: string): string {
  return language === 'ja' ? path : `/en${path}`
}

export const seriesPath = (id: string): string => `/series/${encodeURIComponent(id)}`

export interface ShelfQuery {
  readonly q: string
  readonly genre: string
  readonly demographic: string
  readonly status: string
  readonly inStock: boolean
  /** 0: any. */
  readonly priceMax: number
  readonly totalMax: number
  readonly volumesMax: number
  /** -1: any. */
  readonly age: number
  readonly sort: ProductSort | ''
  /** From 1. */
  readonly page: number
}

export const PLAIN_SHELF: ShelfQuery = {
  q: '',
  genre: '',
  demographic: '',
  status: '',
  inStock: false,
  priceMax: 0,
  totalMax: 0,
  volumesMax: 0,
  age: -1,
  sort: '',
  page: 1,
}

const SORTS: readonly ProductSort[] = ProductSort.enum
const STATUSES = ['running', 'completed', 'hiatus'] as const
const TEXT_MAX = 200
const KEY_MAX = 64
const PAGE_MAX = 10_000

/** Parameters that cannot be read count as absent, so a link from another site always shows a shelf. */
export function shelfQueryOf(search: URLSearchParams): ShelfQuery {
  const text = (name: string, lengthMax: number) => (search.get(name) ?? '').trim().slice(0, lengthMax)
  const whole = (name: string, fallback: number) => {
    const given = text(name, KEY_MAX)
    return /^\d{1,8}$/.test(given) ? Number(given) : fallback
  }
  const one = <Known extends string>(name: string, known: readonly Known[]): Known | '' =>
    known.find((value) => value === search.get(name)) ?? ''
  return {
    q: text('q', TEXT_MAX),
    genre: text('genre', KEY_MAX),
    demographic: text('demographic', KEY_MAX),
    status: one('status', STATUSES),
    inStock: search.get('inStock') === 'true',
    priceMax: whole('priceMax', 0),
    totalMax: whole('totalMax', 0),
    volumesMax: whole('volumesMax', 0),
    age: whole('age', -1),
    sort: one('sort', SORTS),
    page: Math.min(PAGE_MAX, Math.max(1, whole('page', 1))),
  }
}

/** The path of a shelf, with the parameters that differ from the plain one. */
export function shelfPath(query: ShelfQuery): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== PLAIN_SHELF[name as keyof ShelfQuery]) search.set(name, String(value))
  return search.size === 0 ? '/' : `/?${search.toString()}`
}

/** Whether fewer series are shown than there are. */
export function isFiltered(query: ShelfQuery): boolean {
  return shelfPath({ ...query, sort: '', page: 1 }) !== '/'
}

export function filtersOf(query: ShelfQuery): ProductFilters {
  const { age, demographic, genre, inStock, priceMax, status, totalMax, volumesMax } = query
  const known = STATUSES.find((one) => one === status)
  return {
    ...(genre === '' ? {} : { genre }),
    ...(demographic === '' ? {} : { demographic }),
    ...(known === undefined ? {} : { status: known }),
    ...(inStock ? { inStock } : {}),
    ...(priceMax === 0 ? {} : { priceMax }),
    ...(totalMax === 0 ? {} : { totalMax }),
    ...(volumesMax === 0 ? {} : { volumesMax }),
    ...(age === -1 ? {} : { age }),
  }
}
