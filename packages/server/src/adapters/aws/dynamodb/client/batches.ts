// Reads and writes of many items of one table, in calls of the size that DynamoDB allows. What a call leaves unprocessed is sent again
// after a pause, a bounded number of times. A write of many items is not atomic: each must bear being written twice.
import type { BatchGetCommandInput, BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Dynamo } from './dynamo.ts'

export type Item = Readonly<Record<string, unknown>>
type WriteRequest = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number]
type ReadKeys = NonNullable<BatchGetCommandInput['RequestItems']>[string]

const GETS_MAX = 100
const WRITES_MAX = 25
const ROUNDS_MAX = 8
const PAUSE_FIRST_MS = 25
/** With eight rounds, two seconds of pauses in all: a shopper may be waiting. */
const PAUSE_MAX_MS = 400

export interface BatchParts {
  readonly dynamo: Dynamo
  readonly clock: Pick<Clock, 'sleep'>
  /** The full name. */
  readonly table: string
}

export interface BatchRead {
  readonly consistent?: boolean
  /** A projection of attributes; absent: all. */
  readonly projection?: Pick<ReadKeys, 'ProjectionExpression' | 'ExpressionAttributeNames'>
}

/** The items that exist, in no order. The keys must differ. */
export async function getItems(parts: BatchParts, keys: readonly Item[], read: BatchRead = {}): Promise<Item[]> {
  const { consistent = false, projection = {} } = read
  const found: Item[] = []
  for (const some of inGroups(keys, GETS_MAX)) {
    await untilProcessed(parts, [...some], async (left) => {
      const asked = { Keys: left as Record<string, unknown>[], ConsistentRead: consistent, ...projection }
      const { Responses: responses = {}, UnprocessedKeys: unprocessed = {} } = await parts.dynamo.batchGet({
        RequestItems: { [parts.table]: asked },
      })
      found.push(...(responses[parts.table] ?? []))
      return unprocessed[parts.table]?.Keys ?? []
    })
  }
  return found
}

export async function putItems(parts: BatchParts, items: readonly Item[]): Promise<void> {
  await writeItems(
    parts,
    items.map((item) => ({ PutRequest: { Item: { ...item } } })),
  )
}

export async function deleteItems(parts: BatchParts, keys: readonly Item[]): Promise<void> {
  await writeItems(
    parts,
    keys.map((key) => ({ DeleteRequest: { Key: { ...key } } })),
  )
}

async function writeItems(parts: BatchParts, requests: readonly WriteRequest[]): Promise<void> {
  for (const some of inGroups(requests, WRITES_MAX)) {
    await untilProcessed(parts, [...some], async (left) => {
      const { UnprocessedItems: unprocessed = {} } = await parts.dynamo.batchWrite({
        RequestItems: { [parts.table]: [...left] },
      })
      return unprocessed[parts.table] ?? []
    })
  }
}

async function untilProcessed<Part>(
  { clock }: BatchParts,
  parts: readonly Part[],
  send: (left: readonly Part[]) => Promise<readonly Part[]>,
): Promise<void> {
  let left = await send(parts)
  for (let round = 1; left.length > 0; round += 1) {
    if (round === ROUNDS_MAX)
      throw new StoreUnavailable(`DynamoDB left ${left.length} items of a batch unprocessed ${ROUNDS_MAX} times`)
    await clock.sleep(Math.min(PAUSE_MAX_MS, PAUSE_FIRST_MS * 2 ** round))
    left = await send(left)
  }
}

function* inGroups<Part>(parts: readonly Part[], size: number): Generator<readonly Part[]> {
  for (let from = 0; from < parts.length; from += size) yield parts.slice(from, from + size)
}
