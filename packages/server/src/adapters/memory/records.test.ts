// Runs the contract of a store of records on memory.
import { recordsContract } from '#ports/records/contract.ts'
import { memoryRecords } from './records.ts'

recordsContract('memory records', async (_context, clock) => {
  const records = memoryRecords({ clock })
  return { records, reopen: async () => records }
})
