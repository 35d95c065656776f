// Runs the contract of a store of records on SQLite, with one file opened twice.
import { join } from 'node:path'
import { recordsContract } from '#ports/records/contract.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { openDatabase } from '../files/database.ts'
import { sqliteRecords } from './records.ts'

recordsContract('sqlite records', async (context, clock) => {
  const path = join(tempDir(context), 'test.sqlite')
  const reopen = async () => {
    const database = openDatabase({ path, clock })
    context.after(() => database.close())
    return sqliteRecords({ database, clock })
  }
  return { records: await reopen(), reopen }
})
