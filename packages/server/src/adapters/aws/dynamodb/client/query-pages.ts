// Every item of a query, whose pages DynamoDB ends at 1 MB.
import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Item } from './batches.ts'
import { namesIn } from './conditions.ts'
import type { Dynamo } from './dynamo.ts'

export interface QueryPages {
  /** The full name. */
  readonly table: string
  /** The condition of the keys; attributes are written as `#name` and values as `:name`. */
  readonly where: string
  readonly values: Readonly<Record<string, unknown>>
  readonly consistent?: boolean
  /** The attributes of the items, such as `#pk, #sk`; absent: all. */
  readonly attributes?: string
}

export async function queryItems(dynamo: Dynamo, query: QueryPages): Promise<Item[]> {
  const { table, where, values, consistent = false, attributes } = query
  const input: QueryCommandInput = {
    TableName: table,
    KeyConditionExpression: where,
    ExpressionAttributeNames: namesIn(where, attributes ?? ''),
    ExpressionAttributeValues: { ...values },
    ConsistentRead: consistent,
    ...(attributes === undefined ? {} : { ProjectionExpression: attributes }),
  }
  const items: Item[] = []
  let start: Record<string, unknown> | undefined
  do {
    const page = await dynamo.query({ ...input, ExclusiveStartKey: start })
    items.push(...(page.Items ?? []))
    start = page.LastEvaluatedKey
  } while (start !== undefined)
  return items
}
