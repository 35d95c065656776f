// Holds the turn log in memory to the contract of its port.
import { turnLogContract } from '#ports/turn-log.contract.ts'
import { manualClock } from '../../../test/fixtures/manual-clock.ts'
import { memoryTurnLog } from './turn-log.ts'

turnLogContract('memory turn log', async () => {
  const clock = manualClock()
  return { log: memoryTurnLog({ clock }), clock }
})
