// Runs the contract of the session store on SQLite.
import { sessionStoreContract } from '#ports/session-store/contract.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { sqliteSessionStore } from './session-store.ts'

sessionStoreContract('sqlite session store', async (context) => {
  const clock = manualClock()
  return { store: sqliteSessionStore({ database: tempDatabase(context, clock), clock }), clock }
})
