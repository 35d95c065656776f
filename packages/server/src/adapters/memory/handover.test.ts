// Holds the remembered calls to the contract of their port.
import { handoverContract } from '#ports/handover/contract.ts'
import { memoryHandover } from './handover.ts'

handoverContract('memory handover', async (_context, options) => {
  const handover = memoryHandover(options)
  return { handover, arrived: () => handover.calls }
})
