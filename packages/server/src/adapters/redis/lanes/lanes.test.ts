// Runs the contract of lanes on a real Redis, as one node and as two nodes asked in turn, and checks expiry and slots of
// the keys.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lanesContract } from '#ports/lanes/contract.ts'
import type { Lanes } from '#ports/lanes/port.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { lossyRedis } from '#fixtures/stores/lossy-redis.ts'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import { asked, call, random, first, LANES_LEASE_MS, pass, testPolicies, trip } from '#fixtures/lanes/shared-lanes.ts'
import { twoLaneNodes } from '#fixtures/lanes/two-lane-nodes.ts'
import { memoryTelemetry } from '../../memory/telemetry.ts'
import type { Redis } from '../client/connection.ts'
import { redisLanes } from './lanes.ts'

const redisFor = cleanRedis()

type Wire = Pick<Redis, 'run' | 'command'>

function lanesOn(redis: Wire, clock: { now(): number }, nodeId = 'node_1'): Lanes {
  const telemetry = memoryTelemetry()
  return redisLanes({ redis, clock, random, telemetry, nodeId, policies: testPolicies, leaseMs: LANES_LEASE_MS })
}

lanesContract('redis lanes', async (context) => {
  const clock = manualClock()
  return { lanes: lanesOn(await redisFor(context, clock), clock), clock }
})

lanesContract('redis lanes of two nodes', async (context) => {
  const clock = manualClock()
  const redis = await redisFor(context, clock)
  return { lanes: twoLaneNodes(lanesOn(redis, clock), lanesOn(redis, clock, 'node_2')), clock }
})

test('redis lanes: every key expires, and all of a lane are on one slot', async (context) => {
  const clock = manualClock()
  const redis = await redisFor(context, clock)
  const lanes = lanesOn(redis, clock)
  await lanes.tick()
  await lanes.permit('main', first('a'))
  await lanes.permit('main', first('b'))
  await lanes.served('main', 'a', 60_000)
  await lanes.report('main', 'b', 'overload')
  const keys = ((await redis.command(undefined, 'KEYS', '*')) as string[]).sort()
  assert.deepEqual(
    keys.filter((key) => key.startsWith('{lane:main}:')),
    ['cells-2', 'held', 'leases', 'nodes', 'permits', 'state'].map((name) => `{lane:main}:${name}`),
  )
  for (const key of keys) assert.ok(Number(await redis.command(key, 'PTTL', key)) > 0, `${key} expires`)
})

test('redis lanes: a refusal and a read write nothing', async (context) => {
  const clock = manualClock()
  const redis = await redisFor(context, clock)
  const lanes = lanesOn(redis, clock)
  await trip(lanes, 'main', clock)
  for (const id of ['a', 'b', 'c']) await lanes.permit('narrow', first(id))
  const writes = async () =>
    /rdb_changes_since_last_save:\d+/.exec(String(await redis.command(undefined, 'INFO', 'persistence')))?.[0]
  const before = await writes()
  assert.deepEqual(
    [await asked(lanes, 'main', first('x')), await asked(lanes, 'narrow', first('x'))],
    ['open', 'saturated'],
  )
  await lanes.peek('main')
  assert.equal(await writes(), before)
})

test('redis lanes: a permit and its report are one script each', async (context) => {
  const clock = manualClock()
  const redis = await redisFor(context, clock)
  const ran: string[] = []
  const counted: Wire = {
    run: (script, keys, args) => (ran.push(script.name), redis.run(script, keys, args)),
    command: (key, ...args) => redis.command(key, ...args),
  }
  const lanes = lanesOn(counted, clock)
  await lanes.tick()
  ran.length = 0
  await call(lanes, 'main', 'success')
  assert.deepEqual(ran, ['lane-permit', 'lane-report'])
})

test('redis lanes: one node ticks a lane, and another does when that node is gone', async (context) => {
  const clock = manualClock()
  const redis = await redisFor(context, clock)
  const [one, two] = [lanesOn(redis, clock), lanesOn(redis, clock, 'node_2')]
  await pass(one, clock, 500)
  for (let failure = 0; failure < 3; failure += 1) await call(two, 'main', 'fault')
  await pass(two, clock, 500)
  assert.equal(two.seen('main').phase, 'closed', 'the tick is the first one’s')
  await pass(two, clock, 1500)
  assert.equal(two.seen('main').phase, 'open')
  await one.tick()
  assert.equal(one.seen('main').phase, 'open')
})

test('redis lanes: time does not go back when a server with a slower clock takes over', async (context) => {
  let now = NOON
  const redis = await redisFor(context, { ...manualClock(), now: () => now })
  const lanes = lanesOn(redis, { now: () => now })
  await lanes.tick()
  await lanes.permit('main', first('a'))
  now += LANES_LEASE_MS
  await lanes.tick()
  now -= 10_000
  assert.equal((await lanes.peek('main')).inFlight, 0)
  const answer = await lanes.permit('main', first('b'))
  assert.equal(answer.kind === 'permit' && answer.permit.takenAt, NOON + LANES_LEASE_MS)
})

test('redis lanes: a call that was executed although its reply was lost is not executed twice', async (context) => {
  const clock = manualClock()
  const redis = await redisFor(context, clock)
  let loses = ''
  const lanes = lanesOn(
    lossyRedis(redis, (name) => name === loses),
    clock,
  )
  const sure = lanesOn(redis, clock, 'node_2')
  await lanes.tick()
  loses = 'lane-permit'
  assert.equal(await asked(lanes, 'main', first('a')), 'permit')
  loses = ''
  await pass(lanes, clock, 500)
  assert.equal((await sure.peek('main')).inFlight, 1)
  loses = 'lane-report'
  await lanes.report('main', 'a', 'fault')
  loses = ''
  await pass(lanes, clock, 500)
  const { inFlight, recent } = await sure.peek('main')
  assert.deepEqual([inFlight, recent.failures], [0, 1])
})

test('redis lanes: a Redis that lost everything during probes restarts their stage, and ignores earlier probes', async (context) => {
  const clock = manualClock()
  const redis = await redisFor(context, clock)
  const lanes = lanesOn(redis, clock)
  await trip(lanes, 'main', clock)
  await pass(lanes, clock, 2500)
  assert.equal(await call(lanes, 'main', 'success'), 'probe')
  await pass(lanes, clock, 500)
  assert.equal(await asked(lanes, 'main', first('old')), 'probe')
  const { epoch } = lanes.seen('main')
  await redis.command(undefined, 'FLUSHALL')
  const said: string[] = []
  for (let index = 0; index < 4; index += 1) said.push(await asked(lanes, 'main', first(`new${index}`)))
  assert.deepEqual(said, ['probe', 'probe', 'probe', 'probing'])
  await lanes.report('main', 'old', 'fault')
  for (let index = 0; index < 3; index += 1) await lanes.report('main', `new${index}`, 'success')
  await pass(lanes, clock, 500)
  const view = lanes.seen('main')
  assert.deepEqual([view.phase, view.epoch, view.probes?.stage], ['half-open', epoch + 1, 2])
})

test('redis lanes: a node restores the last known state of a lane to an emptied Redis', async (context) => {
  const clock = manualClock()
  const redis = await redisFor(context, clock)
  const lanes = lanesOn(redis, clock)
  await lanes.operate('main', 'force-open', 'Aiko')
  await pass(lanes, clock, 500)
  await redis.command(undefined, 'FLUSHALL')
  assert.equal(await asked(lanes, 'main', first('a')), 'open')
  assert.equal((await lanes.peek('main')).operator?.by, 'Aiko')
})
