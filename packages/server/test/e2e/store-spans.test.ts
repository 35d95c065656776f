// The calls of stores in the trace of a turn, as a collector receives it: a cluster on real Redis, an emulated DynamoDB and a stand-in for
// OpenSearch, and one machine on its SQLite file.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startSearchEngine } from '@mangaassist/simulation/search-engine/start-search-engine'
import { systemClock } from '#adapters/system/clock.ts'
import { TEST_KEYS, TEST_REGION } from '#fixtures/stores/clean-dynamo.ts'
import { startDynamo } from '#fixtures/stores/dynamo-server.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { startReceiver } from '#fixtures/telemetry/otlp-receiver.ts'
import type { ReceivedSpan, Receiver } from '#fixtures/telemetry/otlp-receiver.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { inherited, postChat, startServer, temporaryFolder } from './server-process.ts'

const BIN = join(import.meta.dirname, '../../bin/mangaassist.js')
const QUESTION = '泣ける漫画を教えて'
const CLIENT = 3
/** Everything that the span of a call may say. */
const MAY_SAY = [
  'db.collection.name',
  'db.namespace',
  'db.operation.batch.size',
  'db.operation.name',
  'db.response.status_code',
  'db.stored_procedure.name',
  'db.system.name',
  'mangaassist.outcome',
  'mangaassist.request.id',
  'mangaassist.turn.id',
  'server.address',
  'server.port',
]

const exporting = ({ url }: Receiver) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  MANGA_TELEMETRY__TRACES__SHARE: '1',
})

interface AskedTurn {
  readonly turnId: string
  readonly sessionId: string
  readonly text: string
}

async function ask(address: string): Promise<AskedTurn> {
  const response = await postChat(address, { message: QUESTION })
  assert.equal(response.status, 200)
  return ((await response.json()) as { data: AskedTurn }).data
}

/** The names of the calls below the root of a turn and below each of its stages, each once; all calls as `spans`. */
function callsOf({ spans: all }: Receiver, { turnId }: AskedTurn) {
  const root = all.find(
    ({ attributes, name }) => name === 'POST /api/chat' && attributes['mangaassist.turn.id'] === turnId,
  )
  assert.ok(root !== undefined)
  // The calls of the admission were made before there was a turn.
  const ofTurn = all.filter(({ traceId }) => traceId === root.traceId)
  const isCall = ({ attributes }: ReceivedSpan) => attributes['db.system.name'] !== undefined
  const below = ({ spanId }: ReceivedSpan) => ofTurn.filter(({ parentSpanId }) => parentSpanId === spanId)
  const stages = Object.fromEntries(
    [root, ...below(root).filter((span) => !isCall(span))].map((parent) => [
      parent === root ? 'turn' : parent.name,
      [
        ...new Set(
          below(parent)
            .filter(isCall)
            .map(({ name }) => name),
        ),
      ],
    ]),
  )
  const spans = ofTurn.filter(isCall)
  assert.ok(spans.every(({ kind }) => kind === CLIENT))
  return { spans, stages }
}

function assertNothingPersonal(spans: readonly ReceivedSpan[], { sessionId, text }: AskedTurn): void {
  for (const { attributes, events, name } of spans) {
    const others = Object.keys(attributes).filter((attribute) => !MAY_SAY.includes(attribute))
    assert.deepEqual([name, others, events], [name, [], []])
    const said = JSON.stringify([name, ...Object.values(attributes)])
    for (const personal of [QUESTION, text, sessionId, 'guest_', 'acct_', 'sess_'])
      assert.ok(!said.includes(personal), said)
  }
}

const includes = (calls: readonly string[] | undefined, ...wanted: readonly string[]) =>
  assert.deepEqual(
    wanted.filter((name) => calls?.includes(name) !== true),
    [],
    `among ${calls?.join(', ')}`,
  )

test('on a cluster the calls of Redis, DynamoDB and OpenSearch are below the stages that made them', async () => {
  await using redis = await startRedis()
  await using dynamo = await startDynamo()
  await using engine = await startSearchEngine({ clock: systemClock() })
  await using receiver = await startReceiver()
  await using folder = await temporaryFolder()
  const env = {
    ...exporting(receiver),
    AWS_ACCESS_KEY_ID: TEST_KEYS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: TEST_KEYS.secretAccessKey,
    MANGA_STATE__REDIS: redis.url,
    MANGA_STATE__CALLMS: '10000',
    MANGA_STORES__SESSIONS: 'dynamodb',
    MANGA_STORES__LEDGER: 'dynamodb',
    MANGA_DYNAMODB__REGION: TEST_REGION,
    MANGA_DYNAMODB__ENDPOINT: dynamo.url,
    MANGA_DYNAMODB__TABLEPREFIX: 'shop',
    MANGA_DYNAMODB__CALLMS: '10000',
    MANGA_STORES__SEARCH: 'opensearch',
    MANGA_OPENSEARCH__NODE: engine.url,
    MANGA_OPENSEARCH__AUTH: 'none',
    MANGA_OPENSEARCH__CALLMS: '3000',
    MANGA_ANSWERS__FIRSTWORDMS: '10000',
  }
  // Not `spawnSync`: the stand-in is in this process.
  const options = { cwd: folder.path, env: { ...inherited(), DATA_DIR: folder.path, ...env } }
  await promisify(execFile)(process.execPath, [BIN, 'setup', '--apply'], options)
  await using server = await startServer({ dataDir: folder.path, env })
  await waitUntil('the search engine has the edition', async () => {
    const response = await fetch(`${server.address}/readyz`)
    return (await response.text()).includes('"edition":"current"')
  })
  const asked = await ask(server.address)
  server.child.kill('SIGTERM')
  await server.exited
  const { spans, stages } = callsOf(receiver, asked)
  includes(stages['admission'], 'EVALSHA admit', 'TransactWriteItems shop-sessions')
  includes(stages['context'], 'search mangaassist')
  assert.deepEqual(stages['routing'], [])
  includes(stages['turn'], 'EVALSHA narrow')
  includes(stages['invocation'], 'EVALSHA lane-permit')
  assert.deepEqual(stages['delivery'], ['EVALSHA turn-log.extend'])
  includes(stages['settlement'], 'EVALSHA settle', 'PutItem shop-ledger', 'TransactWriteItems shop-sessions')
  assertNothingPersonal(spans, asked)
  const about = (name: string) => {
    const span = spans.find((one) => one.name === name)
    return ['db.system.name', 'db.namespace', 'server.address', 'server.port'].map((field) => span?.attributes[field])
  }
  const portOf = (url: string) => Number(new URL(url).port)
  assert.deepEqual(about('EVALSHA admit'), ['redis', '0', '127.0.0.1', redis.port])
  assert.deepEqual(about('PutItem shop-ledger'), ['aws.dynamodb', undefined, '127.0.0.1', portOf(dynamo.url)])
  assert.deepEqual(about('search mangaassist'), ['opensearch', undefined, '127.0.0.1', portOf(engine.url)])
})

test('on one machine the commits of SQLite are below the stages that waited for them', async () => {
  await using receiver = await startReceiver()
  await using folder = await temporaryFolder()
  await using server = await startServer({ dataDir: folder.path, env: exporting(receiver) })
  const turns = await Promise.all([1, 2, 3].map(() => ask(server.address)))
  server.child.kill('SIGTERM')
  await server.exited
  for (const asked of turns) {
    const { spans, stages } = callsOf(receiver, asked)
    for (const stage of ['admission', 'turn', 'delivery', 'settlement'])
      assert.deepEqual(stages[stage], ['COMMIT mangaassist.sqlite'], stage)
    for (const stage of ['context', 'routing', 'invocation']) assert.deepEqual(stages[stage], [], stage)
    // The conversation, the budget and the ledger of a settlement are one commit.
    assert.ok(spans.some(({ attributes }) => Number(attributes['db.operation.batch.size']) >= 2))
    assertNothingPersonal(spans, asked)
  }
})
