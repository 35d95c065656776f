// Runs the contract of the estimator store on memory.
import { estimatorStoreContract } from '#ports/estimator-store/contract.ts'
import { memoryEstimatorStore } from './estimator-store.ts'

estimatorStoreContract('memory estimator store', async () => memoryEstimatorStore())
