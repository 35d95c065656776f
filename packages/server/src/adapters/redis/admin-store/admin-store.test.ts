// Runs the contract of the admin store on Redis.
import { adminStoreContract } from '#ports/admin-store/contract.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { redisAdminStore } from './admin-store.ts'

const open = cleanRedis()

adminStoreContract('redis admin store', async (context) =>
  redisAdminStore({ redis: await open(context, manualClock()), usersMax: 3, settingsMax: 3 }),
)
