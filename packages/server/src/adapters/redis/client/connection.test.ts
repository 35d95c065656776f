// Tests the connection against a real Redis: every call ends in time, scripts are sent again after the server lost them,
// and subscriptions survive a reconnect.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { memoryTelemetry } from '../../memory/telemetry.ts'
import { systemRandom } from '../../system/random.ts'
import { asyncContext } from '../../system/async-context.ts'
import { systemClock } from '../../system/clock.ts'
import { openRedis, RedisUnavailable } from './connection.ts'
import type { OperableRedis, Redis } from './connection.ts'
import { script } from './script.ts'

/** Bounds only a hang: a working Redis may be slow on a busy machine. */
const PATIENT_MS = 30_000

async function connected(
  context: TestContext,
  url: string,
  callMs = PATIENT_MS,
  telemetry = memoryTelemetry(),
): Promise<OperableRedis> {
  const redis = await openRedis({
    url,
    random: systemRandom(),
    clock: systemClock(),
    telemetry,
    callMs,
    connectMs: PATIENT_MS,
  })
  context.after(() => redis[Symbol.asyncDispose]())
  return redis
}

/** Publishes until the message is received, because nothing reports when a subscription works again. */
async function receivedAt(redis: Redis, channel: string, received: readonly string[], message: string): Promise<void> {
  await waitUntil(`"${message}" is received`, async () => {
    await redis.command(channel, 'SPUBLISH', channel, message).catch(() => {})
    return received.includes(message)
  })
}

test('redis: a call that is not answered in time says so, and the next one works again', async (context) => {
  await using server = await startRedis()
  const redis = await connected(context, server.url, 100)
  server.process.kill('SIGSTOP')
  assert.equal(redis.troubledAt(), 0)
  await assert.rejects(redis.command(undefined, 'PING'), RedisUnavailable)
  assert.ok(redis.troubledAt() > 0)
  server.process.kill('SIGCONT')
  const ping = () => redis.command(undefined, 'PING').catch(() => '')
  await waitUntil('Redis answers again', async () => (await ping()) === 'PONG')
})

/** Blocks the event loop. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

test('redis: a busy process does not count a healthy Redis as late, in whichever phase of its loop it is busy', async (context) => {
  await using server = await startRedis()
  const redis = await connected(context, server.url, 400)
  const ping = () => redis.command(undefined, 'PING')
  const places: readonly ((busy: () => void) => unknown)[] = [
    (busy) => busy(),
    (busy) => setImmediate(busy),
    (busy) => setTimeout(busy, 1),
    (busy) => setTimeout(busy, 399),
    (busy) => void ping().then(busy),
  ]
  for (const place of places) {
    const answers = Array.from({ length: 100 }, ping)
    const blocked = Promise.withResolvers<void>()
    place(() => {
      block(1200)
      blocked.resolve()
    })
    await blocked.promise
    assert.deepEqual(new Set(await Promise.all([...answers, ping()])), new Set(['PONG']))
  }
  assert.equal(redis.troubledAt(), 0)
})

/** A proxy between a connection and Redis: forwards calls at once and replies only after `ms`, like a loaded Redis. */
async function answeringAfter(ms: number, port: number): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((socket) => {
    const redis = connect(port, '127.0.0.1')
    socket.pipe(redis)
    redis.on('data', (data) => void setTimeout(() => socket.write(data), ms))
    for (const end of [socket, redis])
      end.on('error', () => {}).on('close', () => [socket, redis].map((each) => each.destroy()))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

test('redis: concurrent calls wait until Redis has worked through them; a single call does not', async (context) => {
  await using server = await startRedis()
  await using slow = await answeringAfter(300, server.port)
  const redis = await connected(context, slow.url, 100)
  const all = await Promise.all(Array.from({ length: 1000 }, () => redis.command(undefined, 'PING')))
  assert.deepEqual(new Set(all), new Set(['PONG']))
  assert.equal(redis.troubledAt(), 0)
  await assert.rejects(redis.command(undefined, 'PING'), { name: 'RedisUnavailable', isLate: true })
})

test('redis: a hanging Redis fails every one of many concurrent calls', async (context) => {
  await using server = await startRedis()
  const redis = await connected(context, server.url, 100)
  server.process.kill('SIGSTOP')
  const calls = Array.from({ length: 1000 }, () => redis.command(undefined, 'PING'))
  for (const { status } of await Promise.allSettled(calls)) assert.equal(status, 'rejected')
  server.process.kill('SIGCONT')
})

test('redis: a Redis that does not answer gets only occasional calls, and all calls once it answers again', async (context) => {
  await using server = await startRedis()
  const redis = await connected(context, server.url, 100)
  const ping = () => redis.command(undefined, 'PING').catch((error: unknown) => error)
  server.process.kill('SIGSTOP')
  const asked = async (): Promise<boolean> => {
    const error = await ping()
    assert.ok(error instanceof RedisUnavailable)
    return error.mayHaveHappened
  }
  await waitUntil('Redis is no longer asked', async () => !(await asked()))
  // An urgent script is sent all the same, and runs when Redis continues.
  const mark = { ...script('test.mark', `return redis.call('SET', KEYS[1], ARGV[2])`), isUrgent: true } as const
  const urgent = await redis.run(mark, ['{mark}'], ['1']).catch((error: unknown) => error)
  assert.ok(urgent instanceof RedisUnavailable && urgent.mayHaveHappened)
  server.process.kill('SIGCONT')
  await waitUntil('Redis answers again', async () => (await ping()) === 'PONG')
  const all = () => Promise.all(Array.from({ length: 50 }, ping))
  await waitUntil('every call is sent', async () => (await all()).every((answer) => answer === 'PONG'))
  await redis.run(mark, ['{other}'], ['1'])
  assert.equal(await redis.command('{mark}', 'GET', '{mark}'), '1')
})

test('redis: a script that the server lost is sent again', async (context) => {
  await using server = await startRedis()
  const redis = await connected(context, server.url)
  const add = script('test.add', `return redis.call('INCRBY', KEYS[1], ARGV[2])`)
  assert.equal(await redis.run(add, ['{a}'], [2]), 2)
  await redis.command(undefined, 'SCRIPT', 'FLUSH')
  assert.equal(await redis.run(add, ['{a}'], [3]), 5)
})

test('redis: of many concurrent calls that find a script unknown, one sends its text', async (context) => {
  await using server = await startRedis()
  const redis = await connected(context, server.url)
  const add = script('test.add', `return redis.call('INCRBY', KEYS[1], ARGV[2])`)
  const sums = await Promise.all(Array.from({ length: 50 }, () => redis.run(add, ['{a}'], [1])))
  assert.deepEqual(new Set(sums), new Set(Array.from({ length: 50 }, (_, index) => index + 1)))
  assert.match(String(await redis.command(undefined, 'INFO', 'commandstats')), /cmdstat_eval:calls=1,/)
})

test('redis: a subscription works after its connection was cut, and its listeners are notified of the gap', async (context) => {
  await using server = await startRedis()
  const redis = await connected(context, server.url)
  const received: string[] = []
  using subscription = redis.subscribe('{a}', (message) => received.push(message))
  await subscription.ready
  const gap = Promise.withResolvers<void>()
  using _ = redis.onGap(gap.resolve)
  await redis.command(undefined, 'CLIENT', 'KILL', 'TYPE', 'pubsub')
  await gap.promise
  await redis.command('{a}', 'SPUBLISH', '{a}', 'after')
  await receivedAt(redis, '{a}', received, 'after')
})

test('redis: a subscription requested while Redis is unavailable is made afterwards', async (context) => {
  const server = await startRedis()
  const redis = await connected(context, server.url, 100)
  await server[Symbol.asyncDispose]()
  const received: string[] = []
  using subscription = redis.subscribe('{a}', (message) => received.push(message))
  await assert.rejects(subscription.ready, RedisUnavailable)
  await using _ = await startRedis({ port: server.port })
  await receivedAt(redis, '{a}', received, 'at last')
})

test('redis: a subscription that was cancelled before it was made does not remain', async (context) => {
  await using server = await startRedis()
  const redis = await connected(context, server.url, 100)
  server.process.kill('SIGSTOP')
  const subscription = redis.subscribe('{a}', () => {})
  await assert.rejects(subscription.ready, RedisUnavailable)
  subscription[Symbol.dispose]()
  server.process.kill('SIGCONT')
  const left = async () => String(await redis.command('{a}', 'PUBSUB', 'SHARDNUMSUB', '{a}').catch(() => 'unavailable'))
  await waitUntil('there are no subscribers', async () => (await left()) === '{a},0')
})

test('redis: with the circuit forced open only actions of operators are sent', async (context) => {
  await using server = await startRedis()
  const redis = await connected(context, server.url)
  const now = script('now', 'return 1')
  redis.lane.operate('force-open', 'aki')
  await assert.rejects(redis.command(undefined, 'PING'), (error) => {
    assert.ok(error instanceof RedisUnavailable)
    assert.deepEqual([error.mayHaveHappened, error.isLate], [false, false])
    return true
  })
  await assert.rejects(redis.run(now, ['k'], []), RedisUnavailable)
  assert.ok(redis.troubledAt() > 0)
  assert.equal(await redis.runAlways(now, ['k'], []), 1)
  assert.deepEqual([redis.lane.view().phase, redis.lane.refusedCalls], ['open', 2])
  redis.lane.operate('reset', 'aki')
  assert.equal(await redis.command(undefined, 'PING'), 'PONG')
})

test('redis: a call is a span of the stage that made it, with the name of its script and nothing of its keys', async (context) => {
  await using server = await startRedis()
  const telemetry = memoryTelemetry({ context: asyncContext })
  const redis = await connected(context, `${server.url}/3`, 400, telemetry)
  const stage = telemetry.scope({ door: 'ws', name: 'chat' }).span('admission')
  const mark = script('test.mark', `return redis.call('SET', KEYS[1], ARGV[2])`)
  await redis.command(undefined, 'PING')
  await stage.within(async () => {
    await redis.run(mark, ['{guest_1}'], ['a secret'])
    await assert.rejects(redis.command('{guest_1}', 'LPOP', '{guest_1}'), RedisUnavailable)
    server.process.kill('SIGSTOP')
    await assert.rejects(redis.command('{guest_1}', 'GET', '{guest_1}'), RedisUnavailable)
  })
  server.process.kill('SIGCONT')
  const about = { dbSystem: 'redis', dbNamespace: '3', serverAddress: `127.0.0.1:${server.port}` }
  assert.deepEqual(
    telemetry.spans.map(({ attributes: { requestId: _, turnId: __, ...said }, outcome }) => [outcome, said]),
    [
      ['completed', { ...about, dbOperation: 'EVALSHA', dbScript: 'test.mark' }],
      ['failed', { ...about, dbOperation: 'LPOP', dbStatus: 'WRONGTYPE', errorClass: 'WRONGTYPE' }],
      ['failed', { ...about, dbOperation: 'GET', errorClass: 'timeout' }],
    ],
  )
  assert.ok(telemetry.spans.every(({ parentSpanId }) => parentSpanId === stage.trace?.spanId))
})
