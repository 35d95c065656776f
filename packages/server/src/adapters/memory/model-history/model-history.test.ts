// Runs the contract of the model history in memory.
import { modelHistoryContract } from '#ports/model-history/contract.ts'
import { memoryModelHistory } from './model-history.ts'

modelHistoryContract('memory model history', async (_context, clock) => {
  const history = memoryModelHistory({ clock })
  return { history, reopen: async () => history }
})
