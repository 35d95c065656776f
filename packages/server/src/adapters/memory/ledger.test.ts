// Runs the contract of the ledger on memory.
import { ledgerContract } from '#ports/ledger/contract.ts'
import { memoryLedger } from './ledger.ts'

ledgerContract('memory ledger', async () => memoryLedger())
