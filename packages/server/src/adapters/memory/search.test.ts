// Runs the contract of the search on the one in memory.
import { searchContract } from '#ports/search/contract.ts'
import { bundledVectors } from '#fixtures/shop/word-vectors.ts'
import { sampleShelves } from '#fixtures/turns/samples.ts'
import { memoryProductStore } from './product-store.ts'
import { memorySearch } from './search.ts'

searchContract('memory search', async () => {
  const products = memoryProductStore()
  await products.replaceAll(sampleShelves(), 'test')
  const search = memorySearch({ products, vectors: bundledVectors() })
  return {
    search,
    products,
    async replaceProducts(shelves) {
      await products.replaceAll(shelves, 'test')
      await search.refresh()
    },
  }
})
