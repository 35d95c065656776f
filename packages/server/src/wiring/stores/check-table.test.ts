// What an operator reads when a table of DynamoDB cannot be used at the start.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ledgerTable } from '#adapters/aws/dynamodb/ledger/table.ts'
import { productsTable } from '#adapters/aws/dynamodb/product-store/table.ts'
import { sessionsTable } from '#adapters/aws/dynamodb/session-store/table.ts'
import { cleanDynamo } from '#fixtures/stores/clean-dynamo.ts'
import { checkTable, readNothing } from './check-table.ts'

const ALL = [ledgerTable, productsTable, sessionsTable]
const open = cleanDynamo(ALL)

test('a table that is there, with the rights of its store, is in order', async (context) => {
  const { dynamo } = await open(context)
  await checkTable(dynamo, sessionsTable)
})

test('the probe of a table needs no right that its store does not need', async (context) => {
  const { dynamo } = await open(context)
  for (const shape of ALL) await readNothing(dynamo, shape)
})

test('a missing table is named with the command that makes it', async (context) => {
  const { another } = await open(context)
  const missing = another()
  await assert.rejects(checkTable(missing, { ...sessionsTable, name: 'other' }), {
    code: 'CANNOT_START',
    message: new RegExp(`no table ${missing.tableName({ name: 'other' })}. "mangaassist setup --apply"`),
  })
})

test('a missing right is named with the command that prints the policy', async (context) => {
  const { dynamo, faults } = await open(context)
  faults.spoil(({ operation }) => (operation === 'PutItem' ? 'deny' : undefined))
  await assert.rejects(checkTable(dynamo, sessionsTable), {
    code: 'CANNOT_START',
    message: /denies this process PutItem on .*setup --dry-run.*setup --apply/,
  })
})

test('without a reply the settings to check are named', async (context) => {
  const { dynamo, faults } = await open(context)
  await faults[Symbol.asyncDispose]()
  await assert.rejects(checkTable(dynamo, sessionsTable), {
    code: 'CANNOT_START',
    message: /cannot be reached \(.*ECONNREFUSED.*dynamodb\.endpoint/,
  })
})
