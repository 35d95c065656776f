// Runs the contract of embedders on the one without a vendor.
import { embedderContract } from '#ports/embedder/contract.ts'
import { memoryEmbedder } from './embedder.ts'

embedderContract('memory embedder', async () => memoryEmbedder(256))
