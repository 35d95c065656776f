// Holds the hashed embedder to the contract of its port.
import { embedderContract } from '#ports/embedder.contract.ts'
import { hashedEmbedder } from './embedder.ts'

embedderContract('hashed embedder', () => hashedEmbedder())
