// Opens the store of sessions.
import { sessionsTable } from '#adapters/aws/dynamodb/session-store/table.ts'
import { sqliteSessionStore } from '#adapters/sqlite/session-store/session-store.ts'
import { redisOf } from './store-parts.ts'
import type { StoreTable } from './store-parts.ts'

export const sessionStores: StoreTable<'sessions'> = {
  sqlite: async ({ clock, database }) => sqliteSessionStore({ database, clock }),
  async redis(parts) {
    const { redisSessionStore } = await import('#adapters/redis/session-store/session-store.ts')
    const { idleExpiryMs, keepMs } = parts.config.sessions
    return redisSessionStore({ redis: redisOf(parts), clock: parts.clock, keepMs: idleExpiryMs + keepMs })
  },
  async dynamodb({ clock, config, dynamo, random, telemetry }) {
    const { dynamoSessionStore } = await import('#adapters/aws/dynamodb/session-store/session-store.ts')
    const { idleExpiryMs, keepMs } = config.sessions
    return dynamoSessionStore({
      dynamo: await dynamo.open(sessionsTable),
      clock,
      random,
      telemetry,
      keepMs: idleExpiryMs + keepMs,
    })
  },
}
