// The release calendar: which volumes come out on which day. Days are `YYYY-MM-DD` in the shop's time zone, as in the
// catalogue, so that they compare as texts.
import type { Product } from './catalogue.ts'

export interface Release {
  readonly date: string
  readonly productId: string
  readonly volume: number
}

/** The first and the last day, both included. */
export interface Days {
  readonly from: string
  readonly to: string
}

/** The volumes of one product that come out in these days, by date. A volume that is listed twice counts once. */
export function releasesOf(
  { id, releases = [] }: Pick<Product, 'id' | 'releases'>,
  { from, to }: Days,
): readonly Release[] {
  const within = releases.filter(({ date }) => date >= from && date <= to)
  const all = within.map(({ date, volume }) => ({ date, productId: id, volume }))
  const seen = new Set<string>()
  return all.toSorted(byDate).filter(({ date, volume }) => {
    const key = `${date} ${volume}`
    return seen.has(key) ? false : seen.add(key)
  })
}

/** By date, then by product and volume: the same order on every node. */
export function byDate(a: Release, b: Release): number {
  return compare(a.date, b.date) || compare(a.productId, b.productId) || a.volume - b.volume
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
