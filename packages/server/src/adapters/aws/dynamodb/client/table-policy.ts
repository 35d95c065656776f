// The least policies of IAM for the tables: one for the server, one for the person who makes the tables.
import type { TableShape } from './table-shape.ts'

export interface TablePlace {
  readonly region: string
  /** Absent: the policy names every account, and the reader should put in theirs. */
  readonly account?: string | undefined
}

/** What `setup` and `doctor` read. */
const DESCRIBE = ['DescribeContinuousBackups', 'DescribeTable', 'DescribeTimeToLive']
const MAKE = ['CreateTable', 'UpdateContinuousBackups', 'UpdateTable', 'UpdateTimeToLive']

/** For the server and for `doctor`. */
export function servingPolicy(shape: TableShape, fullName: string, place: TablePlace): object {
  const table = arnOf(fullName, place)
  return policy([
    { Sid: 'ReadAndWriteItems', Action: named(shape.actions), Resource: withIndexes(table, shape) },
    { Sid: 'DescribeTable', Action: named(DESCRIBE), Resource: [table] },
  ])
}

/** For `setup --apply`, in the hands of an operator. */
export function makingPolicy(fullNames: readonly string[], place: TablePlace): object {
  const tables = fullNames.map((name) => arnOf(name, place))
  return policy([{ Sid: 'MakeTables', Action: named([...DESCRIBE, ...MAKE]), Resource: tables }])
}

function policy(statements: readonly object[]): object {
  return { Version: '2012-10-17', Statement: statements.map((statement) => ({ Effect: 'Allow', ...statement })) }
}

function named(actions: readonly string[]): string[] {
  return [...actions].sort((one, other) => (one < other ? -1 : 1)).map((action) => `dynamodb:${action}`)
}

function withIndexes(table: string, { indexes }: TableShape): string[] {
  return [table, ...indexes.map(({ name }) => `${table}/index/${name}`)]
}

function arnOf(fullName: string, { account = '*', region }: TablePlace): string {
  return `arn:${partitionOf(region)}:dynamodb:${region}:${account}:table/${fullName}`
}

function partitionOf(region: string): string {
  if (region.startsWith('cn-')) return 'aws-cn'
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws'
}
