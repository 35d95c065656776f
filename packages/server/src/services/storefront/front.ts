// The shelves of the front page: picks of the day, volumes that come out soon, series that others are compared with, and
// the newest series. Picks depend on the day and the catalogue alone, so that every node and reader sees the same.
import { createHash } from 'node:crypto'
import type { Language, ProductItem, Release } from '@mangaassist/protocol'
import { sorted } from './arrange.ts'
import { toItem } from './items.ts'
import type { ShelfView, ShelvedSeries } from './shelf.ts'

export interface FrontShelves {
  /** Three in stock, other ones each day. */
  readonly picks: readonly ProductItem[]
  readonly popular: readonly ProductItem[]
  readonly newest: readonly ProductItem[]
  /** The next volumes to come out, the earliest first. */
  readonly coming: readonly { readonly series: ProductItem; readonly release: Release }[]
  /** Series in the catalogue. */
  readonly total: number
}

const PICKS = 3
const SHELF = 6
/** The front page is for everyone: a pick is suitable from this age at the latest. */
const PICK_AGE_MAX = 12

/** `day` is today in the shop's time zone, `YYYY-MM-DD`. */
export function frontShelves({ all }: ShelfView, day: string, language: Language): FrontShelves {
  const items = (series: readonly ShelvedSeries[]) => series.map((one) => toItem(one, language))
  const inStock = all.filter(({ stock }) => stock > 0)
  return {
    picks: items(picksOf(inStock, day)),
    popular: items(sorted(inStock, 'popular', language).slice(0, SHELF)),
    newest: items(sorted(inStock, 'new', language).slice(0, SHELF)),
    coming: comingOf(all, day).map(({ release, series }) => ({ release, series: toItem(series, language) })),
    total: all.length,
  }
}

function picksOf(inStock: readonly ShelvedSeries[], day: string): readonly ShelvedSeries[] {
  const drawn = inStock
    .filter(({ age }) => age === undefined || age <= PICK_AGE_MAX)
    .map((series) => ({ series, draw: createHash('sha256').update(`${day} ${series.id}`).digest('hex') }))
    .toSorted((one, other) => (one.draw < other.draw ? -1 : 1))
    .map(({ series }) => series)
  const picks: ShelvedSeries[] = []
  // Different first genres, as far as there are any.
  for (const series of drawn)
    if (picks.length < PICKS && !picks.some(({ genres }) => genres[0] === series.genres[0])) picks.push(series)
  return [...picks, ...drawn.filter((series) => !picks.includes(series))].slice(0, PICKS)
}

function comingOf(all: readonly ShelvedSeries[], day: string) {
  return all
    .flatMap((series) => (series.releases ?? []).map((release) => ({ series, release })))
    .filter(({ release }) => release.date >= day)
    .toSorted((one, other) => (one.release.date < other.release.date ? -1 : 1))
    .slice(0, SHELF)
}
