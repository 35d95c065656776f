// Runs the contract of the order book on memory.
import { orderBookContract, ORDERS_KEEP_MS } from '#ports/order-book/contract.ts'
import { memoryOrderBook } from './order-book.ts'

orderBookContract('memory order book', async (_context, clock) => {
  const orders = memoryOrderBook({ clock, keepMs: ORDERS_KEEP_MS })
  return { orders, reopen: async () => orders }
})
