// Holds the shared state in memory to the contract of its port.
import { sharedStateContract } from '#ports/budgets/contract.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { memorySharedState } from './budgets.ts'

sharedStateContract('memory shared state', async () => {
  const clock = manualClock()
  return { state: memorySharedState({ clock }), clock }
})
