// Every node notices, once, that Redis has lost data: all of it, or what was written last.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { memoryTelemetry } from '../../memory/telemetry.ts'
import { systemRandom } from '../../system/random.ts'
import { RedisUnavailable } from './connection.ts'
import type { OperableRedis } from './connection.ts'
import { watchForEmptied } from './emptied-watch.ts'

const open = cleanRedis()

async function setUp(context: TestContext) {
  const clock = manualClock()
  const redis = await open(context, clock)
  const state = { isUnavailable: false }
  let checks = 0
  const reconnects = new Set<() => void>()
  const on = (listener: () => void) => {
    reconnects.add(listener)
    return { [Symbol.dispose]: () => void reconnects.delete(listener) }
  }
  const run: OperableRedis['run'] = async (...call) => {
    if (state.isUnavailable) throw new RedisUnavailable('late')
    const answer = await redis.run(...call)
    checks += 1
    return answer
  }
  const node = async () => {
    const telemetry = memoryTelemetry()
    let repaired = 0
    const onEmptied = async () => void (repaired += 1)
    const line = { run, onGap: on, onReconnect: on }
    const watch = await watchForEmptied({ redis: line, clock, random: systemRandom(), telemetry, onEmptied })
    const alarms = () => telemetry.logged.filter(({ event }) => event === 'alarm.redis-emptied')
    return { alarms, repaired: () => repaired, watch }
  }
  const nodes = [await node(), await node()] as const
  /** Lets every node check once. */
  const check = async () => {
    const before = checks
    await clock.advance(5000)
    await waitUntil('both have checked', () => checks >= before + 2)
  }
  const reconnect = () => reconnects.forEach((tell) => tell())
  return { check, clock, nodes, reconnect, redis, state }
}

test('each node reports an emptied Redis once, restores what it can, and all have the same new epoch', async (context) => {
  const { check, clock, nodes, redis } = await setUp(context)
  const [first, second] = nodes
  const before = await first.watch.epoch()
  assert.equal(await second.watch.epoch(), before)
  await check()
  assert.deepEqual([first.alarms().length, second.alarms().length], [0, 0])
  await redis.command(undefined, 'FLUSHALL')
  await check()
  await waitUntil('both have noticed', () => first.alarms().length + second.alarms().length === 2)
  await check()
  assert.deepEqual([first.alarms().length, second.alarms().length], [1, 1])
  assert.equal(first.repaired(), 1)
  assert.notEqual(await first.watch.epoch(), before)
  assert.equal(await first.watch.epoch(), await second.watch.epoch())
  for (const { watch } of nodes) watch[Symbol.dispose]()
  assert.equal(clock.timers(), 0)
})

test('a Redis in an old state begins a new epoch, also for the node whose own number is not older', async (context) => {
  const { check, nodes, redis } = await setUp(context)
  const [first, second] = nodes
  const before = await first.watch.epoch()
  const keys = ((await redis.command(undefined, 'KEYS', 'ma:{fleet}:stamp:*')) as string[]).toSorted()
  const old = await redis.command(undefined, 'GET', keys[0] ?? '')
  await check()
  await check()
  // As the file of ten seconds ago has it, of one node.
  await redis.command(undefined, 'SET', keys[0] ?? '', String(old))
  await check()
  await check()
  await waitUntil('both have noticed', () => first.alarms().length + second.alarms().length === 2)
  assert.notEqual(await first.watch.epoch(), before)
  assert.equal(await first.watch.epoch(), await second.watch.epoch())
  assert.match(String(first.alarms()[0]?.fields['lost']), /old state/)
})

test('after a reconnect the epoch is not certain until Redis was asked, and an outage alone is not reported', async (context) => {
  const { nodes, reconnect, redis, state } = await setUp(context)
  const [{ alarms, watch }] = nodes
  const before = await watch.epoch()
  state.isUnavailable = true
  reconnect()
  await assert.rejects(watch.epoch(), RedisUnavailable)
  state.isUnavailable = false
  assert.equal(await watch.epoch(), before)
  assert.equal(alarms().length, 0)
  await redis.command(undefined, 'FLUSHALL')
  reconnect()
  assert.notEqual(await watch.epoch(), before)
  assert.equal(alarms().length, 1)
})
