// Runs the contract of budgets on memory.
import { budgetsContract } from '#ports/budgets/contract.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { memoryBudgets } from './budgets.ts'

budgetsContract('memory shared state', async () => {
  const clock = manualClock()
  return { budgets: memoryBudgets({ clock }), clock }
})
