// Runs the contract of the deferred store on SQLite, with one file opened twice.
import { join } from 'node:path'
import { deferredStoreContract } from '#ports/deferred-store/contract.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { openDatabase } from '../files/database.ts'
import { sqliteDeferredStore } from './deferred-store.ts'

deferredStoreContract('sqlite deferred store', async (context, clock, limits) => {
  const path = join(tempDir(context), 'test.sqlite')
  const reopen = async () => {
    const database = openDatabase({ path, clock })
    context.after(() => database.close())
    return sqliteDeferredStore({ database, clock, limits })
  }
  return { store: await reopen(), reopen }
})
