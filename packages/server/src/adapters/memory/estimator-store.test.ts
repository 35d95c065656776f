// Holds the estimator store in memory to the contract of its port.
import { estimatorStoreContract } from '#ports/estimator-store/contract.ts'
import { memoryEstimatorStore } from './estimator-store.ts'

estimatorStoreContract('memory estimator store', async () => memoryEstimatorStore())
