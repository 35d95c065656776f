// Holds the samples in memory to the contract of their port.
import { sampleStoreContract } from '#ports/sample-store/contract.ts'
import { memorySampleStore } from './sample-store.ts'

sampleStoreContract('memory sample store', async (_context, limits) => memorySampleStore(limits))
