// Runs the contract of the edition board on Redis.
import { editionBoardContract } from '#ports/edition-board/contract.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { redisEditionBoard } from './edition-board.ts'

const open = cleanRedis()

editionBoardContract('redis edition board', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  const board = (nodeId: string) => redisEditionBoard({ redis, nodeId })
  return { clock, boards: [board('tokyo'), board('osaka')] }
})
