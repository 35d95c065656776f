// Opens the board on which nodes agree on alarms.
import { sqliteAlarmBoard } from '#adapters/sqlite/alarm-board/alarm-board.ts'
import { redisOf } from './store-parts.ts'
import type { StoreTable } from './store-parts.ts'

export const alarmBoards: StoreTable<'alarms'> = {
  sqlite: async ({ database }) => sqliteAlarmBoard({ database }),
  async redis(parts) {
    const { redisAlarmBoard } = await import('#adapters/redis/alarm-board/alarm-board.ts')
    return redisAlarmBoard({ redis: redisOf(parts) })
  },
}
