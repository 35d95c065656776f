// The titles of the whole catalogue, to find the series that an answer has in quotation marks. It stores a hash of each
// title and its product's id, because a catalogue may have a hundred thousand series; the reader compares the names.
import type { Product } from '../catalogue/catalogue.ts'
import { nameKey } from '../text/name-key.ts'

export interface TitleTable {
  /** Ids of the products that may have this title; a different title is possible, but rare. */
  idsOf(title: string): readonly string[]
}

export async function titleTable(products: AsyncIterable<Pick<Product, 'id' | 'title'>>): Promise<TitleTable> {
  const ids: string[] = []
  const entries: { readonly hash: number; readonly index: number }[] = []
  for await (const { id, title } of products) {
    const keys = new Set(Object.values(title).map(nameKey))
    for (const key of keys) if (key !== '') entries.push({ hash: hashOf(key), index: ids.length })
    ids.push(id)
  }
  entries.sort((a, b) => a.hash - b.hash)
  const hashes = Uint32Array.from(entries, ({ hash }) => hash)
  const owners = Uint32Array.from(entries, ({ index }) => index)
  return {
    idsOf(title) {
      const hash = hashOf(nameKey(title))
      const found: string[] = []
      for (let at = firstAt(hashes, hash); hashes[at] === hash; at += 1) found.push(ids[owners[at] ?? 0] ?? '')
      return found
    },
  }
}

/** The position of the first hash that is not smaller. */
function firstAt(hashes: Uint32Array, hash: number): number {
  let [low, high] = [0, hashes.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((hashes[middle] ?? 0) < hash) low = middle + 1
    else high = middle
  }
  return low
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
