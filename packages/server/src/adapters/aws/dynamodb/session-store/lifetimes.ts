// When the items of a conversation expire. The head does when the conversation does; each turn would have to be written again with every
// later turn, so turns get an eighth of a lifetime more, and are renewed together when the conversation is active for longer than that,
// or when the setting was raised.
import { eachOf } from '#lib/async/each-of.ts'
import type { Item } from '../client/batches.ts'
import { isWritten, namesIn } from '../client/conditions.ts'
import { queryItems } from '../client/query-pages.ts'
import type { Head, SessionTable } from './heads.ts'
import { conversationOf, headKey, HEADS } from './table.ts'
import type { ConversationId } from './table.ts'

const TURN_SLACK = 8
const RENEWALS_AT_ONCE = 8

/** The second after which DynamoDB may delete a conversation that was last active at `lastActiveAt`. */
export function expirySecond({ keepMs }: SessionTable, lastActiveAt: number): number {
  return Math.ceil((lastActiveAt + keepMs) / 1000)
}

/** The same for a turn that is written or renewed at `at`. */
export function turnExpirySecond(table: SessionTable, at: number): number {
  return expirySecond(table, at + slackMs(table))
}

/** Whether turns would expire before a conversation that is active at `at`. */
export function isRenewalDue(table: SessionTable, { turnsExpireAt = 0 }: Head, at: number): boolean {
  return turnsExpireAt <= expirySecond(table, at)
}

/** Makes the turns expire later. Repeating it changes nothing. */
export async function renew(table: SessionTable, head: Head, at: number): Promise<Head> {
  const expiresAt = turnExpirySecond(table, at)
  const due = (await keysOf(table, head)).filter((item) => Number(item['expiresAt']) < expiresAt)
  await eachOf(due, RENEWALS_AT_ONCE, ({ pk, sk }) => setExpiry(table, { pk, sk }, expiresAt))
  await setRenewed(table, head, { renewedAt: at, turnsExpireAt: expiresAt })
  return { ...head, renewedAt: at, turnsExpireAt: expiresAt }
}

/** The keys and expiries of everything of a conversation but its head. */
export async function keysOf({ dynamo, table }: SessionTable, { id, life }: ConversationId): Promise<Item[]> {
  const where = '#pk = :pk'
  const values = { ':pk': conversationOf(id) }
  const attributes = '#pk, #sk, #expiresAt'
  const items = await queryItems(dynamo, { table, where, values, attributes, consistent: true })
  // Not those of a conversation that was begun again under the same id.
  return items.filter(({ sk }) => sk !== HEADS && String(sk).includes(`#${life}`))
}

/** Only of an item that still exists: a removed one is not begun again. */
async function setExpiry({ dynamo, table: TableName }: SessionTable, key: Item, value: number): Promise<void> {
  const update = 'SET #expiresAt = :value'
  const condition = 'attribute_exists(#pk)'
  await isWritten(() =>
    dynamo.update({
      TableName,
      Key: { ...key },
      UpdateExpression: update,
      ConditionExpression: condition,
      ExpressionAttributeNames: namesIn(update, condition),
      ExpressionAttributeValues: { ':value': value },
    }),
  )
}

/** Not when another turn was appended meanwhile: a node with other settings may have given it an earlier expiry. */
async function setRenewed(
  { dynamo, table: TableName }: SessionTable,
  { id, life, version }: Head,
  { renewedAt, turnsExpireAt }: Required<Pick<Head, 'renewedAt' | 'turnsExpireAt'>>,
): Promise<void> {
  const update = 'SET #renewedAt = :renewedAt, #turnsExpireAt = :turnsExpireAt'
  const condition = '#life = :life AND #version = :version'
  const values = { ':renewedAt': renewedAt, ':turnsExpireAt': turnsExpireAt, ':life': life, ':version': version }
  await isWritten(() =>
    dynamo.update({
      TableName,
      Key: headKey(id),
      UpdateExpression: update,
      ConditionExpression: condition,
      ExpressionAttributeNames: namesIn(update, condition),
      ExpressionAttributeValues: values,
    }),
  )
}

function slackMs({ keepMs }: SessionTable): number {
  return keepMs / TURN_SLACK
}
