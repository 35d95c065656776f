// Series that are known to resemble a title that the shop does not have: products whose similar, related or other works
// name it.
import type { Product } from '../catalogue/catalogue.ts'
import { titleKey } from './reasons.ts'

export interface Nearby {
  /** Ids, those that name it as similar first. */
  of(name: string): readonly string[]
}

const NEARBY_MAX = 8

export function nearbyIndex(products: readonly Product[]): Nearby {
  const ids = new Map<string, string[]>()
  const add = (titles: readonly { readonly ja: string; readonly en: string }[], id: string) => {
    for (const title of titles) {
      for (const key of new Set([titleKey(title.ja), titleKey(title.en)])) {
        const known = ids.get(key)
        if (known === undefined) ids.set(key, [id])
        else if (known.length < NEARBY_MAX && !known.includes(id)) known.push(id)
      }
    }
  }
  for (const { similar = [], id } of products)
    add(
      similar.flatMap((pair) => (pair.id === undefined ? [pair.title] : [])),
      id,
    )
  for (const { related = [], otherWorks = [], id } of products)
    add([...related.map(({ title }) => title), ...otherWorks], id)
  return { of: (name) => ids.get(titleKey(name)) ?? [] }
}
