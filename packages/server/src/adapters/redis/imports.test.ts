// Runs the contracts of the imports on Redis, and checks that every key that they write expires.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { LOG_BOUNDS } from '#domain/turn/log-bounds.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleSession, sampleStoredTurn } from '#fixtures/turns/samples.ts'
import {
  accountImportContract,
  adminImportContract,
  sessionImportContract,
  turnLogImportContract,
  unitImportContract,
} from '#ports/migration/imports.contract.ts'
import { redisAdminImport } from './admin-store/admin-import.ts'
import { redisAdminStore } from './admin-store/admin-store.ts'
import { redisAccountImport } from './budgets/account-import.ts'
import { redisBudgets } from './budgets/budgets.ts'
import { redisSessionImport } from './session-store/session-import.ts'
import { redisSessionStore } from './session-store/session-store.ts'
import { redisTurnLogImport } from './turn-log/turn-log-import.ts'
import { redisTurnLog } from './turn-log/turn-log.ts'
import { redisTurnRecords } from './turn-records/turn-records.ts'
import { redisUnitImport } from './turn-records/unit-import.ts'

const KEEP_MS = 60_000
const open = cleanRedis()

sessionImportContract(
  'redis session import',
  async (context) => {
    const clock = manualClock()
    const options = { redis: await open(context, clock), clock, keepMs: KEEP_MS }
    return { imports: redisSessionImport(options), store: redisSessionStore(options), clock }
  },
  { expiresAfterMs: KEEP_MS },
)

accountImportContract('redis account import', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  return { imports: redisAccountImport({ redis }), budgets: redisBudgets({ redis }), clock }
})

adminImportContract('redis admin import', async (context) => {
  const redis = await open(context, manualClock())
  return { imports: redisAdminImport({ redis }), store: redisAdminStore({ redis }) }
})

turnLogImportContract('redis turn log import', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  const options = { redis, clock, telemetry: memoryTelemetry(), nodeId: 'node_1', keepMs: KEEP_MS, bounds: LOG_BOUNDS }
  const log = redisTurnLog(options)
  context.after(() => log[Symbol.dispose]())
  return { imports: redisTurnLogImport(options), log }
})

unitImportContract('redis unit import', async (context) => {
  const clock = manualClock()
  const options = { redis: await open(context, clock), clock, keepMs: KEEP_MS }
  return { imports: redisUnitImport(options), records: redisTurnRecords(options) }
})

test('every key of an adopted conversation expires', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  const imports = redisSessionImport({ redis, clock, keepMs: KEEP_MS })
  const adopted = { ...sampleSession({ principalId: 'user:a}b', inheritedFrom: 'guest_1' }), version: 1 }
  await imports.add(adopted, [sampleStoredTurn()])
  const keys = (await redis.command(undefined, 'KEYS', '*')) as string[]
  assert.equal(keys.length, 6)
  for (const key of keys) assert.ok(Number(await redis.command(key, 'PTTL', key)) > 0, key)
})
