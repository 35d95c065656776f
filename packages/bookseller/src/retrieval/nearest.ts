// The products that are scored in full are chosen from all of a shelf by a rough score, so this is the part of a search that grows with
// the catalogue. Where a condition names a key, only the products that have it are visited.
import { avoidedBy, failedFilter, keysRequired, ShelfView } from './filters.ts'
import type { Shelf, ShelfOffer } from './shelf.ts'
import type { Wish } from './wish.ts'

/** The leading dimensions, which tell most. */
const COARSE_DIMENSIONS = 32

/** How far each product is along the direction that suits it best, by the leading dimensions. Valid until the next call. */
export function coarse({ vectors }: Shelf, directions: readonly Int8Array[]): Int32Array {
  const [only] = directions
  if (only !== undefined && directions.length === 1) return vectors.multiplyAll(only, COARSE_DIMENSIONS)
  const best = new Int32Array(vectors.size)
  for (const direction of directions) {
    const products = vectors.multiplyAll(direction, COARSE_DIMENSIONS)
    for (let product = 0; product < best.length; product += 1)
      if (products[product]! > best[product]!) best[product] = products[product]!
  }
  return best
}

/** The products with the highest score of those that meet the conditions. */
export function nearest(
  { shelf, offerOf }: { readonly shelf: Shelf; readonly offerOf: (product: number) => ShelfOffer },
  wish: Wish,
  { countMax, scoreOf }: { readonly countMax: number; readonly scoreOf: (product: number) => number },
): readonly number[] {
  const best: { readonly product: number; readonly score: number }[] = []
  const view = new ShelfView(shelf, offerOf)
  const pool = poolOf(shelf, wish)
  const count = pool?.length ?? shelf.size
  let least = Number.NEGATIVE_INFINITY
  for (let at = 0; at < count; at += 1) {
    const product = pool === undefined ? at : pool[at]!
    const score = scoreOf(product)
    if (score <= least) continue
    view.product = product
    if (failedFilter(view, wish.filters) !== undefined || avoidedBy(view, wish) !== undefined) continue
    best.push({ product, score })
    if (best.length < countMax * 2) continue
    best.sort((a, b) => b.score - a.score)
    best.length = countMax
    least = best[countMax - 1]!.score
  }
  return best
    .sort((a, b) => b.score - a.score)
    .slice(0, countMax)
    .map(({ product }) => product)
}

/** The products that have a key which a condition requires, of the rarest such key; undefined for all products. */
function poolOf(shelf: Shelf, { filters }: Wish): Uint32Array | undefined {
  let rarest: readonly Uint32Array[] | undefined
  let least = shelf.size
  for (const keys of keysRequired(filters)) {
    const lists = keys.map((key) => shelf.holders(shelf.key(key)))
    const count = lists.reduce((sum, list) => sum + list.length, 0)
    if (count < least) [rarest, least] = [lists, count]
  }
  if (rarest === undefined || rarest.length < 2) return rarest?.[0]
  return Uint32Array.from(new Set(rarest.flatMap((list) => [...list]))).sort()
}
