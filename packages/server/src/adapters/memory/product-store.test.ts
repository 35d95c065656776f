// Holds the shelves in memory to the contract of their port.
import { productStoreContract } from '#ports/product-store/contract.ts'
import { memoryProductStore } from './product-store.ts'

productStoreContract('memory product store', async () => memoryProductStore())
