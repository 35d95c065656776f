// Holds the ledger in memory to the contract of its port.
import { ledgerContract } from '#ports/ledger/contract.ts'
import { memoryLedger } from './ledger.ts'

ledgerContract('memory ledger', async () => memoryLedger())
