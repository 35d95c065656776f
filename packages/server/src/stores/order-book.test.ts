// Runs the contract of the order book on every store of records.
import type { RecordStore } from '#ports/records/port.ts'
import { everyRecordStore } from '#fixtures/stores/record-stores.ts'
import { orderBookContract, ORDERS_KEEP_MS } from './order-book.contract.ts'
import { createOrderBook } from './order-book.ts'

const ordersIn = (records: RecordStore) => createOrderBook({ records, keepMs: ORDERS_KEEP_MS })

for (const [technology, open] of everyRecordStore())
  orderBookContract(`${technology} order book`, async (context, clock) => {
    const { records, reopen } = await open(context, clock)
    return { orders: ordersIn(records), reopen: async () => ordersIn(await reopen()) }
  })
