// Two nodes on one real Redis that pauses: a repeated key is answered once, a conversation keeps its order, a failed lookup
// is MAINTENANCE, and an emptied Redis is noticed.
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createClient } from '@redis/client'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { createApp } from '#app/app.ts'
import type { Accepted, App } from '#app/app.ts'
import type { Config } from '#config/config.ts'
import type { ModelFacts } from '#domain/model/model-facts.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import type { Received } from '#turn/turn.ts'
import { configure } from '#wiring/configure.ts'
import { wireCluster } from '#wiring/profiles/cluster.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { lendIndex } from '#fixtures/stores/stored-index.ts'
import { answering, scriptedModel } from '#fixtures/models/scripted-model.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { PRICED } from '#fixtures/turns/turns.ts'
import { NO_SCOPE } from '#ports/telemetry/plain-scope.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'

const workspaceRoot = resolve(import.meta.dirname, '../../..')
const GUEST: Principal = { id: 'guest_1', kind: 'guest', tier: 'free' }
const FACTS: Omit<ModelFacts, 'price'> = {
  contextTokensMax: 200_000,
  outputTokensMax: 4096,
  trailingAssistant: true,
  temperature: true,
  tokenizer: 'claude',
}

async function startNode(context: TestContext, url: string) {
  const env = { DATA_DIR: tempDir(context), MANGA_STATE__REDIS: url, MANGA_STATE__CALLMS: '100' }
  const { config: base, readBook } = await configure({ env, workspaceRoot })
  const config = generous(base)
  const [clock, telemetry] = [systemClock(), memoryTelemetry()]
  const storeIndex = lendIndex(env.DATA_DIR)
  const wiring = await wireCluster(config, { clock, random: systemRandom(), telemetry, env, readBook })
  storeIndex()
  const model = { ...scriptedModel(clock, answering('はい', '。')), facts: { ...FACTS, price: PRICED } }
  const app = createApp({ ...wiring.ports, models: new Map([['embedded', model]]) }, config)
  app.start()
  context.after(async () => {
    await app.drain()
    await wiring[Symbol.asyncDispose]()
  })
  return { app, telemetry }
}

function generous(config: Config): Config {
  const free = { ...config.tiers['free'], requestsPerMinute: 100_000, rateFactor: 100 } as Config['tiers'][string]
  const { alone } = config.state
  return {
    ...config,
    tiers: { ...config.tiers, free },
    state: {
      ...config.state,
      alone: { ...alone, nodes: 1, outputTokensPerUser: 1_000_000, inputTokensPerUser: 1_000_000 },
    },
  }
}

async function setUp(context: TestContext) {
  const redis = await startRedis()
  const operator = await createClient({ url: redis.url }).connect()
  const nodes = [await startNode(context, redis.url), await startNode(context, redis.url)] as const
  context.after(async () => {
    operator.destroy()
    await redis[Symbol.asyncDispose]()
  })
  return { nodes, pause: (ms: number) => operator.sendCommand(['CLIENT', 'PAUSE', String(ms), 'ALL']), operator }
}

const received = (over: Partial<Received>): Received => ({
  principal: GUEST,
  requestId: 'req',
  route: 'stream',
  scope: NO_SCOPE,
  message: '質問',
  ...over,
})

/** Retries a read that finds Redis unavailable, as a client does. */
async function ended(app: App, turnId: string): Promise<void> {
  await waitUntil('the turn is read to its end', async () => {
    try {
      for await (const _ of await app.read(GUEST, { turnId, offset: 0 }, new AbortController().signal));
      return true
    } catch (error) {
      if (error instanceof StoreUnavailable) return false
      throw error
    }
  })
}

async function sentAgain(app: App, over: Parameters<typeof received>[0]): Promise<Accepted> {
  let accepted: Accepted | undefined
  await waitUntil('the repeat is answered', async () => {
    accepted = await app.chat(received(over)).catch((error: unknown) => {
      const isForNow = error instanceof StoreUnavailable || (error instanceof Refusal && error.code === 'MAINTENANCE')
      assert.ok(isForNow, String(error))
      return undefined
    })
    return accepted !== undefined
  })
  assert.ok(accepted)
  return accepted
}

test('a key sent again to another node while Redis is paused is answered once', async (context) => {
  const { nodes, pause } = await setUp(context)
  const [here, there] = nodes
  for (const [round, ms] of [60, 400, 3000].entries()) {
    const idempotencyKey = `key-${round}`
    await pause(ms)
    const first = await here.app.chat(received({ idempotencyKey, attempt: 1 }))
    // After three seconds a repeat is refused for now, and sent again.
    const again = await sentAgain(there.app, { idempotencyKey, attempt: 2 })
    assert.deepEqual([again.turnId, again.duplicate], [first.turnId, true])
    await ended(here.app, first.turnId)
    await pause(ms)
    const later = await sentAgain(there.app, { idempotencyKey })
    assert.equal(later.turnId, first.turnId, 'after its end, without a count')
  }
})

test('questions sent while Redis is paused are shown in their order', async (context) => {
  const { nodes, pause } = await setUp(context)
  const [{ app }, other] = nodes
  const asked = ['q1', 'q2', 'q3', 'q4', 'q5', 'q6', 'q7', 'q8']
  let sessionId: string | undefined
  for (const [number, message] of asked.entries()) {
    if (number === 2) await pause(4000)
    const session = sessionId === undefined ? {} : { sessionId }
    const accepted = await app.chat(received({ message, ...session }))
    sessionId = accepted.sessionId
    await ended(app, accepted.turnId)
  }
  const shown = async () => {
    const session = await other.app.session(GUEST, sessionId ?? '').catch(() => undefined)
    return session?.turns.map(({ question }) => question)
  }
  await waitUntil('all questions are shown', async () => (await shown())?.length === asked.length)
  assert.deepEqual(await shown(), asked)
})

test('a lookup that fails while Redis is paused is MAINTENANCE, not an internal error', async (context) => {
  const { nodes, pause } = await setUp(context)
  const [here, there] = nodes
  const { sessionId, turnId } = await here.app.chat(received({}))
  await ended(here.app, turnId)
  await pause(3000)
  const isUnavailable = (error: unknown) =>
    error instanceof StoreUnavailable || (error instanceof Refusal && error.code === 'MAINTENANCE')
  const signal = new AbortController().signal
  await assert.rejects(there.app.read(GUEST, { turnId, offset: 0 }, signal), isUnavailable)
  await assert.rejects(there.app.stop(GUEST, turnId), isUnavailable)
  await assert.rejects(there.app.session(GUEST, sessionId), isUnavailable)
})

test('an emptied Redis is logged', async (context) => {
  const { nodes, operator } = await setUp(context)
  await operator.sendCommand(['FLUSHALL'])
  const isLogged = () =>
    nodes.every(({ telemetry }) => telemetry.logged.some(({ event }) => event === 'alarm.redis-emptied'))
  await waitUntil('both nodes log the alarm', isLogged)
})
