// The products that are scored in full are chosen from all of a shelf by a rough score, so this is the part of a search that grows with
// the catalogue. Most products are passed over after a few dimensions, or are never visited because a condition names a key.
import { avoidedBy, failedFilter, keysRequired, ShelfView } from './filters.ts'
import type { RankParts } from './rank.ts'
import { HEAD_DIMENSIONS, TAIL_DIMENSIONS } from './shelf.ts'
import type { Shelf } from './shelf.ts'
import type { Wish } from './wish.ts'

/** A unit vector, as bytes, times itself. */
export const UNIT = 127 * 127

/** A direction that the vectors of products are compared with. */
export class Direction {
  readonly #own: Int8Array
  readonly #shelf: Shelf
  readonly #tail: number

  constructor(own: Int8Array, shelf: Shelf) {
    this.#own = own
    this.#shelf = shelf
    this.#tail = lengthOf(own, HEAD_DIMENSIONS, TAIL_DIMENSIONS)
  }

  /** The product of the leading dimensions; 0 if it cannot be more than `least`, which the first few of them show. */
  product(product: number, least: number): number {
    const { dimensions, tails, vectors } = this.#shelf
    const own = this.#own
    const from = product * dimensions
    let sum = 0
    for (let k = 0; k < HEAD_DIMENSIONS; k += 1) sum += vectors[from + k]! * own[k]!
    if (sum + tails[product]! * this.#tail <= least) return 0
    for (let k = HEAD_DIMENSIONS; k < TAIL_DIMENSIONS; k += 1) sum += vectors[from + k]! * own[k]!
    return sum
  }
}

export function lengthOf(vector: Int8Array, from: number, to: number): number {
  let sum = 0
  for (let k = from; k < to; k += 1) sum += (vector[k] ?? 0) ** 2
  return Math.sqrt(sum)
}

/** The products with the highest score of those that meet the conditions; `scoreOf` may return less for one not above `least`. */
export function nearest(
  parts: RankParts,
  wish: Wish,
  { countMax, scoreOf }: { readonly countMax: number; readonly scoreOf: (product: number, least: number) => number },
): readonly number[] {
  const best: { readonly product: number; readonly score: number }[] = []
  const view = new ShelfView(parts.shelf, parts.offerOf)
  const pool = poolOf(parts.shelf, wish)
  const count = pool?.length ?? parts.shelf.size
  let least = Number.NEGATIVE_INFINITY
  for (let at = 0; at < count; at += 1) {
    const product = pool === undefined ? at : pool[at]!
    const score = scoreOf(product, least)
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
