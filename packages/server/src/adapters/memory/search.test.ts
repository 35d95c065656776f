// Runs the contract of the search on memory.
import { searchContract } from '#ports/search/contract.ts'
import { sampleFaq, sampleShelves } from '#fixtures/turns/samples.ts'
import { learnEmbedder } from '../embedded/embedder.ts'
import { memoryProductStore } from './product-store.ts'
import { memorySearch } from './search.ts'

searchContract('memory search', async () => {
  const products = memoryProductStore()
  await products.replaceAll(sampleShelves(), 'test')
  return {
    search: memorySearch({ products, faq: sampleFaq(), learn: learnEmbedder }),
    replaceProducts: (shelves) => products.replaceAll(shelves, 'test'),
  }
})
