// Runs the contract of the spend chunks on memory.
import { spendChunksContract } from '#ports/spend-chunks/contract.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { memorySpendChunks } from './spend-chunks.ts'

spendChunksContract('memory spend chunks', async () => memorySpendChunks({ clock: manualClock() }))
