// Runs the contract of the model history on SQLite.
import { modelHistoryContract } from '#ports/model-history/contract.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { sqliteModelHistory } from './model-history.ts'

modelHistoryContract('sqlite model history', async (context, clock) => {
  const database = tempDatabase(context, clock)
  const open = () => sqliteModelHistory({ database, clock })
  return { history: open(), reopen: async () => open() }
})
