// Runs the contract of the hand-over on recorded calls.
import { handoverContract } from '#ports/handover/contract.ts'
import { memoryHandover } from './handover.ts'

handoverContract('memory handover', async (_context, options) => {
  const handover = memoryHandover(options)
  return { handover, arrived: () => handover.calls }
})
