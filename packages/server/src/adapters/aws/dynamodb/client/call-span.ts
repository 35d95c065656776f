// What the span of a call of DynamoDB says: its operation and its table. No keys and no values: they contain ids of shoppers.
import type { SpanFields } from '#domain/telemetry/span-attributes.ts'
import type { Outcome } from '#ports/telemetry/port.ts'
import type { DynamoFailure } from './failure.ts'

/** Our verbs, as DynamoDB calls them. */
const OPERATIONS = {
  get: 'GetItem',
  put: 'PutItem',
  update: 'UpdateItem',
  delete: 'DeleteItem',
  query: 'Query',
  'batch-get': 'BatchGetItem',
  'batch-write': 'BatchWriteItem',
  'transact-get': 'TransactGetItems',
  'transact-write': 'TransactWriteItems',
} as const

export type DynamoVerb = keyof typeof OPERATIONS

/** The parts of all inputs that name tables. */
export interface DynamoInput {
  readonly TableName?: string | undefined
  readonly RequestItems?: Readonly<Record<string, unknown>> | undefined
  readonly TransactItems?:
    | readonly Readonly<Record<string, { readonly TableName?: string | undefined } | undefined>>[]
    | undefined
}

export function dynamoCallFields(
  verb: DynamoVerb,
  { RequestItems, TableName, TransactItems }: DynamoInput,
): SpanFields {
  const steps = TransactItems?.flatMap((item) => Object.values(item).map((step) => step?.TableName))
  const [table, ...others] = new Set(steps ?? (RequestItems === undefined ? [TableName] : Object.keys(RequestItems)))
  const writes = verb === 'batch-write' ? Object.values(RequestItems ?? {}).flat().length : 0
  const size = steps?.length ?? writes
  return {
    dbSystem: 'aws.dynamodb',
    dbOperation: OPERATIONS[verb],
    // A name that stands for several would be wrong.
    ...(others.length === 0 ? { dbCollection: table } : {}),
    ...(size > 1 ? { dbBatchSize: size } : {}),
  }
}

/** A failed condition is an answer. */
export function dynamoCallEnd(error: unknown, failure: DynamoFailure): readonly [Outcome, SpanFields] {
  const { $metadata, name } = error as {
    readonly $metadata?: { readonly httpStatusCode?: number }
    readonly name: string
  }
  const status = $metadata?.httpStatusCode === undefined ? {} : { dbStatus: name }
  if (failure.kind === 'condition') return ['completed', status]
  return ['failed', { ...status, errorClass: failure.kind === 'defect' ? 'invalid' : failure.kind }]
}
