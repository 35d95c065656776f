// Opens the store of turn records.
import { turnRecordsTable } from '#adapters/aws/dynamodb/turn-records/table.ts'
import { sqliteTurnRecords } from '#adapters/sqlite/turn-records/turn-records.ts'
import { redisOf } from './store-parts.ts'
import type { StoreTable } from './store-parts.ts'

const DAY_MS = 86_400_000

export const turnRecordStores: StoreTable<'turnRecords'> = {
  sqlite: async ({ clock, database }) => sqliteTurnRecords({ database, clock }),
  async redis(parts) {
    const { redisTurnRecords } = await import('#adapters/redis/turn-records/turn-records.ts')
    const keepMs = parts.config.retention.turnRecordsDays * DAY_MS
    return redisTurnRecords({ redis: redisOf(parts), clock: parts.clock, keepMs })
  },
  async dynamodb({ clock, config, dynamo }) {
    const { dynamoTurnRecords } = await import('#adapters/aws/dynamodb/turn-records/turn-records.ts')
    const keepMs = config.retention.turnRecordsDays * DAY_MS
    return dynamoTurnRecords({ dynamo: await dynamo.open(turnRecordsTable), clock, keepMs })
  },
}
