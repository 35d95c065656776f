// Removal of a conversation, in steps that can be repeated: it is marked, so that it is gone for every reader and writer at once; its
// turns are deleted; then its head and the entry of its owner, together. Until the last step it is found through its owner, and any
// of the calls that find it so completes the removal.
import { deleteItems } from '../client/batches.ts'
import { isWritten, namesIn } from '../client/conditions.ts'
import type { Head, SessionTable } from './heads.ts'
import { keysOf } from './lifetimes.ts'
import { headKey, ownedKey } from './table.ts'
import type { ConversationId } from './table.ts'

export class Removal {
  readonly #table: SessionTable

  constructor(table: SessionTable) {
    this.#table = table
  }

  async remove(sessionId: string): Promise<void> {
    const head = await this.#mark(sessionId)
    if (head !== undefined) await this.complete(head)
  }

  /** Removes an expired conversation, unless it was active since. */
  async removeExpired({ id, lastActiveAt, life }: Head): Promise<void> {
    const since = '#life = :life AND #lastActiveAt = :lastActiveAt'
    const head = await this.#mark(id, since, { ':life': life, ':lastActiveAt': lastActiveAt })
    if (head !== undefined) await this.complete(head)
  }

  /** Completes the removal of a conversation that is marked, or whose head has expired and is gone. */
  async complete(head: Pick<Head, 'id' | 'life' | 'ownerId'>): Promise<void> {
    const { dynamo, table: TableName } = this.#table
    const { id, life, ownerId } = head
    await this.#deleteTurns(head)
    // The conversation may have been removed by another node and begun again meanwhile.
    const condition = 'attribute_not_exists(#pk) OR #life = :life'
    const still = {
      TableName,
      ConditionExpression: condition,
      ExpressionAttributeNames: namesIn(condition),
      ExpressionAttributeValues: { ':life': life },
    }
    await isWritten(() =>
      dynamo.transactWrite({
        TransactItems: [
          { Delete: { ...still, Key: headKey(id) } },
          { Delete: { ...still, Key: ownedKey(ownerId, id) } },
        ],
      }),
    )
  }

  /** Returns the marked head; undefined if there is none for which the condition holds. */
  async #mark(
    sessionId: string,
    condition = 'attribute_exists(#pk)',
    values: Readonly<Record<string, unknown>> = {},
  ): Promise<Head | undefined> {
    const { dynamo, table: TableName } = this.#table
    const update = 'SET #isRemoved = :true'
    let head: Head | undefined
    await isWritten(async () => {
      const { Attributes } = await dynamo.update({
        TableName,
        Key: headKey(sessionId),
        UpdateExpression: update,
        ConditionExpression: condition,
        ExpressionAttributeNames: namesIn(update, condition),
        ExpressionAttributeValues: { ':true': true, ...values },
        ReturnValues: 'ALL_NEW',
      })
      head = Attributes as Head | undefined
    })
    return head
  }

  /** Everything but the head. */
  async #deleteTurns(conversation: ConversationId): Promise<void> {
    const found = await keysOf(this.#table, conversation)
    await deleteItems(
      this.#table,
      found.map(({ pk, sk }) => ({ pk, sk })),
    )
  }
}
