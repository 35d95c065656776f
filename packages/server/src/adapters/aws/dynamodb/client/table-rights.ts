// Finds out by harmless calls whether this process may do with a table what its adapter does. Nothing is changed: writes have a
// condition that no item meets, and rights are judged before conditions. A batch has no conditions: it deletes an item that does not exist.
import type { Dynamo } from './dynamo.ts'
import type { TableAction, TableKey, TableShape } from './table-shape.ts'

/** No item has this key. */
const NO_ITEM = 'doctor-looks-for-nothing'
const DENIED = new Set(['AccessDeniedException', 'UnrecognizedClientException', 'ExpiredTokenException'])

/** The actions that are denied. Throws a StoreUnavailable when nothing can be found out. */
export async function deniedActions(dynamo: Dynamo, shape: TableShape): Promise<readonly TableAction[]> {
  const denied: TableAction[] = []
  for (const action of shape.actions) if (await isDenied(() => attempt(dynamo, shape, action))) denied.push(action)
  return denied
}

async function isDenied(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call()
    return false
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error.name === 'ConditionalCheckFailedException' || error.name === 'TransactionCanceledException') return false
    const { cause } = error
    if (cause instanceof Error && DENIED.has(cause.name)) return true
    throw error
  }
}

function attempt(dynamo: Dynamo, shape: TableShape, action: TableAction): Promise<unknown> {
  const TableName = dynamo.tableName(shape)
  const Key = { [shape.partition.name]: nothing(shape.partition), [shape.sort.name]: nothing(shape.sort) }
  const ExpressionAttributeNames = { '#key': shape.partition.name }
  const never = { ConditionExpression: 'attribute_exists(#key)', ExpressionAttributeNames }
  switch (action) {
    case 'GetItem':
      return dynamo.get({ TableName, Key })
    case 'Query':
      return queryAll(dynamo, shape)
    case 'BatchGetItem':
      return dynamo.batchGet({ RequestItems: { [TableName]: { Keys: [Key] } } })
    case 'BatchWriteItem':
      return dynamo.batchWrite({ RequestItems: { [TableName]: [{ DeleteRequest: { Key } }] } })
    case 'PutItem':
      return dynamo.put({ TableName, Item: Key, ...never })
    case 'DeleteItem':
      return dynamo.delete({ TableName, Key, ...never })
    case 'UpdateItem':
      return dynamo.update({ TableName, Key, ...never })
    case 'ConditionCheckItem':
      return dynamo.transactWrite({ TransactItems: [{ ConditionCheck: { TableName, Key, ...never } }] })
  }
}

/** The table and its indexes: each is a resource of its own in a policy. */
async function queryAll(dynamo: Dynamo, shape: TableShape): Promise<void> {
  for (const { partition, ...of } of [shape, ...shape.indexes]) {
    await dynamo.query({
      TableName: dynamo.tableName(shape),
      ...(of.name === shape.name ? {} : { IndexName: of.name }),
      KeyConditionExpression: '#key = :key',
      ExpressionAttributeNames: { '#key': partition.name },
      ExpressionAttributeValues: { ':key': nothing(partition) },
      Limit: 1,
    })
  }
}

function nothing({ type }: TableKey): string | number {
  return type === 'S' ? NO_ITEM : -1
}
