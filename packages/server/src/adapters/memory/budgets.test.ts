// Runs the contract of budgets on memory.
import { budgetsComparedContract } from '#ports/budgets/compared.contract.ts'
import { budgetsContract } from '#ports/budgets/contract.ts'
import type { MakeBudgets } from '#fixtures/budgets/budgets.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { memoryBudgets } from './budgets.ts'

const make: MakeBudgets = async () => {
  const clock = manualClock()
  return { budgets: memoryBudgets({ clock }), clock }
}
budgetsContract('memory shared state', make)
budgetsComparedContract('memory shared state', make)
