// Runs the contract of the search on SQLite.
import { searchContract } from '#ports/search/contract.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleFaq, sampleShelves } from '#fixtures/turns/samples.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { learnEmbedder } from '../../embedded/embedder.ts'
import { sqliteProductStore } from '../product-store/product-store.ts'
import { sqliteSearch } from './search.ts'

searchContract('sqlite search', async (context) => {
  const database = tempDatabase(context, manualClock())
  const products = sqliteProductStore({ database })
  await products.replaceAll(sampleShelves(), 'test')
  return {
    search: await sqliteSearch({ database, products, faq: sampleFaq(), learn: learnEmbedder }),
    replaceProducts: (shelves) => products.replaceAll(shelves, 'test'),
  }
})
