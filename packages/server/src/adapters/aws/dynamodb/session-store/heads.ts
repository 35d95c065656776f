// The head of a conversation: who owns it, its version, and when it was last active. Reads of it are consistent, and everything else of
// the conversation is found by it. An expired head counts as missing, because DynamoDB deletes expired items days late.
import type { Clock } from '#ports/clock/port.ts'
import type { Session, StoredSummary } from '#ports/session-store/port.ts'
import { getItems } from '../client/batches.ts'
import type { BatchParts, Item } from '../client/batches.ts'
import { queryItems } from '../client/query-pages.ts'
import { conversationOf, headKey, HEADS, summaryKey } from './table.ts'
import type { ConversationId } from './table.ts'
import { unpacked } from './turn-body.ts'
import type { Body } from './turn-body.ts'

export interface SessionTable extends BatchParts {
  readonly clock: Clock
  /** How long a conversation is stored after its last activity. */
  readonly keepMs: number
}

export interface Head extends ConversationId {
  readonly ownerId: string
  readonly inheritedFrom?: string
  readonly title: string
  readonly version: number
  readonly createdAt: number
  readonly lastActiveAt: number
  /** The activity that the entry of its owner shows: at most `LISTED_EVERY_MS` before `lastActiveAt`. */
  readonly listedAt: number
  /** When the turns were last renewed (`lifetimes.ts`). */
  readonly renewedAt: number
  /** The second at which the first of its turns expires. Absent in heads of older versions: the next turn renews all. */
  readonly turnsExpireAt?: number
  /** The version up to which its summary covers it; absent without a summary. */
  readonly summaryUpTo?: number
  /** It is being removed: to every reader it is gone. */
  readonly isRemoved?: true
}

export interface LiveHead extends Head {
  readonly isRemoved?: never
}

/** A turn changes the entry of its owner only if that is older: lists are rarer than turns. */
export const LISTED_EVERY_MS = 3_600_000
/** The condition that a conversation is neither expired nor being removed. */
export const ALIVE = '#lastActiveAt > :expired AND attribute_not_exists(#isRemoved)'

export class Heads {
  readonly #table: SessionTable

  constructor(table: SessionTable) {
    this.#table = table
  }

  /** Alive or not. */
  async read(sessionId: string): Promise<Head | undefined> {
    const { dynamo, table: TableName } = this.#table
    const { Item } = await dynamo.get({ TableName, Key: headKey(sessionId), ConsistentRead: true })
    return Item === undefined ? undefined : toHead(Item)
  }

  /** Those that exist, alive or not, in no order. */
  async readAll(sessionIds: readonly string[]): Promise<readonly Head[]> {
    return (await getItems(this.#table, sessionIds.map(headKey), { consistent: true })).map(toHead)
  }

  /** The conversation with its summary; undefined unless it is alive. */
  async session(sessionId: string): Promise<Session | undefined> {
    const { dynamo, table } = this.#table
    const where = '#pk = :pk AND begins_with(#sk, :heads)'
    const values = { ':pk': conversationOf(sessionId), ':heads': HEADS }
    const items = await queryItems(dynamo, { table, where, values, consistent: true })
    const found = items.find(({ sk }) => sk === HEADS)
    const head = found === undefined ? undefined : toHead(found)
    if (!this.isAlive(head)) return undefined
    const { sk } = summaryKey(head)
    return toSession(
      head,
      items.find((item) => item['sk'] === sk),
    )
  }

  /** The conversations with their summaries, in the same order. */
  async sessions(heads: readonly Head[]): Promise<readonly Session[]> {
    const summarised = heads.filter(({ summaryUpTo }) => summaryUpTo !== undefined)
    const items = await getItems(this.#table, summarised.map(summaryKey), { consistent: true })
    const summaries = new Map(items.map((item) => [item['sk'], item]))
    return Promise.all(heads.map((head) => toSession(head, summaries.get(summaryKey(head).sk))))
  }

  isAlive(head: Head | undefined): head is LiveHead {
    return head !== undefined && head.isRemoved === undefined && head.lastActiveAt > this.expiredAt()
  }

  /** A conversation that was not active since this time has expired. */
  expiredAt(): number {
    return this.#table.clock.now() - this.#table.keepMs
  }
}

function toHead({ pk: _, sk: __, expiresAt: ___, ...head }: Item): Head {
  return head as unknown as Head
}

async function toSession(head: Head, summaryItem: Item | undefined): Promise<Session> {
  const { id, ownerId, inheritedFrom, title, version, createdAt, lastActiveAt } = head
  const summary = summaryItem === undefined ? undefined : await toSummary(summaryItem)
  return {
    id,
    principalId: ownerId,
    ...(inheritedFrom === undefined ? {} : { inheritedFrom }),
    title,
    version,
    createdAt,
    lastActiveAt,
    // Read after the head, a summary can be of turns that were appended in between.
    ...(summary === undefined || summary.upTo > version ? {} : { summary }),
  }
}

async function toSummary({ body, upTo, at }: Item): Promise<StoredSummary> {
  return { text: await unpacked([body as Body]), upTo: Number(upTo), at: Number(at) }
}
