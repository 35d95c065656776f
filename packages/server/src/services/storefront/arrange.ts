// Filters and orders of the shelf. Pure. An absent fact never matches a filter: a series of unknown age is not shown to a
// parent who asks for an age.
import type { Language, ProductSort, PublicationStatus } from '@mangaassist/protocol'
import { compareReadings, readingOf } from '#domain/catalogue/title-order.ts'
import type { ShelvedSeries } from './shelf.ts'

export interface ProductFilters {
  readonly genre?: string | undefined
  readonly demographic?: string | undefined
  readonly status?: PublicationStatus | undefined
  readonly inStock?: boolean | undefined
  /** The highest price of one volume. */
  readonly priceMax?: number | undefined
  /** The highest price of all volumes together. */
  readonly totalMax?: number | undefined
  /** The most volumes. */
  readonly volumesMax?: number | undefined
  /** Suitable for a reader of this age. */
  readonly age?: number | undefined
}

export function matches(series: ShelvedSeries, filters: ProductFilters): boolean {
  const { age, demographic, genre, inStock, priceMax, status, totalMax, volumesMax } = filters
  if (genre !== undefined && !series.genres.includes(genre)) return false
  if (demographic !== undefined && series.demographic !== demographic) return false
  if (status !== undefined && series.status !== status) return false
  if (inStock === true && series.stock === 0) return false
  if (priceMax !== undefined && series.pricePerVolumeYen > priceMax) return false
  if (totalMax !== undefined && series.totalYen > totalMax) return false
  if (volumesMax !== undefined && series.volumes > volumesMax) return false
  return age === undefined || (series.age !== undefined && series.age <= age)
}

type Compare = (one: ShelvedSeries, other: ShelvedSeries) => number

/** Equal ones stay in the order in which they come. */
export function sorted(
  series: readonly ShelvedSeries[],
  sort: ProductSort,
  language: Language,
): readonly ShelvedSeries[] {
  if (sort === 'title') return byTitle(series, language)
  const compare: Readonly<Record<Exclude<ProductSort, 'title'>, Compare>> = {
    popular: (one, other) => other.namedBy - one.namedBy || other.volumes - one.volumes,
    // The year in which the series began: the catalogue does not say when the shop first had it.
    new: (one, other) => (other.firstYear ?? 0) - (one.firstYear ?? 0),
    price: (one, other) => one.pricePerVolumeYen - other.pricePerVolumeYen || one.totalYen - other.totalYen,
    length: (one, other) => one.volumes - other.volumes || one.totalYen - other.totalYen,
  }
  return series.toSorted(compare[sort])
}

/** The readings are made once, and not in every comparison. */
function byTitle(series: readonly ShelvedSeries[], language: Language): readonly ShelvedSeries[] {
  return series
    .map((one) => ({ one, reading: readingOf(one.title, language) }))
    .toSorted((a, b) => compareReadings(a.reading, b.reading, language))
    .map(({ one }) => one)
}

/** How many series each genre has, the most common first. */
export function genreCounts(series: readonly ShelvedSeries[]): readonly (readonly [genre: string, count: number])[] {
  const counts = new Map<string, number>()
  for (const { genres } of series) for (const genre of genres) counts.set(genre, (counts.get(genre) ?? 0) + 1)
  return [...counts].toSorted(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
}
