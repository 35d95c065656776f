// Opens the answer cache.
import { memoryAnswerCache } from '#adapters/memory/answer-cache.ts'
import { redisOf } from './store-parts.ts'
import type { StoreTable } from './store-parts.ts'

export const answerCaches: StoreTable<'answers'> = {
  memory: async ({ clock, config }) => memoryAnswerCache({ clock, limits: config.answers }),
  async redis(parts) {
    const { redisAnswerCache } = await import('#adapters/redis/answer-cache/answer-cache.ts')
    return redisAnswerCache({ redis: redisOf(parts), clock: parts.clock, limits: parts.config.answers })
  },
}
