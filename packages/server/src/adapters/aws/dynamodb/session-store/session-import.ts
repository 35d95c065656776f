// Stores whole conversations of another store in DynamoDB: the turns first, then the head, by which they are found. A run that ends in
// between leaves items that no reader finds; the next run writes the same items again. For `mangaassist migrate`.
import { createHash } from 'node:crypto'
import type { SessionImport } from '#ports/migration/imports.ts'
import type { Session, StoredTurn } from '#ports/session-store/port.ts'
import { putItems } from '../client/batches.ts'
import type { Item } from '../client/batches.ts'
import { createHead } from './creation.ts'
import { Heads } from './heads.ts'
import type { Head, SessionTable } from './heads.ts'
import { turnExpirySecond } from './lifetimes.ts'
import { Removal } from './removal.ts'
import type { DynamoSessionStoreOptions } from './session-store.ts'
import { sessionsTable, summaryKey, turnIdKey } from './table.ts'
import { packed } from './turn-body.ts'
import { TurnCache } from './turn-cache.ts'
import { Turns } from './turns.ts'

const LIFE_DIGITS = 12

export type DynamoSessionImportOptions = Pick<DynamoSessionStoreOptions, 'dynamo' | 'clock' | 'keepMs'>

export function dynamoSessionImport({ clock, dynamo, keepMs }: DynamoSessionImportOptions): SessionImport {
  const table: SessionTable = { dynamo, clock, keepMs, table: dynamo.tableName(sessionsTable) }
  const heads = new Heads(table)
  const removal = new Removal(table)
  const turnItems = new Turns(table, new TurnCache())

  async function itemsOf(head: Head, turns: readonly StoredTurn[], { summary }: Session): Promise<readonly Item[]> {
    const stored = turns.map(async (turn, index) => {
      const items = await turnItems.itemsOf(head, index + 1, turn)
      return [{ ...turnIdKey(head, turn.turnId), version: index + 1 }, ...items]
    })
    const [body] = summary === undefined ? [] : await packed(summary.text)
    const summaries = summary === undefined ? [] : [{ ...summaryKey(head), upTo: summary.upTo, at: summary.at, body }]
    const expiresAt = turnExpirySecond(table, head.lastActiveAt)
    return [...(await Promise.all(stored)).flat(), ...summaries].map((item) => ({ ...item, expiresAt }))
  }

  return {
    async add(session, turns) {
      const { id, version } = session
      if (turns.length !== version) throw new RangeError(`${id} has ${turns.length} turns at version ${version}`)
      const head = { ...headOf(session), turnsExpireAt: turnExpirySecond(table, session.lastActiveAt) }
      if (!heads.isAlive(head)) return false
      const there = await heads.read(id)
      if (heads.isAlive(there)) return false
      // Before the items are written: it may have the same life, of an earlier run.
      if (there !== undefined) await removal.remove(id)
      await putItems(table, await itemsOf(head, turns, session))
      return createHead({ table, heads, removal }, head)
    },
  }
}

/** The life follows from the id, so that a repeat writes the same items. */
function headOf({ createdAt, id, inheritedFrom, lastActiveAt, principalId, summary, title, version }: Session): Head {
  const life = createHash('sha256').update(`moved ${id}`).digest('hex').slice(0, LIFE_DIGITS)
  return {
    id,
    life,
    ownerId: principalId,
    ...(inheritedFrom === undefined ? {} : { inheritedFrom }),
    title,
    version,
    createdAt,
    lastActiveAt,
    listedAt: lastActiveAt,
    renewedAt: lastActiveAt,
    ...(summary === undefined ? {} : { summaryUpTo: summary.upTo }),
  }
}
