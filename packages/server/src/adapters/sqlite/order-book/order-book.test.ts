// Runs the contract of the order book on SQLite, with one file opened twice.
import { join } from 'node:path'
import { orderBookContract, ORDERS_KEEP_MS } from '#ports/order-book/contract.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { openDatabase } from '../files/database.ts'
import { sqliteOrderBook } from './order-book.ts'

orderBookContract('sqlite order book', async (context, clock) => {
  const path = join(tempDir(context), 'test.sqlite')
  const reopen = async () => {
    const database = openDatabase({ path, clock })
    context.after(() => database.close())
    return sqliteOrderBook({ database, clock, keepMs: ORDERS_KEEP_MS })
  }
  return { orders: await reopen(), reopen }
})
