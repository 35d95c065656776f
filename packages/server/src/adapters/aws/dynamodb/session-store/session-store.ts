// Conversations in DynamoDB. An append is one transaction, conditional on the version in the head; turns are items that are never
// rewritten, and the entry of each turn id makes a repeat harmless. Conversations expire by themselves; until DynamoDB deletes them,
// they count as missing.
import { inOrderAsked } from '#domain/turn/turn-order.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Random } from '#ports/random/port.ts'
import type { AppendResult, SessionStore } from '#ports/session-store/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { isWritten, namesIn } from '../client/conditions.ts'
import type { Dynamo } from '../client/dynamo.ts'
import { Appends } from './appends.ts'
import { createHead, TRIES_MAX, unsettled } from './creation.ts'
import { ALIVE, Heads } from './heads.ts'
import type { Head, SessionTable } from './heads.ts'
import { turnExpirySecond } from './lifetimes.ts'
import { Owners } from './owners.ts'
import { Removal } from './removal.ts'
import { headKey, sessionsTable, summaryKey } from './table.ts'
import { packed } from './turn-body.ts'
import { TurnCache } from './turn-cache.ts'
import { Turns } from './turns.ts'

export interface DynamoSessionStoreOptions {
  readonly dynamo: Dynamo
  readonly clock: Clock
  readonly random: Random
  /** How long a conversation is stored after its last activity. */
  readonly keepMs: number
  readonly telemetry?: Telemetry
  readonly cache?: TurnCache
}

const LIFE_BYTES = 6

export function dynamoSessionStore(options: DynamoSessionStoreOptions): SessionStore {
  const { clock, dynamo, keepMs, random, telemetry, cache = new TurnCache() } = options
  const table: SessionTable = { dynamo, clock, keepMs, table: dynamo.tableName(sessionsTable) }
  const TableName = table.table
  const heads = new Heads(table)
  const turns = new Turns(table, cache)
  const removal = new Removal(table)
  const owners = new Owners({ table, heads, removal })
  const appends = new Appends({ table, heads, turns, cache })

  /** False if the conversation has changed, or has a later summary. */
  const isSummarised = async (head: Head, upTo: number, text: string): Promise<boolean> => {
    const at = clock.now()
    const [body, ...rest] = await packed(text)
    if (rest.length > 0) throw new RangeError(`a summary of ${text.length} characters cannot be stored`)
    const later = '(attribute_not_exists(#summaryUpTo) OR #summaryUpTo < :upTo)'
    const [update, condition] = [
      'SET #summaryUpTo = :upTo',
      `#life = :life AND #version >= :upTo AND ${later} AND ${ALIVE}`,
    ]
    const Update = {
      TableName,
      Key: headKey(head.id),
      UpdateExpression: update,
      ConditionExpression: condition,
      ExpressionAttributeNames: namesIn(update, condition),
      ExpressionAttributeValues: { ':upTo': upTo, ':life': head.life, ':expired': heads.expiredAt() },
    }
    const Item = { ...summaryKey(head), upTo, at, body, expiresAt: turnExpirySecond(table, at) }
    return isWritten(() => dynamo.transactWrite({ TransactItems: [{ Update }, { Put: { TableName, Item } }] }))
  }

  return {
    async create({ id, principalId, title, createdAt, lastActiveAt }) {
      const times = { createdAt, lastActiveAt, listedAt: lastActiveAt, renewedAt: lastActiveAt }
      const turnsExpireAt = turnExpirySecond(table, lastActiveAt)
      const life = random.hex(LIFE_BYTES)
      const head = { id, life, ownerId: principalId, title, version: 0, ...times, turnsExpireAt }
      if (await createHead({ table, heads, removal }, head)) cache.keep(head)
    },
    find: (sessionId) => heads.session(sessionId),
    async recentTurns(sessionId, limit) {
      let before: Head | undefined
      for (let tries = 0; limit > 0 && tries < TRIES_MAX; tries += 1) {
        const head = await heads.read(sessionId)
        if (!heads.isAlive(head)) return []
        const found = await turns.newest(head, limit)
        const isSame = before?.life === head.life && before.version === head.version
        if (!found.isWhole && isSame) telemetry?.log('warn', 'session.turns-missing', { sessionId })
        if (found.isWhole || isSame) return inOrderAsked(found.turns)
        // It is being removed, or its turns have expired: the head says which.
        before = head
      }
      if (limit <= 0) return []
      throw unsettled(sessionId)
    },
    append: (sessionId, expectedVersion, turn): Promise<AppendResult> =>
      appends.append(sessionId, expectedVersion, turn),
    async summarise(sessionId, upTo, text) {
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const head = await heads.read(sessionId)
        if (!heads.isAlive(head) || upTo > head.version || upTo <= (head.summaryUpTo ?? 0)) return false
        if (await isSummarised(head, upTo, text)) return true
      }
      return false
    },
    async listOf(principalId, limit) {
      return limit <= 0 ? [] : heads.sessions(await owners.newest(principalId, limit))
    },
    async remove(sessionId) {
      cache.forget(sessionId)
      await removal.remove(sessionId)
    },
    removeExpired: (principalId) => owners.removeExpired(principalId),
    adopt: (guestId, userId) => owners.adopt(guestId, userId),
    // Nothing to do: every item expires.
    async sweep() {
      return 0
    },
  }
}
