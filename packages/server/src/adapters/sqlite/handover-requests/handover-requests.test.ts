// Runs the contract of the requests for a person on SQLite, with one file opened twice.
import { join } from 'node:path'
import { handoverRequestsContract } from '#ports/handover-requests/contract.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { openDatabase } from '../files/database.ts'
import { sqliteHandoverRequests } from './handover-requests.ts'

handoverRequestsContract('sqlite handover requests', async (context) => {
  const path = join(tempDir(context), 'test.sqlite')
  const reopen = async () => {
    const database = openDatabase({ path, clock: manualClock() })
    context.after(() => database.close())
    return sqliteHandoverRequests({ database })
  }
  return { store: await reopen(), reopen }
})
