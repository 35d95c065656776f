// Opens the tasks that one node does at a time.
import { memoryTasks } from '#adapters/memory/tasks.ts'
import { redisOf } from './store-parts.ts'
import type { StoreTable } from './store-parts.ts'

export const taskStores: StoreTable<'tasks'> = {
  memory: async ({ clock }) => memoryTasks({ clock }),
  async redis(parts) {
    const { redisTasks } = await import('#adapters/redis/tasks/tasks.ts')
    return redisTasks({ redis: redisOf(parts) })
  },
}
