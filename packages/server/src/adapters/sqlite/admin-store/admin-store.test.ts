// Runs the contract of the admin store on SQLite.
import { adminStoreContract } from '#ports/admin-store/contract.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { sqliteAdminStore } from './admin-store.ts'

adminStoreContract('sqlite admin store', async (context) =>
  sqliteAdminStore({ database: tempDatabase(context, manualClock()), usersMax: 3, settingsMax: 3 }),
)
