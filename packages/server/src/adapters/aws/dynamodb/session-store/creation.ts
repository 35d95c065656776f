// The first write of a conversation: its head and the entry of its owner, together. What is left of an expired or removed conversation with
// the same id is removed before.
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { isWritten } from '../client/conditions.ts'
import type { Head } from './heads.ts'
import { expirySecond } from './lifetimes.ts'
import { ownedItem } from './owners.ts'
import type { OwnershipParts } from './owners.ts'
import { headKey } from './table.ts'

/** A conversation that changes between two steps is read again, this often. */
export const TRIES_MAX = 5

/** Returns false when the conversation exists. */
export async function createHead(parts: OwnershipParts, head: Head): Promise<boolean> {
  const { heads, removal } = parts
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    if (await isCreated(parts, head)) return true
    const there = await heads.read(head.id)
    if (heads.isAlive(there)) return false
    if (there?.isRemoved) await removal.complete(there)
    else if (there !== undefined) await removal.removeExpired(there)
  }
  throw unsettled(head.id)
}

export function unsettled(sessionId: string): StoreUnavailable {
  return new StoreUnavailable(`conversation ${sessionId} kept changing`, { mayHaveHappened: false })
}

/** False if there is a head already. */
function isCreated({ table }: OwnershipParts, head: Head): Promise<boolean> {
  const { dynamo, table: TableName } = table
  const Item = { ...headKey(head.id), ...head, expiresAt: expirySecond(table, head.lastActiveAt) }
  const ConditionExpression = 'attribute_not_exists(pk)'
  return isWritten(() =>
    dynamo.transactWrite({
      TransactItems: [
        { Put: { TableName, Item, ConditionExpression } },
        { Put: { TableName, Item: ownedItem(table, head) } },
      ],
    }),
  )
}
