// Runs the contract of the product store on memory.
import { productStoreContract } from '#ports/product-store/contract.ts'
import { memoryProductStore } from './product-store.ts'

productStoreContract('memory product store', async () => memoryProductStore())
