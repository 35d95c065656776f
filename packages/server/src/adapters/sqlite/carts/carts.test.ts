// Runs the contract of the carts on SQLite, with one file opened twice.
import { join } from 'node:path'
import { CART_KEEP_MS, cartsContract } from '#ports/carts/contract.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { openDatabase } from '../files/database.ts'
import { sqliteCarts } from './carts.ts'

cartsContract('sqlite carts', async (context, clock) => {
  const path = join(tempDir(context), 'test.sqlite')
  const reopen = async () => {
    const database = openDatabase({ path, clock })
    context.after(() => database.close())
    return sqliteCarts({ database, clock, keepMs: CART_KEEP_MS })
  }
  return { carts: await reopen(), reopen }
})
