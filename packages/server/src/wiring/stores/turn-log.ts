// Opens the turn log.
import { sqliteTurnLog } from '#adapters/sqlite/turn-log/turn-log.ts'
import type { Config } from '#config/config.ts'
import type { LogBounds } from '#ports/turn-log/port.ts'
import { redisOf } from './store-parts.ts'
import type { StoreTable } from './store-parts.ts'

export const turnLogs: StoreTable<'turnLog'> = {
  sqlite: async ({ clock, config, database }) => sqliteTurnLog({ database, clock, bounds: boundsIn(config) }),
  async redis(parts) {
    const { redisTurnLog } = await import('#adapters/redis/turn-log/turn-log.ts')
    const { clock, config, nodeId, telemetry } = parts
    const bounds = boundsIn(config)
    const redis = redisOf(parts)
    return parts.opened.use(redisTurnLog({ redis, clock, telemetry, nodeId, keepMs: config.turns.keepMs, bounds }))
  },
}

function boundsIn({ turns }: Config): LogBounds {
  return { recordsMax: turns.logRecordsMax, bytesMax: turns.logBytesMax }
}
