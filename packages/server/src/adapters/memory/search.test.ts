// Holds the search in memory to the contract of its port.
import { searchContract } from '#ports/search.contract.ts'
import { sampleFaq, sampleShelves } from '../../../test/fixtures/samples.ts'
import { memoryProductStore } from './product-store.ts'
import { memorySearch } from './search.ts'

searchContract('memory search', async () => {
  const products = memoryProductStore()
  await products.replaceAll(sampleShelves())
  return {
    search: memorySearch({ products, faq: sampleFaq() }),
    replaceProducts: (shelves) => products.replaceAll(shelves),
  }
})
