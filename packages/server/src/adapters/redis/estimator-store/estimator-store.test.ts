// Runs the contract of the estimator store on Redis.
import { estimatorStoreContract } from '#ports/estimator-store/contract.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { redisEstimatorStore } from './estimator-store.ts'

const open = cleanRedis()

estimatorStoreContract('redis estimator store', async (context) =>
  redisEstimatorStore({ redis: await open(context, manualClock()) }),
)
