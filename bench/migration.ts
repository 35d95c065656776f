// `npm run bench -- migration`: fills a folder with conversations and everything that their turns leave behind, moves it with
// `mangaassist migrate --apply` to a real Redis, or with DYNAMODB=1 its conversations, ledger and turn records to an emulated DynamoDB,
// and prints the time. The command compares every conversation, budget, row and record; a difference fails the benchmark.
// CONVERSATIONS (10000), DYNAMODB (0).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ledgerTable } from '../packages/server/src/adapters/aws/dynamodb/ledger/table.ts'
import { sessionsTable } from '../packages/server/src/adapters/aws/dynamodb/session-store/table.ts'
import { turnRecordsTable } from '../packages/server/src/adapters/aws/dynamodb/turn-records/table.ts'
import { makeTables } from '../packages/server/test/fixtures/stores/clean-dynamo.ts'
import { startDynamo } from '../packages/server/test/fixtures/stores/dynamo-server.ts'
import { fillFolder } from '../packages/server/test/fixtures/stores/filled-folder.ts'
import { startRedis } from '../packages/server/test/fixtures/stores/redis-server.ts'

const conversations = Number(process.env['CONVERSATIONS'] ?? 10_000)
const isDynamo = process.env['DYNAMODB'] === '1'
const bin = resolve(import.meta.dirname, '../packages/server/bin/mangaassist.js')
const PREFIX = 'bench'

const folder = await mkdtemp(join(tmpdir(), 'mangaassist-migration-'))
const redis = await startRedis()
const dynamo = isDynamo ? await startDynamo() : undefined
try {
  if (dynamo !== undefined) await makeTables(dynamo.url, PREFIX, [sessionsTable, ledgerTable, turnRecordsTable])
  const from = performance.now()
  await fillFolder({ path: join(folder, 'data'), conversations })
  console.log(`${conversations} conversations written in ${((performance.now() - from) / 1000).toFixed(1)} s`)
  const inDynamo = {
    MANGA_STORES__SESSIONS: 'dynamodb',
    MANGA_STORES__LEDGER: 'dynamodb',
    MANGA_STORES__TURNRECORDS: 'dynamodb',
    MANGA_DYNAMODB__ENDPOINT: dynamo?.url,
    MANGA_DYNAMODB__TABLEPREFIX: PREFIX,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  }
  const env = { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data'), MANGA_STATE__REDIS: redis.url }
  const child = spawn(process.execPath, [bin, 'migrate', '--apply'], {
    cwd: folder,
    env: { ...env, ...(isDynamo ? inDynamo : {}) },
    stdio: 'inherit',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  process.exitCode = code ?? 1
} finally {
  await redis[Symbol.asyncDispose]()
  await dynamo?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
}
