// Runs the contract of the deferred store on memory.
import { deferredStoreContract } from '#ports/deferred-store/contract.ts'
import { memoryDeferredStore } from './deferred-store.ts'

deferredStoreContract('memory deferred store', async (_context, clock, limits) => {
  const store = memoryDeferredStore({ clock, limits })
  return { store, reopen: async () => store }
})
