// Checks at the start that a table of DynamoDB is there, and that this process may do with it what its store does: a server that cannot
// store must not seem to work. The message says what an operator can do.
import type { Dynamo } from '#adapters/aws/dynamodb/client/dynamo.ts'
import { deniedActions } from '#adapters/aws/dynamodb/client/table-rights.ts'
import type { TableKey, TableShape } from '#adapters/aws/dynamodb/client/table-shape.ts'
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'
import { StartError } from '../start-error.ts'
import { patiently } from './patiently.ts'

/** No item has such a key. */
const NO_ITEM = 'none'
const RIGHTS = '"mangaassist setup --dry-run" prints the policy that it needs.'

export async function checkTable(dynamo: Dynamo, shape: TableShape): Promise<void> {
  const table = dynamo.tableName(shape)
  const denied = await orUnavailable(() => patiently(() => deniedActions(dynamo, shape)))
  if (denied instanceof StoreUnavailable) throw new StartError(problemOf(denied, table), { cause: denied })
  if (denied.length > 0) {
    const what = denied.join(', ')
    throw new StartError(
      `DynamoDB denies this process ${what} on the table ${table}, or there is no such table. ${RIGHTS} "mangaassist setup --apply" makes the tables.`,
    )
  }
}

/** Half a read unit, by a right that the store of the table has. */
export async function readNothing(dynamo: Dynamo, shape: TableShape): Promise<void> {
  const TableName = dynamo.tableName(shape)
  const none = ({ name, type }: TableKey) => [name, type === 'N' ? 0 : NO_ITEM] as const
  if (shape.actions.includes('GetItem')) {
    await dynamo.get({ TableName, Key: Object.fromEntries([shape.partition, shape.sort].map(none)) })
    return
  }
  const [name, value] = none(shape.partition)
  await dynamo.query({
    TableName,
    KeyConditionExpression: '#key = :key',
    ExpressionAttributeNames: { '#key': name },
    ExpressionAttributeValues: { ':key': value },
    Limit: 1,
  })
}

function problemOf(error: StoreUnavailable, table: string): string {
  const cause = error.cause instanceof Error ? error.cause : error
  const why = cause.message || cause.name
  if (cause.name === 'ResourceNotFoundException')
    return `DynamoDB has no table ${table}. "mangaassist setup --apply" makes it; or change dynamodb.tablePrefix or dynamodb.region.`
  if (cause.name === 'CredentialsProviderError')
    return `There are no credentials for DynamoDB (${why}). Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the process a role.`
  return `DynamoDB cannot be reached (${why}). Check dynamodb.region, dynamodb.endpoint and the network; "mangaassist doctor" tries again.`
}
