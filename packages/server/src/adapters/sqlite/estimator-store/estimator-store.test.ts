// Holds the estimator store in SQLite to the contract of its port.
import { estimatorStoreContract } from '#ports/estimator-store/contract.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { sqliteEstimatorStore } from './estimator-store.ts'

estimatorStoreContract('sqlite estimator store', async (context) =>
  sqliteEstimatorStore({ database: tempDatabase(context, manualClock()) }),
)
