// Stores whole logs of ended turns of another store in Redis, so that readers and repeats still find them. For
// `mangaassist migrate`.
import type { TurnLogImport } from '#ports/migration/imports.ts'
import type { Redis } from '../client/connection.ts'
import { SessionTurns } from './session-turns.ts'
import { TurnStore } from './turn-store.ts'

export interface RedisTurnLogImportOptions {
  readonly redis: Redis
  readonly keepMs: number
}

export function redisTurnLogImport({ keepMs, redis }: RedisTurnLogImportOptions): TurnLogImport {
  const store = new TurnStore({ redis, keepMs, nodeId: 'migration' })
  const sessionTurns = new SessionTurns({ redis, keepMs, store })
  return {
    async add(records) {
      const [first, second] = records
      const last = records.at(-1)
      if (first?.kind !== 'start' || last?.kind !== 'turn-end') throw new RangeError('only whole logs can be moved')
      const { start } = first
      // Before the log: an entry without a log does no harm, and a log without an entry would outlive `forget`.
      await sessionTurns.announce(start)
      if ((await store.start(start.turnId)) !== undefined) return false
      const whole = { epoch: last.epoch, base: second?.seq ?? 1, records, isStopRequested: false, leaseMs: 0 }
      await store.rewrite(start.turnId, whole)
      return true
    },
  }
}
