// Runs the contract of the ledger on SQLite, and reads rows that an older version wrote.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { ledgerContract } from '#ports/ledger/contract.ts'
import { assertPauses } from '#fixtures/stores/assert-pauses.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { sampleLedgerRow } from '#fixtures/turns/samples.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { openDatabase } from '../files/database.ts'
import { sqliteLedger } from './ledger.ts'
import { APPLICATION_ID, migrations } from '../files/migrations.ts'

ledgerContract('sqlite ledger', async (context) => {
  const clock = manualClock()
  return sqliteLedger({ database: tempDatabase(context, clock), clock })
})

test('other work runs between the pages of all rows', async (context) => {
  const clock = manualClock()
  const ledger = sqliteLedger({ database: tempDatabase(context, clock), clock })
  await ledger.record(Array.from({ length: 1001 }, (_, attempt) => sampleLedgerRow({ attempt })))
  await assertPauses(ledger.rows({}), { items: 1001, pauses: 2 })
})

test('rows written before estimates, caches and overages existed are read unchanged', async (context) => {
  const path = join(tempDir(context), 'old.sqlite')
  const old = new DatabaseSync(path)
  for (const step of migrations.slice(0, 3)) old.exec(step)
  old.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = 3`)
  const values = [
    'turn_1',
    1,
    'guest_1',
    'sess_1',
    '2026-11-04',
    1_793_761_200_000,
    'embedded',
    'embedded',
    10,
    5,
    0,
    3,
    'stop',
  ]
  old.prepare(`INSERT INTO ledger VALUES (${values.map(() => '?').join(', ')})`).run(...values)
  old.close()

  const clock = manualClock()
  const database = openDatabase({ path, clock })
  context.after(() => database.close())
  const ledger = sqliteLedger({ database, clock })
  assert.deepEqual(await ledger.ofTurn('turn_1'), [sampleLedgerRow()])
  await ledger.record([sampleLedgerRow({ attempt: 2, cacheReadTokens: 4, overage: true })])
  const { rows, cacheReadTokens, overageRows } = await ledger.totals({ day: '2026-11-04' })
  assert.deepEqual([rows, cacheReadTokens, overageRows], [2, 4, 1])
})
