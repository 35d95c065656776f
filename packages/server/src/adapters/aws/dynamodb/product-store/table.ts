// The table of the catalogue. One item says which edition is current; the products of an edition are in partitions of its own, spread
// over several so that an import is not slowed by one. Facts and offers are separate items: a new price does not rewrite the facts.
import { createHash } from 'node:crypto'
import type { TableShape } from '../client/table-shape.ts'

export const productsTable: TableShape = {
  name: 'products',
  partition: { name: 'pk', type: 'S' },
  sort: { name: 'sk', type: 'S' },
  indexes: [],
  actions: ['BatchGetItem', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
}

export interface TableItemKey {
  readonly pk: string
  readonly sk: string
}

export const POINTER_KEY: TableItemKey = { pk: 'current', sk: 'edition' }

/** One item for each edition and FAQ that was ever begun and not yet removed. */
export const PARTS_PARTITION = 'parts'
export const catalogueKey = (name: string): TableItemKey => ({ pk: PARTS_PARTITION, sk: name })

export const SHARDS = 8

export const offerKey = (edition: string, id: string): TableItemKey => ({
  pk: offersPartition(edition, shardOf(id)),
  sk: id,
})
export const factsKey = (edition: string, id: string): TableItemKey => ({
  pk: `facts#${edition}#${shardOf(id)}`,
  sk: id,
})
export const offersPartition = (edition: string, shard: number): string => `offers#${edition}#${shard}`
export const faqKey = (faq: string, part: number): TableItemKey => ({
  pk: `faq#${faq}`,
  sk: String(part).padStart(4, '0'),
})

function shardOf(id: string): number {
  return createHash('sha256').update(id).digest().readUInt32BE() % SHARDS
}
