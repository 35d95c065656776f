// Runs the contract of the turn log on memory.
import { LOG_BOUNDS } from '#domain/turn/log-bounds.ts'
import { turnLogContract } from '#ports/turn-log/contract.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { memoryTurnLog } from './turn-log.ts'

turnLogContract('memory turn log', async (_context, bounds = LOG_BOUNDS) => {
  const clock = manualClock()
  return { log: memoryTurnLog({ clock, bounds }), clock }
})
