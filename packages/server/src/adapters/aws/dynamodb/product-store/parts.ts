// What the table holds besides the pointer: editions and FAQs. Each has an item that says when it was begun and when it ended, so that
// those which nothing refers to any more are found and removed, also after a writer was killed.
import type { FaqEntry } from '@mangaassist/bookseller/catalogue/catalogue'
import { digestOf } from '#domain/catalogue/digests.ts'
import { deleteItems } from '../client/batches.ts'
import { isWritten } from '../client/conditions.ts'
import { queryItems } from '../client/query-pages.ts'
import { writePaced } from './paced.ts'
import { readPointer } from './pointer.ts'
import type { Alongside, FaqPlace, ProductTable } from './pointer.ts'
import { factsKey, faqKey, offersPartition, catalogueKey, PARTS_PARTITION, SHARDS } from './table.ts'

interface Part {
  /** The key of an edition or an FAQ. */
  readonly sk: string
  readonly begunAt?: number
  readonly endedAt?: number
}

/** A node that has just read the pointer still reads the edition that was current. */
const READ_AFTER_MS = 10 * 60_000
/** An import that takes longer is taken for dead. */
const WRITTEN_FOR_MS = 24 * 3_600_000
/** For so long one node removes a part, and the others leave it alone. */
const REMOVED_WITHIN_MS = 10 * 60_000
/** In UTF-16 units; at most three times as many bytes. */
const FAQ_ITEM_MAX = 100_000

/** `edition_…` or `faq_…`: the name of a part begins with what it is. */
const EDITION = 'edition'
const FAQ = 'faq'

export const editionName = ({ random }: ProductTable): string => random.id(EDITION)

export function begunPart({ clock, table }: ProductTable, name: string) {
  return { TableName: table, Item: { ...catalogueKey(name), begunAt: clock.now() } }
}

/** For the transaction after which the pointer names others. */
export function endedParts({ clock, table }: ProductTable, names: readonly (string | undefined)[]): Alongside {
  return names.flatMap((name) =>
    name === undefined
      ? []
      : [
          {
            Update: {
              TableName: table,
              Key: { ...catalogueKey(name) },
              UpdateExpression: 'SET endedAt = :now',
              ExpressionAttributeValues: { ':now': clock.now() },
            },
          },
        ],
  )
}

export async function writeFaq(parts: ProductTable, entries: readonly FaqEntry[]): Promise<FaqPlace> {
  const text = JSON.stringify(entries)
  const items = Math.ceil(text.length / FAQ_ITEM_MAX)
  const key = parts.random.id(FAQ)
  await writePaced(parts, [begunPart(parts, key).Item])
  await writePaced(
    parts,
    Array.from({ length: items }, (_, part) => ({
      ...faqKey(key, part),
      text: text.slice(part * FAQ_ITEM_MAX, (part + 1) * FAQ_ITEM_MAX),
    })),
  )
  return { key, parts: items, digest: digestOf(entries) }
}

export async function purgeParts(parts: ProductTable): Promise<void> {
  const { clock, dynamo, table } = parts
  const items = await queryItems(dynamo, { table, where: '#pk = :pk', values: { ':pk': PARTS_PARTITION } })
  const now = clock.now()
  const isOver = ({ begunAt = 0, endedAt }: Part) =>
    endedAt === undefined ? begunAt + WRITTEN_FOR_MS < now : endedAt + READ_AFTER_MS < now
  const over = (items as unknown as readonly Part[]).filter(isOver)
  if (over.length === 0) return
  // Read after the list: a part that this pointer does not name was given up.
  const { current, next } = await readPointer(parts)
  for (const part of over) {
    const isUsed = [current?.key, current?.faq?.key].includes(part.sk)
    // An edition that is still to be published is discarded when another is begun.
    if (!isUsed && part.sk !== next && (await mayRemove(parts, part))) await removePart(parts, part.sk)
  }
}

/** Whether this node removes the part: one does. */
function mayRemove({ clock, dynamo, table }: ProductTable, { sk }: Part): Promise<boolean> {
  const now = clock.now()
  return isWritten(() =>
    dynamo.update({
      TableName: table,
      Key: { ...catalogueKey(sk) },
      UpdateExpression: 'SET removedBy = :until',
      ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(removedBy) OR removedBy < :now)',
      ExpressionAttributeValues: { ':until': now + REMOVED_WITHIN_MS, ':now': now },
    }),
  )
}

export async function removePart(parts: ProductTable, name: string): Promise<void> {
  const isEdition = name.startsWith(EDITION)
  const partitions = isEdition
    ? Array.from({ length: SHARDS }, (_, shard) => offersPartition(name, shard))
    : [faqKey(name, 0).pk]
  for (const partition of partitions) {
    const keys = await keysIn(parts, partition)
    // Offers are written before facts, and removed after them: they name all there is.
    const facts = isEdition ? keys.map(({ sk }) => ({ ...factsKey(name, sk) })) : []
    await deleteItems(parts, facts)
    await deleteItems(parts, keys)
  }
  await parts.dynamo.delete({ TableName: parts.table, Key: { ...catalogueKey(name) } })
}

async function keysIn({ dynamo, table }: ProductTable, pk: string) {
  const where = { where: '#pk = :pk', values: { ':pk': pk }, attributes: '#sk' }
  const items = await queryItems(dynamo, { table, ...where, consistent: true })
  return items.map((item) => ({ pk, sk: String(item['sk']) }))
}
