// Runs the contract of the edition board in memory.
import { editionBoardContract } from '#ports/edition-board/contract.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { memoryEditionBoard } from './edition-board.ts'

editionBoardContract('memory edition board', async () => {
  const [clock, announced] = [manualClock(), new Map()]
  const board = (nodeId: string) => memoryEditionBoard({ announced, nodeId, clock })
  return { clock, boards: [board('tokyo'), board('osaka')] }
})
