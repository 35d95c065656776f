// Holds the shared state in memory to the contract of its port.
import { budgetsContract } from '#ports/budgets/contract.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { memoryBudgets } from './budgets.ts'

budgetsContract('memory shared state', async () => {
  const clock = manualClock()
  return { budgets: memoryBudgets({ clock }), clock }
})
