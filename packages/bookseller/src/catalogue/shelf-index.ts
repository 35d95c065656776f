// The products prepared for ranking: a vector for each, and the dictionary of their names. It is built again for every
// edition, because the embedder is trained on the products themselves.
import type { Product } from './catalogue.ts'
import { attributeWords, meaningText } from './search-document.ts'
import { rankShelf } from './shelf-ranking.ts'
import type { Ranked } from './shelf-ranking.ts'
import { NO_WISH } from '../understanding/ask.ts'
import type { Wish } from '../understanding/ask.ts'
import { titleIndex } from '../understanding/titles.ts'

interface Embed {
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>
}

export interface ShelfQuestion {
  readonly text: string
  readonly limit: number
  readonly wish?: Wish
  readonly like?: readonly string[]
  readonly exclude?: readonly string[]
}

export interface ShelfIndex {
  /** The best products for the question; `byText` are the results of a full-text search, best first. */
  rank(question: ShelfQuestion, byText: readonly string[]): Promise<readonly Ranked[]>
}

/** Weight of a wish beside "like this one": it turns the direction, but does not replace it. */
const WISH_SHARE = 0.6

export async function shelfIndex(
  products: readonly Product[],
  learn: (texts: readonly string[]) => Embed,
): Promise<ShelfIndex> {
  const texts = products.map(meaningText)
  const embedder = learn(texts)
  const vectors = await embedder.embed(texts)
  const vectorOf = new Map(products.map((product, index) => [product.id, vectors[index]]))
  const titles = titleIndex(products)

  /** The vector of a question; undefined when the embedder knows none of its words. */
  async function meaningOf(text: string, wish: Wish, like: readonly string[]): Promise<Float32Array | undefined> {
    const attributes = attributeWords(wish).join(' ')
    const [asked] = await embedder.embed([like.length > 0 ? attributes : `${attributes} ${text}`])
    const liked = like.flatMap((id) => vectorOf.get(id) ?? [])
    const share = liked.length > 0 ? WISH_SHARE : 1
    return direction([
      ...liked.map((vector) => [vector, 1] as const),
      ...(asked === undefined ? [] : [[asked, share] as const]),
    ])
  }

  return {
    async rank({ text, limit, wish = NO_WISH, like = [], exclude = [] }, byText) {
      const meaning = await meaningOf(text, wish, like)
      // A question for something like a series contains its name, which must not find the series itself.
      const words =
        like.length > 0 ? { byText: [], named: [] } : { byText, named: titles.find(text).mentions.map(({ id }) => id) }
      return rankShelf(
        { products, vectors },
        { wish, like, exclude, limit, ...words, ...(meaning === undefined ? {} : { meaning }) },
      )
    },
  }
}

function direction(parts: readonly (readonly [vector: Float32Array, weight: number])[]): Float32Array | undefined {
  const first = parts[0]?.[0]
  if (first === undefined) return undefined
  const sum = new Float32Array(first.length)
  for (const [vector, weight] of parts)
    for (const [index, value] of vector.entries()) sum[index] = (sum[index] ?? 0) + value * weight
  const length = Math.hypot(...sum)
  return length === 0 ? undefined : sum.map((value) => value / length)
}
