// Reads one edition, at one revision of its offers, whatever is written meanwhile.
import type { FaqEntry, Product } from '@mangaassist/bookseller/catalogue/catalogue'
import type { ProductFacts } from '@mangaassist/bookseller/catalogue/offer'
import type { ProductOutline } from '#ports/product-store/port.ts'
import type { Snapshot } from '#ports/product-store/shared.ts'
import { getItems } from '../client/batches.ts'
import { EditionReplaced, seenOffer } from './offer-item.ts'
import type { OfferItem } from './offer-item.ts'
import { unpackedFacts } from './packed-facts.ts'
import { editionOf } from './pointer.ts'
import type { CurrentEdition, ProductTable } from './pointer.ts'
import { factsKey, faqKey, offerKey, offersPartition, SHARDS } from './table.ts'

const CONSISTENT = { consistent: true } as const

export function snapshotOf(parts: ProductTable, at: CurrentEdition): Snapshot {
  const outlineOf = (item: OfferItem): ProductOutline => ({
    id: item.sk,
    facts: item.facts,
    offer: seenOffer(item, at),
  })

  async function outlinesOf(ids: readonly string[]): Promise<readonly ProductOutline[]> {
    const keys = [...new Set(ids)].map((id) => offerKey(at.key, id))
    const items = (await getItems(parts, keys.map(asItem), CONSISTENT)) as unknown as readonly OfferItem[]
    return items.map(outlineOf)
  }

  async function factsOf(ids: readonly string[]): Promise<ReadonlyMap<string, ProductFacts>> {
    const keys = ids.map((id) => factsKey(at.key, id))
    const items = await getItems(parts, keys.map(asItem), CONSISTENT)
    return new Map(items.map((item) => [String(item['sk']), unpackedFacts(item['facts']) as ProductFacts]))
  }

  return {
    edition: editionOf(at),
    count: at.count,
    outlinesOf,
    async byIds(ids) {
      const outlines = new Map((await outlinesOf(ids)).map((outline) => [outline.id, outline]))
      const facts = await factsOf([...outlines.keys()])
      return ids.flatMap((id): readonly Product[] => {
        const [outline, about] = [outlines.get(id), facts.get(id)]
        if (outline === undefined) return []
        if (about === undefined) throw removed(at)
        return [{ ...about, ...outline.offer }]
      })
    },
    async outlines(afterId, limit) {
      const found: ProductOutline[] = []
      for await (const item of inOrder(parts, at, { afterId, limit })) {
        found.push(outlineOf(item))
        if (found.length === limit) break
      }
      return found
    },
    async faq() {
      const place = at.faq
      if (place === undefined) return undefined
      const keys = Array.from({ length: place.parts }, (_, part) => faqKey(place.key, part))
      const items = await getItems(parts, keys.map(asItem), CONSISTENT)
      if (items.length < place.parts) throw removed(at)
      const texts = new Map(items.map((item) => [item['sk'], String(item['text'])]))
      return JSON.parse(keys.map(({ sk }) => texts.get(sk)).join('')) as readonly FaqEntry[]
    },
  }
}

const asItem = (key: { readonly pk: string; readonly sk: string }) => ({ ...key })

const removed = ({ key }: CurrentEdition) =>
  new EditionReplaced(`the edition ${key} was replaced and removed while it was read`)

interface Asked {
  readonly afterId: string
  readonly limit: number
}

/** The offers of all shards, in the order of the ids. */
async function* inOrder(parts: ProductTable, at: CurrentEdition, asked: Asked): AsyncGenerator<OfferItem> {
  const shards = Array.from({ length: SHARDS }, (_, shard) => ofShard(parts, offersPartition(at.key, shard), asked))
  const heads = await Promise.all(shards.map((shard) => shard.next()))
  for (;;) {
    let least: number | undefined
    for (const [shard, { done, value }] of heads.entries()) {
      if (done === true) continue
      const best = least === undefined ? undefined : heads[least]
      if (best === undefined || best.done === true || value.sk < best.value.sk) least = shard
    }
    const next = least === undefined ? undefined : heads[least]
    if (least === undefined || next === undefined || next.done === true) return
    yield next.value
    heads[least] = await shards[least]!.next()
  }
}

async function* ofShard(
  { dynamo, table }: ProductTable,
  partition: string,
  { afterId, limit }: Asked,
): AsyncGenerator<OfferItem, undefined> {
  // A shard has its share of the products, and some more by chance.
  const size = Math.ceil((limit / SHARDS) * SHARE_MARGIN) + SHARE_MORE
  for (let after: string | undefined = afterId; after !== undefined;) {
    const { Items: items = [], LastEvaluatedKey: last } = await dynamo.query({
      TableName: table,
      ConsistentRead: true,
      Limit: size,
      KeyConditionExpression: after === '' ? 'pk = :pk' : 'pk = :pk AND sk > :after',
      ExpressionAttributeValues: { ':pk': partition, ...(after === '' ? {} : { ':after': after }) },
    })
    yield* items as unknown as readonly OfferItem[]
    after = last?.['sk'] as string | undefined
  }
  return undefined
}

const SHARE_MARGIN = 1.3
const SHARE_MORE = 4
