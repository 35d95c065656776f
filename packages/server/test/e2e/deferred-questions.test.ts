// A deferred question survives the process that promised the answer: on one machine it is answered after a restart, in a
// cluster by one of the remaining nodes, once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '../../src/adapters/memory/telemetry.ts'
import { openRedis } from '#adapters/redis/client/connection.ts'
import { redisDeferredStore } from '#adapters/redis/deferred-store/deferred-store.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { defaults } from '#config/config.ts'
import { startSimulator } from '@mangaassist/simulation/vendor/start-simulator'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { cookieOf, postChat, startServer, temporaryFolder } from './server-process.ts'

// Nothing that catalogue or FAQ could answer: without a model only the lowest tiers answer.
const QUESTION = 'カレーの作り方を教えて'
const ANSWER = '重厚な物語と緻密な絵が魅力です。'

/** A healthy Redis may be slow on a busy machine. */
const CALL_MS = 10_000

/** A lane that was throttled pauses, and a question whose node died waits for its lease: a busy machine makes both longer. */
const ANSWERED_MS_MAX = 180_000
const TIMEOUT_MS = 300_000

const settings = (vendorUrl: string) => ({
  MANGA_MODELS__PRIMARY__PROVIDER: 'openai-compatible',
  MANGA_MODELS__PRIMARY__ID: 'primary-1',
  MANGA_MODELS__PRIMARY__BASEURL: `${vendorUrl}/v1`,
  MANGA_MODELS__PRIMARY__PRICE: '1,2',
  MANGA_LADDER: 'primary',
  MANGA_PROBE__EVERYMS: '0',
  MANGA_DEFERRED__EVERYMS: '200',
  MANGA_STATE__CALLMS: String(CALL_MS),
})

interface Kept {
  readonly data: { readonly turns: readonly { readonly finishReason: string; readonly answer: string }[] }
}

/** Asks while the model is throttled: the answer is promised. */
async function promised(address: string) {
  const response = await postChat(address, { message: QUESTION })
  const { data } = (await response.json()) as { data: { sessionId: string; finishReason: string } }
  assert.equal(data.finishReason, 'deferred')
  return { sessionId: data.sessionId, cookie: cookieOf(response) }
}

/** Reads the conversation until it has this many turns. */
async function turnsOf(address: string, { sessionId, cookie }: Awaited<ReturnType<typeof promised>>, count: number) {
  let turns: Kept['data']['turns'] = []
  await waitUntil(
    `${count} turns of the session`,
    async () => {
      const response = await fetch(`${address}/api/sessions/${sessionId}`, { headers: { cookie } })
      turns = ((await response.json()) as Kept).data.turns
      return turns.length >= count
    },
    ANSWERED_MS_MAX,
  )
  return turns.map(({ finishReason, answer }) => [finishReason, answer === ANSWER])
}

async function deferredStore(url: string) {
  const system = { clock: systemClock(), random: systemRandom(), telemetry: memoryTelemetry() }
  const redis = await openRedis({ url, ...system, callMs: CALL_MS, connectMs: CALL_MS })
  const { count } = redisDeferredStore({ redis, limits: defaults.deferred })
  return { count, [Symbol.asyncDispose]: () => redis[Symbol.asyncDispose]() }
}

const ANSWERED = [
  ['deferred', false],
  ['stop', true],
]

test('a deferred question of a killed server is answered after its restart', { timeout: TIMEOUT_MS }, async () => {
  await using vendor = await startSimulator({ clock: systemClock(), identicalText: ANSWER })
  await using folder = await temporaryFolder()
  const options = { dataDir: folder.path, env: settings(vendor.url) }
  vendor.faults({ fault: 'error', error: 'throttled' })
  await using first = await startServer(options)
  const asked = await promised(first.address)
  await first.kill()
  vendor.heal()
  await using second = await startServer(options)
  assert.deepEqual(await turnsOf(second.address, asked, 2), ANSWERED)
})

test(
  'a deferred question of a killed node is answered once by the remaining nodes',
  { timeout: TIMEOUT_MS },
  async () => {
    await using vendor = await startSimulator({ clock: systemClock(), identicalText: ANSWER })
    await using redis = await startRedis()
    await using opened = new AsyncDisposableStack()
    const start = async () => {
      const folder = opened.use(await temporaryFolder())
      const env = { ...settings(vendor.url), MANGA_STATE__REDIS: redis.url }
      return opened.use(await startServer({ dataDir: folder.path, env }))
    }
    const [doomed, tokyo, osaka] = await Promise.all([start(), start(), start()])
    vendor.faults({ fault: 'error', error: 'throttled' })
    const asked = await promised(doomed.address)
    await doomed.kill()
    vendor.heal()
    assert.deepEqual(await turnsOf(tokyo.address, asked, 2), ANSWERED)
    // After it is removed it cannot be asked again, and until then it was asked once.
    await using store = await deferredStore(redis.url)
    await waitUntil('the question is forgotten', async () => (await store.count()) === 0)
    const answers = vendor.attempts().filter(({ outcome }) => outcome === 'answered')
    assert.equal(answers.filter(({ body }) => JSON.stringify(body).includes(QUESTION)).length, 1)
    assert.deepEqual(await turnsOf(osaka.address, asked, 2), ANSWERED)
  },
)
