// Who owns which conversations. The head says who the owner is, and an entry in the owner's partition leads to the conversation. Both change
// in one transaction, so that a conversation belongs to exactly one principal at any time. An entry shows the last activity only
// roughly; heads say exactly, and only as many are read as a list needs.
import { eachOf } from '#lib/async/each-of.ts'
import { ADOPTED_MAX } from '#ports/session-store/port.ts'
import { isWritten, namesIn } from '../client/conditions.ts'
import { queryItems } from '../client/query-pages.ts'
import { ALIVE, LISTED_EVERY_MS } from './heads.ts'
import type { Head, Heads, SessionTable } from './heads.ts'
import { turnExpirySecond } from './lifetimes.ts'
import type { Removal } from './removal.ts'
import { headKey, ownedKey, principalOf } from './table.ts'

export interface OwnershipParts {
  readonly table: SessionTable
  readonly heads: Heads
  readonly removal: Removal
}

interface Owned {
  readonly sessionId: string
  readonly life: string
  readonly listedAt: number
}

const HEADS_READ_MIN = 20
const HEADS_READ_MAX = 100
const ADOPTIONS_AT_ONCE = 8
const ADOPT_TRIES_MAX = 5
const REMOVALS_AT_ONCE = 8

/** The entry of a conversation in its owner's partition. It expires with the turns: an erasure finds them by it. */
export function ownedItem(table: SessionTable, { id, life, listedAt, ownerId }: Omit<Head, 'version'>) {
  const expiresAt = turnExpirySecond(table, listedAt + LISTED_EVERY_MS)
  return { ...ownedKey(ownerId, id), life, listedAt, expiresAt }
}

export class Owners {
  readonly #parts: OwnershipParts

  constructor(parts: OwnershipParts) {
    this.#parts = parts
  }

  /** The heads of a principal's conversations, newest activity first. Completes removals that it finds. */
  async newest(principalId: string, limit: number): Promise<readonly Head[]> {
    const { heads } = this.#parts
    const isExpired = ({ listedAt }: Owned) => listedAt + LISTED_EVERY_MS <= heads.expiredAt()
    const owned = (await this.#owned(principalId)).filter((entry) => !isExpired(entry))
    const step = Math.min(HEADS_READ_MAX, Math.max(HEADS_READ_MIN, limit))
    const found: Head[] = []
    for (let from = 0; from < owned.length; from += step) {
      const some = await heads.readAll(owned.slice(from, from + step).map(({ sessionId }) => sessionId))
      for (const head of some) if (head.isRemoved) await this.#parts.removal.complete(head)
      found.push(...some.filter((head) => heads.isAlive(head) && head.ownerId === principalId))
      found.sort((a, b) => b.lastActiveAt - a.lastActiveAt || (a.id < b.id ? -1 : 1))
      // None of the entries that follow was active as late as that.
      const latest = (owned[from + step]?.listedAt ?? 0) + LISTED_EVERY_MS
      if ((found[limit - 1]?.lastActiveAt ?? 0) >= latest) break
    }
    return found.slice(0, limit)
  }

  /** Removes what is left of expired conversations: DynamoDB deletes it days late. */
  async removeExpired(principalId: string): Promise<void> {
    const { heads, removal } = this.#parts
    const owned = await this.#owned(principalId)
    const found = new Map((await heads.readAll(owned.map(({ sessionId }) => sessionId))).map((head) => [head.id, head]))
    await eachOf(owned, REMOVALS_AT_ONCE, async ({ life, sessionId: id }) => {
      const head = found.get(id)
      if (heads.isAlive(head)) return
      if (head === undefined) await removal.complete({ id, life, ownerId: principalId })
      else if (head.isRemoved) await removal.complete(head)
      else await removal.removeExpired(head)
    })
  }

  /** Gives a guest's conversations to a user, one by one. */
  async adopt(guestId: string, userId: string): Promise<void> {
    const heads = await this.newest(guestId, ADOPTED_MAX)
    await eachOf(heads, ADOPTIONS_AT_ONCE, (head) => this.#handOver(head, guestId, userId))
  }

  async #handOver(first: Head, guestId: string, userId: string): Promise<void> {
    let head: Head | undefined = first
    for (let tries = 0; tries < ADOPT_TRIES_MAX; tries += 1) {
      // Removed, expired, or another call was first.
      if (!this.#parts.heads.isAlive(head) || head.ownerId !== guestId) return
      if (await this.#isHandedOver(head, userId)) return
      head = await this.#parts.heads.read(first.id)
    }
  }

  /** False if the head has changed in a way that matters; a turn that was appended meanwhile does not. */
  async #isHandedOver(head: Head, userId: string): Promise<boolean> {
    const { heads, table } = this.#parts
    const { dynamo, table: TableName } = table
    const { id, life, listedAt, ownerId } = head
    const update = 'SET #ownerId = :user, #inheritedFrom = :guest'
    const condition = `#life = :life AND #ownerId = :guest AND #listedAt = :listedAt AND ${ALIVE}`
    return isWritten(() =>
      dynamo.transactWrite({
        TransactItems: [
          {
            Update: {
              TableName,
              Key: headKey(id),
              UpdateExpression: update,
              ConditionExpression: condition,
              ExpressionAttributeNames: namesIn(update, condition),
              ExpressionAttributeValues: {
                ':user': userId,
                ':guest': ownerId,
                ':life': life,
                ':listedAt': listedAt,
                ':expired': heads.expiredAt(),
              },
            },
          },
          { Delete: { TableName, Key: ownedKey(ownerId, id) } },
          { Put: { TableName, Item: ownedItem(table, { ...head, ownerId: userId }) } },
        ],
      }),
    )
  }

  /** Expired ones, too. The entry that was active last is first. */
  async #owned(principalId: string): Promise<readonly Owned[]> {
    const { table } = this.#parts
    const where = '#pk = :pk'
    const values = { ':pk': principalOf(principalId) }
    const items = await queryItems(table.dynamo, { table: table.table, where, values, consistent: true })
    return items
      .map(({ life, listedAt, sk }) => ({ sessionId: String(sk), life: String(life), listedAt: Number(listedAt) }))
      .sort((a, b) => b.listedAt - a.listedAt)
  }
}
