// Holds the store of overrides in Redis to the contract of its port.
import { adminStoreContract } from '#ports/admin-store.contract.ts'
import { cleanRedis } from '../../../test/fixtures/clean-redis.ts'
import { manualClock } from '../../../test/fixtures/manual-clock.ts'
import { redisAdminStore } from './admin-store.ts'

const open = cleanRedis()

adminStoreContract('redis admin store', async (context) =>
  redisAdminStore({ redis: await open(context, manualClock()), usersMax: 3 }),
)
