// The ledger in DynamoDB: durable, and apart from the budgets, so that a day that Redis has lost can be charged again from it. A
// query reads days or one principal, never the whole table. The indexes follow a write within about a second.
import { addRow, GroupedTotals, NO_TOTALS } from '#domain/ledger/ledger-row.ts'
import type { LedgerRow } from '#domain/ledger/ledger-row.ts'
import type { Ledger } from '#ports/ledger/port.ts'
import type { Dynamo } from '../client/dynamo.ts'
import { dynamoFailureOf } from '../client/failure.ts'
import type { Item } from '../client/batches.ts'
import { LedgerReads } from './reads.ts'
import { DAYS_KEY, itemOf, ledgerTable, rowOf, turnKey } from './table.ts'

/** Writes of one call that are made at the same time. */
const WRITES_AT_ONCE = 25
/** Enough to remember: a process writes rows of today, and late ones of yesterday. */
const DAYS_MAX = 1000

export function dynamoLedger({ dynamo }: { readonly dynamo: Dynamo }): Ledger {
  const TableName = dynamo.tableName(ledgerTable)
  const reads = new LedgerReads(dynamo)
  const writtenDays = new Set<string>()

  /** Before the rows: a day without rows does no harm, rows of an unknown day would not be found. */
  async function writeDay(day: string): Promise<void> {
    if (writtenDays.has(day)) return
    await dynamo.put({ TableName, Item: { pk: DAYS_KEY, sk: day } })
    if (writtenDays.size >= DAYS_MAX) writtenDays.clear()
    writtenDays.add(day)
  }

  async function add(row: LedgerRow): Promise<void> {
    await unlessRefused(() =>
      dynamo.put({ TableName, Item: { ...itemOf(row) }, ConditionExpression: 'attribute_not_exists(pk)' }),
    )
  }

  function rename({ pk, sk }: Item, principalId: string, pseudonym: string): Promise<boolean> {
    return unlessRefused(() =>
      dynamo.update({
        TableName,
        Key: { pk, sk },
        UpdateExpression: 'SET principalId = :pseudonym, #user = :pseudonym',
        ConditionExpression: 'principalId = :principalId',
        ExpressionAttributeNames: { '#user': 'user' },
        ExpressionAttributeValues: { ':principalId': principalId, ':pseudonym': pseudonym },
      }),
    )
  }

  return {
    async record(rows) {
      await allOf([...new Set(rows.map(({ day }) => day))], writeDay)
      await allOf(rows, add)
    },
    async ofTurn(turnId) {
      const { Items: items = [] } = await dynamo.query({
        TableName,
        KeyConditionExpression: 'pk = :turn',
        ExpressionAttributeValues: { ':turn': turnKey(turnId) },
        ConsistentRead: true,
      })
      return items.map(rowOf)
    },
    async hasSpent(principalId, day) {
      for await (const rows of reads.unordered({ principalId, day })) if (rows.some(isSpent)) return true
      return false
    },
    async totals(filter) {
      let sum = NO_TOTALS
      for await (const rows of reads.unordered(filter)) sum = rows.reduce(addRow, sum)
      return sum
    },
    async groups(filter, asked) {
      const groups = new GroupedTotals(asked)
      for await (const rows of reads.unordered(filter)) for (const row of rows) groups.add(row)
      return groups.page()
    },
    async page(filter, limit, after) {
      const rows: LedgerRow[] = []
      for await (const row of reads.ordered(filter, { after, wanted: limit })) if (rows.push(row) === limit) break
      return rows
    },
    async rename(of, pseudonym) {
      let renamed = 0
      // An entry of the index may still show the old name: its row is not changed again.
      for await (const items of reads.ofUser(of))
        renamed += (await allOf(items, (item) => rename(item, of.principalId, pseudonym))).filter(Boolean).length
      return renamed
    },
    rows: (filter) => reads.ordered(filter),
    costs: (day) => reads.costs(day),
  }
}

const isSpent = (row: LedgerRow): boolean => row.costMicroUsd + row.inputTokens + row.outputTokens > 0

/** Whether the item's own condition allowed the write. */
async function unlessRefused(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    if (dynamoFailureOf(error).kind === 'condition') return false
    throw error
  }
}

/** Does them a few at a time. All that were begun have ended when it throws, and a repeat does what is missing. */
async function allOf<Part, Done>(
  parts: readonly Part[],
  work: (part: Part) => Promise<Done>,
): Promise<readonly Done[]> {
  const done: Done[] = []
  for (let from = 0; from < parts.length; from += WRITES_AT_ONCE) {
    const ended = await Promise.allSettled(parts.slice(from, from + WRITES_AT_ONCE).map(work))
    for (const one of ended) {
      if (one.status === 'rejected') throw one.reason
      done.push(one.value)
    }
  }
  return done
}
