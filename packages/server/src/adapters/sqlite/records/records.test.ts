// Runs the contract of a store of records on SQLite, with one file opened twice; every statement of every kind uses an index.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { recordsContract } from '#ports/records/contract.ts'
import type { Kind } from '#ports/records/port.ts'
import { CARTS } from '#stores/carts.ts'
import { HANDOVERS } from '#stores/handover-requests.ts'
import { orderKind } from '#stores/order-book.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { openDatabase } from '../files/database.ts'
import { sqliteRecords } from './records.ts'

const DAY_MS = 86_400_000

recordsContract('sqlite records', async (context, clock) => {
  const path = join(tempDir(context), 'test.sqlite')
  const reopen = async () => {
    const database = openDatabase({ path, clock })
    context.after(() => database.close())
    return sqliteRecords({ database, clock })
  }
  return { records: await reopen(), reopen }
})

test('no statement of a kind scans its table', async (context) => {
  const clock = manualClock()
  const database = tempDatabase(context, clock)
  const asked = new Set<string>()
  const records = sqliteRecords({
    clock,
    database: {
      statement(sql) {
        asked.add(sql)
        return database.statement(sql)
      },
      write: (change) => database.write(change),
    },
  })

  async function ask<Value>(kind: Kind<Value>): Promise<void> {
    const own = records.open(kind)
    const after = { at: 5, id: 'an id' }
    const fields = [kind.id, ...(kind.unique === undefined ? [] : [kind.unique]), ...(kind.indexes ?? [])]
    for (const where of [{}, ...fields.map((by) => ({ by, is: 'a value' }))]) {
      await own.list('a home', { ...where, limit: 1 })
      await own.list('a home', { ...where, limit: 1, after })
      await own.change('a home', { where }, () => ({ result: undefined }))
    }
    await own.sweep(1)
  }

  await ask(CARTS)
  await ask(orderKind(DAY_MS))
  await ask(HANDOVERS)
  assert.ok(asked.size > 15)
  for (const sql of asked) {
    const steps = database
      .statement(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail))
    assert.ok(!steps.some((step) => step.startsWith('SCAN')), `${sql}: ${steps.join('; ')}`)
  }
})
