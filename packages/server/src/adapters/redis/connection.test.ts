// What the connection to Redis promises, against a real one: every call ends in time, scripts are known again after they
// were forgotten, and subscriptions outlive what happens to the connection.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startRedis } from '../../../test/fixtures/redis-server.ts'
import { memoryTelemetry } from '../memory/telemetry.ts'
import { systemChance } from '../system/chance.ts'
import { systemClock } from '../system/clock.ts'
import { openRedis, RedisUnavailable } from './connection.ts'
import type { OperableRedis, Redis } from './connection.ts'
import { script } from './script.ts'

/** Bounds a hang, and no more: a Redis that works may be slow on a busy machine. */
const PATIENT_MS = 30_000

async function connected(context: TestContext, url: string, callMs = PATIENT_MS): Promise<OperableRedis> {
  const redis = await openRedis({
    url,
    chance: systemChance(),
    clock: systemClock(),
    telemetry: memoryTelemetry(),
    callMs,
    connectMs: PATIENT_MS,
  })
  context.after(() => redis[Symbol.asyncDispose]())
  return redis
}

/** Publishes until it was heard: nobody says when a subscription is there again. */
async function heardAt(redis: Redis, channel: string, heard: readonly string[], message: string): Promise<void> {
  while (!heard.includes(message)) {
    await redis.command(channel, 'SPUBLISH', channel, message).catch(() => {})
    await sleep(20)
  }
}

test('redis: a call that is not answered in time says so, and the next one works again', async (context) => {
  await using server = await startRedis()
  const redis = await connected(context, server.url, 100)
  server.process.kill('SIGSTOP')
  assert.equal(redis.troubledAt(), 0)
  await assert.rejects(redis.command(undefined, 'PING'), RedisUnavailable)
  assert.ok(redis.troubledAt() > 0)
  server.process.kill('SIGCONT')
  while ((await redis.command(undefined, 'PING').catch(() => '')) !== 'PONG') await sleep(20)
})

/** Keeps the event loop from everything else for so long. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

test('redis: a process that is busy itself does not take a healthy Redis for late', async (context) => {
  await using server = await startRedis()
  const redis = await connected(context, server.url, 1000)
  const answers = Promise.all(Array.from({ length: 20 }, () => redis.command(undefined, 'PING')))
  block(1600)
  assert.deepEqual(new Set(await answers), new Set(['PONG']))
  assert.equal(redis.troubledAt(), 0)
})

test('redis: one that keeps not answering is not asked any more, but for a call now and then, and then by all again', async (context) => {
  await using server = await startRedis()
  const redis = await connected(context, server.url, 100)
  const ping = () => redis.command(undefined, 'PING').catch((error: unknown) => error)
  server.process.kill('SIGSTOP')
  const asked = async (): Promise<boolean> => {
    const error = await ping()
    assert.ok(error instanceof RedisUnavailable)
    return error.wasAsked
  }
  while (await asked());
  // What is urgent is sent all the same, and done as soon as Redis goes on.
  const mark = { ...script('test.mark', `return redis.call('SET', KEYS[1], ARGV[2])`), isUrgent: true } as const
  const urgent = await redis.run(mark, ['{mark}'], ['1']).catch((error: unknown) => error)
  assert.ok(urgent instanceof RedisUnavailable && urgent.wasAsked)
  server.process.kill('SIGCONT')
  while ((await ping()) !== 'PONG') await sleep(20)
  const all = () => Promise.all(Array.from({ length: 50 }, ping))
  while (!(await all()).every((answer) => answer === 'PONG')) await sleep(20)
  await redis.run(mark, ['{other}'], ['1'])
  assert.equal(await redis.command('{mark}', 'GET', '{mark}'), '1')
})

test('redis: a script that the server has forgotten is sent again', async (context) => {
  await using server = await startRedis()
  const redis = await connected(context, server.url)
  const add = script('test.add', `return redis.call('INCRBY', KEYS[1], ARGV[2])`)
  assert.equal(await redis.run(add, ['{a}'], [2]), 2)
  await redis.command(undefined, 'SCRIPT', 'FLUSH')
  assert.equal(await redis.run(add, ['{a}'], [3]), 5)
})

test('redis: a subscription is heard after its connection was cut, and whoever asked is told of the gap', async (context) => {
  await using server = await startRedis()
  const redis = await connected(context, server.url)
  const heard: string[] = []
  using subscription = redis.subscribe('{a}', (message) => heard.push(message))
  await subscription.ready
  const gap = Promise.withResolvers<void>()
  using _ = redis.onGap(gap.resolve)
  await redis.command(undefined, 'CLIENT', 'KILL', 'TYPE', 'pubsub')
  await gap.promise
  await redis.command('{a}', 'SPUBLISH', '{a}', 'after')
  await heardAt(redis, '{a}', heard, 'after')
})

test('redis: a subscription that was wished while Redis was away is made when it is back', async (context) => {
  const server = await startRedis()
  const redis = await connected(context, server.url, 100)
  await server[Symbol.asyncDispose]()
  const heard: string[] = []
  using subscription = redis.subscribe('{a}', (message) => heard.push(message))
  await assert.rejects(subscription.ready, RedisUnavailable)
  await using _ = await startRedis({ port: server.port })
  await heardAt(redis, '{a}', heard, 'at last')
})

test('redis: a subscription that was given up before it was made is not left behind', async (context) => {
  await using server = await startRedis()
  const redis = await connected(context, server.url, 100)
  server.process.kill('SIGSTOP')
  const subscription = redis.subscribe('{a}', () => {})
  await assert.rejects(subscription.ready, RedisUnavailable)
  subscription[Symbol.dispose]()
  server.process.kill('SIGCONT')
  const left = async () => String(await redis.command('{a}', 'PUBSUB', 'SHARDNUMSUB', '{a}').catch(() => 'away'))
  while ((await left()) !== '{a},0') await sleep(20)
})

test('redis: forced open nothing is asked, as though it were down, but what operators do gets through', async (context) => {
  await using server = await startRedis()
  const redis = await connected(context, server.url)
  const now = script('now', 'return 1')
  redis.lane.operate('force-open', 'aki')
  await assert.rejects(redis.command(undefined, 'PING'), (error) => {
    assert.ok(error instanceof RedisUnavailable)
    assert.deepEqual([error.wasAsked, error.isLate], [false, false])
    return true
  })
  await assert.rejects(redis.run(now, ['k'], []), RedisUnavailable)
  assert.ok(redis.troubledAt() > 0)
  assert.equal(await redis.runAlways(now, ['k'], []), 1)
  assert.deepEqual([redis.lane.view().phase, redis.lane.refusedCalls], ['open', 2])
  redis.lane.operate('reset', 'aki')
  assert.equal(await redis.command(undefined, 'PING'), 'PONG')
})
