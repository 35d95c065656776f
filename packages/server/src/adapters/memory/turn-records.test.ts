// Runs the contract of the turn records on memory.
import { turnRecordsContract } from '#ports/turn-records/contract.ts'
import { memoryTurnRecords } from './turn-records.ts'

turnRecordsContract('memory turn records', async (_context, clock) => memoryTurnRecords({ clock }))
