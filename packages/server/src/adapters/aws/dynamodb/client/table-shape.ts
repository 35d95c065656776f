// The shape of a table as data: `setup` makes tables from it, `doctor` compares them with it, and policies name them by it.
import type { CreateTableCommandInput, KeySchemaElement, Projection } from '@aws-sdk/client-dynamodb'

export interface TableKey {
  readonly name: string
  readonly type: 'S' | 'N'
}

/** The rights of IAM that reading and writing items need. A transaction needs those of its parts. */
export type TableAction =
  | 'BatchGetItem'
  | 'BatchWriteItem'
  | 'ConditionCheckItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'UpdateItem'

export interface IndexShape {
  readonly name: string
  readonly partition: TableKey
  readonly sort: TableKey
  /** The attributes that a query of the index returns besides the keys. */
  readonly projects: 'all' | readonly string[]
}

export interface TableShape {
  /** Without the prefix of the configuration. */
  readonly name: string
  readonly partition: TableKey
  readonly sort: TableKey
  readonly indexes: readonly IndexShape[]
  /** What the adapter does with the table: `setup` prints the least policy from it, and the tests are refused all else. */
  readonly actions: readonly TableAction[]
  /** The attribute with the second after which DynamoDB may delete an item; absent: items stay. */
  readonly expiresBy?: string
}

/** What makes the table: paid by request, and protected against deletion. */
export function createTableInput(shape: TableShape, fullName: string): CreateTableCommandInput {
  const keys = [shape, ...shape.indexes].flatMap(({ partition, sort }) => [partition, sort])
  const types = new Map(keys.map(({ name, type }) => [name, type]))
  const indexes = shape.indexes.map((index) => ({
    IndexName: index.name,
    KeySchema: keySchema(index),
    Projection: projectionOf(index),
  }))
  return {
    TableName: fullName,
    BillingMode: 'PAY_PER_REQUEST',
    DeletionProtectionEnabled: true,
    KeySchema: keySchema(shape),
    AttributeDefinitions: [...types].map(([name, type]) => ({ AttributeName: name, AttributeType: type })),
    ...(indexes.length === 0 ? {} : { GlobalSecondaryIndexes: indexes }),
  }
}

function keySchema({ partition, sort }: Pick<TableShape, 'partition' | 'sort'>): KeySchemaElement[] {
  return [
    { AttributeName: partition.name, KeyType: 'HASH' },
    { AttributeName: sort.name, KeyType: 'RANGE' },
  ]
}

function projectionOf({ projects }: IndexShape): Projection {
  if (projects === 'all') return { ProjectionType: 'ALL' }
  if (projects.length === 0) return { ProjectionType: 'KEYS_ONLY' }
  return { ProjectionType: 'INCLUDE', NonKeyAttributes: [...projects] }
}
