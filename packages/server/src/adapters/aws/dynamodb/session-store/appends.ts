// Appends turns: one transaction that raises the version in the head, writes the turn, and the entry of its id. The transaction starts
// from the head that this node knows, so that the ordinary append reads nothing; conditions find out if it was too old.
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import type { AppendResult, StoredTurn } from '#ports/session-store/port.ts'
import { isWritten, namesIn } from '../client/conditions.ts'
import { ALIVE, LISTED_EVERY_MS } from './heads.ts'
import type { Head, Heads, SessionTable } from './heads.ts'
import { expirySecond, isRenewalDue, renew, turnExpirySecond } from './lifetimes.ts'
import { ownedItem } from './owners.ts'
import { headKey, turnIdKey } from './table.ts'
import type { TurnCache } from './turn-cache.ts'
import type { Turns } from './turns.ts'

export interface AppendsParts {
  readonly table: SessionTable
  readonly heads: Heads
  readonly turns: Turns
  readonly cache: TurnCache
}

const TRIES_MAX = 5

export class Appends {
  readonly #parts: AppendsParts

  constructor(parts: AppendsParts) {
    this.#parts = parts
  }

  async append(sessionId: string, expectedVersion: number, turn: StoredTurn): Promise<AppendResult> {
    const { cache, heads } = this.#parts
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const known = tries === 0 ? cache.head(sessionId) : undefined
      const isUsable = known?.version === expectedVersion && heads.isAlive(known)
      const head = isUsable ? known : await heads.read(sessionId)
      if (!heads.isAlive(head)) return { kind: 'gone' }
      if (head.version === expectedVersion && (await this.#isAppended(head, turn)))
        return { kind: 'appended', version: expectedVersion + 1 }
      const version = await this.#versionOf(head, turn.turnId)
      if (version !== undefined) return { kind: 'appended', version }
      if (head.version !== expectedVersion) return { kind: 'conflict', version: head.version }
    }
    throw new StoreUnavailable(`conversation ${sessionId} kept changing`, { mayHaveHappened: false })
  }

  /** The version at which the turn was appended before. */
  async #versionOf(head: Head, turnId: string): Promise<number | undefined> {
    const { dynamo, table: TableName } = this.#parts.table
    const { Item } = await dynamo.get({ TableName, Key: turnIdKey(head, turnId), ConsistentRead: true })
    return Item === undefined ? undefined : Number(Item['version'])
  }

  /** False if the head has changed, or the turn was appended before. */
  async #isAppended(known: Head, turn: StoredTurn): Promise<boolean> {
    const { cache, table, turns } = this.#parts
    const { dynamo, table: TableName } = table
    const version = known.version + 1
    const lastActiveAt = Math.max(table.clock.now(), known.lastActiveAt)
    const head = isRenewalDue(table, known, lastActiveAt) ? await renew(table, known, lastActiveAt) : known
    // With the turns the entry is renewed, which expires by the same setting.
    const isListedAgain = lastActiveAt - head.listedAt >= (head === known ? LISTED_EVERY_MS : 1)
    const expiresAt = turnExpirySecond(table, lastActiveAt)
    const next = {
      ...head,
      version,
      lastActiveAt,
      listedAt: isListedAgain ? lastActiveAt : head.listedAt,
      turnsExpireAt: Math.min(head.turnsExpireAt ?? expiresAt, expiresAt),
    }
    const [turnItem, ...partItems] = await turns.itemsOf(head, version, turn)
    const TransactItems = [
      { Update: this.#headUpdate(head, next) },
      {
        Put: {
          TableName,
          Item: { ...turnIdKey(head, turn.turnId), version, expiresAt },
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      },
      ...[turnItem, ...partItems].map((item) => ({ Put: { TableName, Item: { ...item, expiresAt } } })),
      ...(isListedAgain ? [{ Put: { TableName, Item: ownedItem(table, next) } }] : []),
    ]
    const isDone = await isWritten(() => dynamo.transactWrite({ TransactItems }))
    if (isDone) cache.keep(next, new Map([[version, turn]]))
    return isDone
  }

  #headUpdate(head: Head, { lastActiveAt, listedAt, turnsExpireAt, version }: Head) {
    const { heads, table } = this.#parts
    const times = '#lastActiveAt = :lastActiveAt, #listedAt = :listedAt, #turnsExpireAt = :turnsExpireAt'
    const update = `SET #version = :next, ${times}, #expiresAt = :expiresAt`
    // The entry that is written with it must be the owner's; otherwise a new owner changes nothing.
    const isListedAgain = listedAt !== head.listedAt
    const owner = isListedAgain ? ' AND #ownerId = :ownerId' : ''
    const condition = `#life = :life AND #version = :version AND ${ALIVE}${owner}`
    return {
      TableName: table.table,
      Key: headKey(head.id),
      UpdateExpression: update,
      ConditionExpression: condition,
      ExpressionAttributeNames: namesIn(update, condition),
      ExpressionAttributeValues: {
        ':next': version,
        ':lastActiveAt': lastActiveAt,
        ':listedAt': listedAt,
        ':turnsExpireAt': turnsExpireAt,
        ':expiresAt': expirySecond(table, lastActiveAt),
        ':life': head.life,
        ':version': head.version,
        ':expired': heads.expiredAt(),
        ...(isListedAgain ? { ':ownerId': head.ownerId } : {}),
      },
    }
  }
}
