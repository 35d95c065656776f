// Runs the contract of the estimator store on SQLite.
import { estimatorStoreContract } from '#ports/estimator-store/contract.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { sqliteEstimatorStore } from './estimator-store.ts'

estimatorStoreContract('sqlite estimator store', async (context) =>
  sqliteEstimatorStore({ database: tempDatabase(context, manualClock()) }),
)
