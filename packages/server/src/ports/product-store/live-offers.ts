// Brings what was found for an answer up to date: price, stock and details as the shop has them now.
import type { Grounding } from '@mangaassist/bookseller/grounding'
import type { LiveProducts } from './shared.ts'

/** Without `live` the grounding is current. */
export async function withLiveOffers(
  live: Pick<LiveProducts, 'now'> | undefined,
  grounding: Grounding,
): Promise<Grounding> {
  const { liked, products } = grounding
  if (live === undefined || products.length + liked.length === 0) return grounding
  const now = await live.now([...products, ...liked])
  const byId = new Map(now.products.map((product) => [product.id, product]))
  const renewed = (list: Grounding['products']) => list.flatMap(({ id }) => byId.get(id) ?? [])
  return {
    ...grounding,
    products: renewed(products),
    liked: renewed(liked),
    ...(now.asOf === undefined ? {} : { offersAsOf: now.asOf }),
  }
}
