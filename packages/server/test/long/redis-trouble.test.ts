// Redis in every kind of trouble, under shoppers who do not stop asking, on two real nodes: while it lasts every request ends, spending
// stays bounded and the log has no flood; afterwards no turn is lost or doubled, and the books agree with the vendor. Where Redis loses
// data, conversations and ledger are in DynamoDB: no shopper gets a spent day again.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startSimulator } from '@mangaassist/simulation/vendor/start-simulator'
import { systemClock } from '#adapters/system/clock.ts'
import { ledgerTable } from '#adapters/aws/dynamodb/ledger/table.ts'
import { sessionsTable } from '#adapters/aws/dynamodb/session-store/table.ts'
import { makeTables, TEST_KEYS, TEST_REGION } from '#fixtures/stores/clean-dynamo.ts'
import { startDynamo } from '#fixtures/stores/dynamo-server.ts'
import { cuttableLine } from '#fixtures/stores/cuttable-line.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import type { RedisServer } from '#fixtures/stores/redis-server.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { temporaryFolder } from '../e2e/server-process.ts'
import { ALONE_MICRO_USD, callsBooked, DAY_MICRO_USD, startFleet, worstFlood } from './redis-fleet.ts'
import { Shopper } from './shopper.ts'

const SHOPPERS = 6
const TROUBLE_MS = 6000
/** Nothing that a shopper waits for takes longer, on a busy machine too. */
const END_MS = 90_000
/** A Redis that loses data loses running turns, too: a question may then be answered again. */
type Loses = 'nothing' | 'everything' | 'the newest'

interface Trouble {
  readonly name: string
  readonly loses: Loses
  /** Makes the trouble, lets it last, and ends it. */
  readonly happen: (redis: Troubled) => Promise<void>
}

const clock = systemClock()
const last = () => clock.sleep(TROUBLE_MS)

/** A Redis behind an address that can be moved, with its files in a folder that stays. */
class Troubled implements AsyncDisposable {
  readonly folder: string
  readonly line: Awaited<ReturnType<typeof cuttableLine>>
  server: RedisServer
  readonly #opened = new AsyncDisposableStack()

  private constructor(folder: string, server: RedisServer, line: Awaited<ReturnType<typeof cuttableLine>>) {
    this.folder = folder
    this.server = server
    this.line = this.#opened.use(line)
  }

  static async open(folder: string): Promise<Troubled> {
    const server = await startRedis({ args: ['--appendonly', 'yes', '--dir', folderIn(folder, 'first')] })
    return new Troubled(folder, server, await cuttableLine(server.url.replace('redis:', 'http:')))
  }

  get url(): string {
    return this.line.address.replace('http:', 'redis:')
  }

  cli(...args: readonly string[]): string {
    return execFileSync(process.env['REDIS_CLI'] ?? 'redis-cli', ['-p', String(this.server.port), ...args]).toString()
  }

  async kill(): Promise<void> {
    await this.server[Symbol.asyncDispose]()
  }

  async startIn(name: string, ...more: readonly string[]): Promise<void> {
    const args = ['--appendonly', 'yes', '--dir', folderIn(this.folder, name), ...more]
    this.server = await startRedis({ args, port: this.server.port })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync()
    await this.server[Symbol.asyncDispose]()
  }
}

function folderIn(folder: string, name: string): string {
  const path = join(folder, name)
  mkdirSync(path, { recursive: true })
  return path
}

const TROUBLES: readonly Trouble[] = [
  {
    name: 'paused',
    loses: 'nothing',
    async happen({ server }) {
      server.process.kill('SIGSTOP')
      await last()
      server.process.kill('SIGCONT')
    },
  },
  {
    name: 'killed, and started again with its data',
    loses: 'nothing',
    async happen(redis) {
      await redis.kill()
      await last()
      await redis.startIn('first')
    },
  },
  {
    name: 'slow',
    loses: 'nothing',
    async happen({ line }) {
      line.delay(400)
      await last()
      line.delay(0)
    },
  },
  {
    name: 'full',
    loses: 'nothing',
    async happen(redis) {
      redis.cli('CONFIG', 'SET', 'maxmemory', '1mb')
      await last()
      redis.cli('CONFIG', 'SET', 'maxmemory', '0')
    },
  },
  {
    name: 'read-only',
    loses: 'nothing',
    async happen(redis) {
      redis.cli('REPLICAOF', '127.0.0.1', '9')
      await last()
      redis.cli('REPLICAOF', 'NO', 'ONE')
    },
  },
  {
    name: 'with another password',
    loses: 'nothing',
    async happen(redis) {
      redis.cli('CONFIG', 'SET', 'requirepass', 'changed')
      redis.cli('-a', 'changed', 'CLIENT', 'KILL', 'TYPE', 'normal')
      await last()
      redis.cli('-a', 'changed', 'CONFIG', 'SET', 'requirepass', '')
    },
  },
  {
    name: 'failed over to a replica',
    loses: 'nothing',
    async happen(redis) {
      const replica = await startRedis({ args: ['--replicaof', '127.0.0.1', String(redis.server.port)] })
      const offset = (info: string) => /master_repl_offset:(\d+)/.exec(info)?.[1]
      await waitUntil('the replica has everything', () => redis.cli('INFO', 'replication').includes('state=online'))
      redis.line.cut()
      await waitUntil('the replica is level', () => {
        const args = ['-p', String(replica.port), 'INFO', 'replication']
        const info = execFileSync(process.env['REDIS_CLI'] ?? 'redis-cli', args).toString()
        return offset(info) === offset(redis.cli('INFO', 'replication'))
      })
      await redis.kill()
      redis.server = replica
      redis.cli('REPLICAOF', 'NO', 'ONE')
      await last()
      redis.line.lead(replica.url.replace('redis:', 'http:'))
      redis.line.mend()
    },
  },
  {
    name: 'restored from an old snapshot',
    loses: 'the newest',
    async happen(redis) {
      redis.cli('SAVE')
      const [, folder = ''] = redis.cli('CONFIG', 'GET', 'dir').trim().split('\n')
      const old = folderIn(redis.folder, 'old')
      cpSync(join(folder, 'dump.rdb'), join(old, 'dump.rdb'))
      await last()
      await redis.kill()
      const args = ['--dir', old, '--dbfilename', 'dump.rdb']
      redis.server = await startRedis({ args, port: redis.server.port })
      rmSync(join(redis.folder, 'first'), { recursive: true, force: true })
    },
  },
  {
    name: 'restarted empty',
    loses: 'everything',
    async happen(redis) {
      await redis.kill()
      await last()
      await redis.startIn('empty')
    },
  },
]

/** An emulated DynamoDB with the tables of conversations and ledger. */
async function startDurable() {
  const dynamo = await startDynamo()
  await makeTables(dynamo.url, 'troubles', [sessionsTable, ledgerTable])
  const settings = {
    AWS_ACCESS_KEY_ID: TEST_KEYS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: TEST_KEYS.secretAccessKey,
    MANGA_STORES__SESSIONS: 'dynamodb',
    MANGA_STORES__LEDGER: 'dynamodb',
    MANGA_DYNAMODB__REGION: TEST_REGION,
    MANGA_DYNAMODB__ENDPOINT: dynamo.url,
    MANGA_DYNAMODB__TABLEPREFIX: 'troubles',
    MANGA_DYNAMODB__CALLMS: '2000',
  }
  return { settings, [Symbol.asyncDispose]: () => dynamo[Symbol.asyncDispose]() }
}

for (const { happen, loses, name } of TROUBLES) {
  test(`a Redis that is ${name}`, { timeout: 600_000 }, async (context) => {
    await using folder = await temporaryFolder()
    await using redis = await Troubled.open(folder.path)
    await using vendor = await startSimulator({ clock, pace: { firstTokenMs: 100, tokensPerSecond: 60 } })
    await using durable = loses === 'nothing' ? undefined : await startDurable()
    await using fleet = await startFleet(redis.url, vendor.url, durable?.settings)
    const addresses = fleet.nodes.map(({ address }) => address)
    const shoppers = Array.from(
      { length: SHOPPERS },
      (_, index) => new Shopper({ addresses, clock, name: `s${index}` }),
    )
    const shopping = shoppers.map((shopper) => shopper.shop())
    await waitUntil('every shopper has an answer', () => shoppers.every(({ answered }) => answered > 0))
    await happen(redis)
    const before = shoppers.map(({ answered }) => answered)
    await waitUntil(
      'every shopper is served again',
      () => shoppers.every((shopper, index) => shopper.answered > (before[index] ?? 0) || shopper.isOutOfBudget),
      END_MS,
    )
    for (const shopper of shoppers) shopper.stop()
    await Promise.all(shopping)
    const longest = Math.max(...shoppers.map(({ longestMs }) => longestMs))
    assert.ok(longest < END_MS, `a question took ${longest} ms`)
    const flood = worstFlood(fleet)
    assert.ok(flood.lines <= 2, `${flood.lines} lines of ${flood.event} in a second`)
    // The day, one allowance a node, and one turn in flight, which may be the last of either.
    const costMax = DAY_MICRO_USD + 2 * ALONE_MICRO_USD
    for (const shopper of shoppers) assert.ok(shopper.costMicroUsd <= costMax * 1.2, `spent ${shopper.costMicroUsd}`)
    if (loses === 'nothing') for (const shopper of shoppers) await shopper.compare()
    await waitUntil('no call runs', () => vendor.attempts().every(({ outcome }) => outcome !== 'running'), END_MS)
    const turns = vendor.attempts().length
    await waitUntil('the ledger has one row for every call', async () => (await callsBooked(fleet)) === turns, END_MS)
    const answers = shoppers.reduce((sum, { answered }) => sum + answered, 0)
    context.diagnostic(
      `${answers} answers, ${turns} calls, longest ${longest} ms, at most ${flood.lines} line(s) a second`,
    )
  })
}
