// Opens the stores that `mangaassist migrate` can move data to. A store that is missing here cannot be moved to.
import { sessionsTable } from '#adapters/aws/dynamodb/session-store/table.ts'
import { turnRecordsTable } from '#adapters/aws/dynamodb/turn-records/table.ts'
import type { ChosenStores, StoredPort } from '#config/chosen-stores.ts'
import type { AccountImport, AdminImport, SessionImport, TurnLogImport, UnitImport } from '#ports/migration/imports.ts'
import { redisOf } from './store-parts.ts'
import type { StoreParts } from './store-parts.ts'

type ImportTable<Port extends StoredPort, Import> = Readonly<
  Partial<Record<ChosenStores[Port], (parts: StoreParts) => Promise<Import>>>
>

export const sessionImports: ImportTable<'sessions', SessionImport> = {
  async redis(parts) {
    const { redisSessionImport } = await import('#adapters/redis/session-store/session-import.ts')
    const { idleExpiryMs, keepMs } = parts.config.sessions
    return redisSessionImport({ redis: redisOf(parts), clock: parts.clock, keepMs: idleExpiryMs + keepMs })
  },
  async dynamodb({ clock, config, dynamo }) {
    const { dynamoSessionImport } = await import('#adapters/aws/dynamodb/session-store/session-import.ts')
    const { idleExpiryMs, keepMs } = config.sessions
    return dynamoSessionImport({ dynamo: await dynamo.open(sessionsTable), clock, keepMs: idleExpiryMs + keepMs })
  },
}

export const turnLogImports: ImportTable<'turnLog', TurnLogImport> = {
  async redis(parts) {
    const { redisTurnLogImport } = await import('#adapters/redis/turn-log/turn-log-import.ts')
    return redisTurnLogImport({ redis: redisOf(parts), keepMs: parts.config.turns.keepMs })
  },
}

export const accountImports: ImportTable<'budgets', AccountImport> = {
  async redis(parts) {
    const { redisAccountImport } = await import('#adapters/redis/budgets/account-import.ts')
    return redisAccountImport({ redis: redisOf(parts) })
  },
}

export const adminImports: ImportTable<'admin', AdminImport> = {
  async redis(parts) {
    const { redisAdminImport } = await import('#adapters/redis/admin-store/admin-import.ts')
    return redisAdminImport({ redis: redisOf(parts) })
  },
}

export const unitImports: ImportTable<'turnRecords', UnitImport> = {
  async redis(parts) {
    const { redisUnitImport } = await import('#adapters/redis/turn-records/unit-import.ts')
    return redisUnitImport({ redis: redisOf(parts), clock: parts.clock })
  },
  async dynamodb({ clock, dynamo }) {
    const { dynamoUnitImport } = await import('#adapters/aws/dynamodb/turn-records/unit-import.ts')
    return dynamoUnitImport({ dynamo: await dynamo.open(turnRecordsTable), clock })
  },
}
