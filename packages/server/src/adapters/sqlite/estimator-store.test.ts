// Holds the estimator store in SQLite to the contract of its port.
import { estimatorStoreContract } from '#ports/estimator-store.contract.ts'
import { manualClock } from '../../../test/fixtures/manual-clock.ts'
import { tempDatabase } from '../../../test/fixtures/temp-database.ts'
import { sqliteEstimatorStore } from './estimator-store.ts'

estimatorStoreContract('sqlite estimator store', async (context) =>
  sqliteEstimatorStore({ database: tempDatabase(context, manualClock()) }),
)
