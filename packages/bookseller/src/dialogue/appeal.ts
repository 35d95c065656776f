// How well a series serves a shopper who has stated only limits: series that were adapted are better known, and children
// enjoy what is light.
import type { Product } from '../catalogue/catalogue.ts'

const CHILDREN_ENJOY: ReadonlySet<string> = new Set(['light', 'funny', 'heartwarming', 'hopeful'])
const GROWN_UP_FROM = 15
const ADAPTATIONS_MAX = 4

export function appealOf({ adaptations = [], age, firstYear = 0, moods, stock }: Product, reader?: number): number {
  const known = Math.min(adaptations.length, ADAPTATIONS_MAX)
  const inStock = stock > 0 ? 2 : 0
  const recent = firstYear >= 1995 ? 1 : 0
  if (reader === undefined || reader >= GROWN_UP_FROM) return known + inStock + recent
  const enjoyed = moods.filter((mood) => CHILDREN_ENJOY.has(mood)).length * 2
  // Written for about that age, not merely harmless to it.
  const near = age === undefined ? 0 : Math.max(0, 3 - Math.abs(reader - 2 - age) / 2)
  return known + inStock + recent + enjoyed + near
}
