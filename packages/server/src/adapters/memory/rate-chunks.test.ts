// Runs the contract of the rate chunks on memory.
import { rateChunksContract } from '#ports/rate-chunks/contract.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { memoryRateChunks } from './rate-chunks.ts'

rateChunksContract('memory rate chunks', async () => {
  const clock = manualClock()
  return { chunks: memoryRateChunks({ clock }), clock }
})
