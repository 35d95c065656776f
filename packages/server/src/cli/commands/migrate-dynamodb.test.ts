// `mangaassist migrate` where conversations, ledger and turn records are in DynamoDB and the rest in Redis.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ledgerTable } from '#adapters/aws/dynamodb/ledger/table.ts'
import { sessionsTable } from '#adapters/aws/dynamodb/session-store/table.ts'
import { turnRecordsTable } from '#adapters/aws/dynamodb/turn-records/table.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { openRedis } from '#adapters/redis/client/connection.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { makeTables } from '#fixtures/stores/clean-dynamo.ts'
import { startDynamo } from '#fixtures/stores/dynamo-server.ts'
import { fillFolder } from '#fixtures/stores/filled-folder.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'

const CALL_MS = 30_000

test('conversations, ledger and turn records are moved to DynamoDB where they are chosen, and only into empty tables', async (context) => {
  await using server = await startRedis()
  await using dynamo = await startDynamo()
  const folder = tempDir(context)
  await fillFolder({ path: folder })
  await makeTables(dynamo.url, 'shop', [sessionsTable, ledgerTable, turnRecordsTable])
  const parts = { clock: systemClock(), random: systemRandom(), telemetry: memoryTelemetry() }
  await using redis = await openRedis({ url: server.url, ...parts, callMs: CALL_MS, connectMs: CALL_MS })
  const env: Record<string, string> = {
    DATA_DIR: folder,
    MANGA_STATE__REDIS: server.url,
    MANGA_STORES__SESSIONS: 'dynamodb',
    MANGA_STORES__LEDGER: 'dynamodb',
    MANGA_STORES__TURNRECORDS: 'dynamodb',
    MANGA_RETENTION__TURNRECORDSMAX: '10',
    MANGA_DYNAMODB__ENDPOINT: dynamo.url,
    MANGA_DYNAMODB__TABLEPREFIX: 'shop',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  }
  const apply = async () => {
    const terminal = fakeTerminal(context, { env })
    return { code: await main(['migrate', '--apply'], terminal), ...terminal.printed }
  }

  const moved = await apply()
  assert.equal(moved.code, 0, `${moved.out}${moved.err}`)
  assert.match(moved.out, /^ {2}conversations +12 {2}to dynamodb$/m)
  assert.match(moved.out, /^ {2}ledger rows: 67 compared, all the same$/m)
  assert.match(moved.out, /^ {2}turn records: 33 compared, all the same$/m, 'a table is not bounded by number')
  assert.match(moved.out, /^ {2}records of refusals: 3 compared, all the same$/m)
  assert.match(moved.out, /^ {2}units of experiments: 1 compared, all the same$/m)
  assert.doesNotMatch(moved.out, /stays/)
  assert.deepEqual(await redis.command(undefined, 'KEYS', 'ma:{ledger*'), [])
  assert.deepEqual(await redis.command(undefined, 'KEYS', '*:sess:*'), [])
  assert.deepEqual(await redis.command(undefined, 'KEYS', '*:record'), [])

  // As if it had been killed before it was complete.
  await redis.command(undefined, 'HDEL', 'ma:{fleet}:migration', 'completeAt')
  assert.equal((await apply()).code, 0)

  // The tables of a cluster whose Redis was lost are not empty; each of them by itself is a reason to refuse.
  await redis.command(undefined, 'FLUSHDB')
  const again = await apply()
  assert.equal(again.code, 1)
  assert.match(again.err, /dynamodb has data of a shop already/)
  assert.equal(await redis.command(undefined, 'DBSIZE'), 0)
  for (const store of ['SESSIONS', 'LEDGER']) delete env[`MANGA_STORES__${store}`]
  assert.match((await apply()).err, /dynamodb has data of a shop already \(records of refusals\)/)
  assert.equal(await redis.command(undefined, 'DBSIZE'), 0)
})
