// Runs the contract of the sample store on memory.
import { sampleStoreContract } from '#ports/sample-store/contract.ts'
import { memorySampleStore } from './sample-store.ts'

sampleStoreContract('memory sample store', async (_context, limits) => memorySampleStore(limits))
