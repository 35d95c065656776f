// Stores as whom users are assigned to the arms of experiments, as another store has it. For `mangaassist migrate`.
import type { Clock } from '#ports/clock/port.ts'
import type { UnitImport } from '#ports/migration/imports.ts'
import type { Redis } from '../client/connection.ts'
import { unitKey } from './turn-records.ts'

export interface RedisUnitImportOptions {
  readonly redis: Redis
  readonly clock: Clock
}

export function redisUnitImport({ clock, redis }: RedisUnitImportOptions): UnitImport {
  return {
    async add({ expiresAt, principalId, unit }) {
      const [key, leftMs] = [unitKey(principalId), expiresAt - clock.now()]
      if (leftMs > 0) await redis.command(key, 'SET', key, unit, 'NX', 'PX', String(leftMs))
    },
  }
}
