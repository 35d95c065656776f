// Holds the ledger in SQLite to the contract of its port.
import { ledgerContract } from '#ports/ledger.contract.ts'
import { manualClock } from '../../../test/fixtures/manual-clock.ts'
import { tempDatabase } from '../../../test/fixtures/temp-database.ts'
import { sqliteLedger } from './ledger.ts'

ledgerContract('sqlite ledger', async (context) => sqliteLedger({ database: tempDatabase(context, manualClock()) }))
