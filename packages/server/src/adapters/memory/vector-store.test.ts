// Runs the contract of the vector store on memory.
import { vectorStoreContract } from '#ports/vector-store/contract.ts'
import { memoryVectorStore } from './vector-store.ts'

vectorStoreContract('memory vector store', () => memoryVectorStore())
