// The keys of a cluster: how its nodes come to share them, and that file and environment can both configure a cluster.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { NOTHING_LEARNT } from '#domain/estimator/calibration.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { lendIndex } from '#fixtures/stores/stored-index.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { configure } from '../configure.ts'
import { wireCluster } from './cluster.ts'

const key = (byte: number) => Buffer.alloc(32, byte)

async function wire(context: TestContext, more: Readonly<Record<string, string>>, dataDir = tempDir(context)) {
  const env = { DATA_DIR: dataDir, MANGA_STATE__CALLMS: '10000', ...more }
  const { config, readBook } = await configure({ env, workspaceRoot: dataDir })
  const telemetry = memoryTelemetry()
  const system = { clock: systemClock(), random: systemRandom(), telemetry }
  const storeIndex = lendIndex(dataDir)
  const wiring = await wireCluster(config, { ...system, env, readBook })
  storeIndex()
  return { wiring, dataDir, warned: () => telemetry.logged.map(({ event }) => event), cookieKeys: wiring.cookieKeys }
}

test('without a key in the environment every node signs with the first node’s key, and a warning is logged', async (context) => {
  await using redis = await startRedis()
  const env = { MANGA_STATE__REDIS: redis.url }
  const first = await wire(context, env)
  const second = await wire(context, env)
  assert.equal(first.cookieKeys.length, 1)
  assert.deepEqual(second.cookieKeys[0], first.cookieKeys[0])
  assert.equal(second.cookieKeys.length, 2, 'its own key still verifies')
  assert.ok(second.warned().includes('cluster.cookie-key-shared'))
  await first.wiring[Symbol.asyncDispose]()
  const restarted = await wire(context, env, first.dataDir)
  assert.deepEqual(restarted.cookieKeys, first.cookieKeys)
  for (const { wiring } of [second, restarted]) await wiring[Symbol.asyncDispose]()
})

test('with keys in the environment no other keys are used, and none is shared through Redis', async (context) => {
  await using redis = await startRedis()
  const MANGA_COOKIE_KEY = [key(1), key(2)].map((bytes) => bytes.toString('base64url')).join(',')
  const node = await wire(context, { MANGA_STATE__REDIS: redis.url, MANGA_COOKIE_KEY })
  assert.deepEqual(node.cookieKeys, [key(1), key(2)])
  assert.ok(!node.warned().includes('cluster.cookie-key-shared'))
  await node.wiring[Symbol.asyncDispose]()
})

test('a port that is configured for a store of the node uses that store, and not Redis', async (context) => {
  await using redis = await startRedis()
  const own = { MANGA_STATE__REDIS: redis.url, MANGA_STORES__ESTIMATORS: 'sqlite' }
  const learn = async (env: Readonly<Record<string, string>>) => {
    const { wiring } = await wire(context, env)
    await wiring.ports.estimators.merge('model', NOTHING_LEARNT)
    return wiring
  }
  await using first = await learn(own)
  await using second = (await wire(context, own)).wiring
  assert.notEqual(await first.ports.estimators.load('model'), undefined)
  assert.equal(await second.ports.estimators.load('model'), undefined)
  await using shared = await learn({ MANGA_STATE__REDIS: redis.url })
  await using fourth = (await wire(context, { MANGA_STATE__REDIS: redis.url })).wiring
  assert.deepEqual(await fourth.ports.estimators.load('model'), await shared.ports.estimators.load('model'))
})
