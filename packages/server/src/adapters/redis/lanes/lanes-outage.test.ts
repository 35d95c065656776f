// Lanes while Redis is unavailable: each node continues with its part, by the same controller; afterwards Redis knows what
// is in flight and what ended meanwhile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import {
  asked,
  call,
  random,
  first,
  LANES_LEASE_MS,
  pass,
  retry,
  testPolicies,
  trip,
} from '#fixtures/lanes/shared-lanes.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { memoryTelemetry } from '../../memory/telemetry.ts'
import { systemRandom } from '../../system/random.ts'
import { systemClock } from '../../system/clock.ts'
import { openRedis, RedisUnavailable } from '../client/connection.ts'
import type { Redis } from '../client/connection.ts'
import { redisLanes } from './lanes.ts'

const redisFor = cleanRedis()
const common = { random, policies: testPolicies, leaseMs: LANES_LEASE_MS }

/** Two nodes; the first can be cut off from Redis. */
async function nodes(context: TestContext) {
  const clock = manualClock()
  const redis = await redisFor(context, clock)
  let isUnavailable = false
  const orUnavailable = <Answer>(ask: () => Promise<Answer>) =>
    isUnavailable ? Promise.reject(new RedisUnavailable('the node is cut off')) : ask()
  const wire: Pick<Redis, 'run' | 'command'> = {
    run: (script, keys, args) => orUnavailable(() => redis.run(script, keys, args)),
    command: (key, ...args) => orUnavailable(() => redis.command(key, ...args)),
  }
  const telemetry = memoryTelemetry()
  const one = redisLanes({ ...common, redis: wire, clock, telemetry, nodeId: 'node_1' })
  const two = redisLanes({ ...common, redis, clock, telemetry: memoryTelemetry(), nodeId: 'node_2' })
  await one.tick()
  await two.tick()
  await one.tick()
  const cutOff = (is: boolean) => {
    isUnavailable = is
  }
  return { clock, one, two, redis, wire, telemetry, cutOff }
}

test('lanes: without Redis a node grants its part of the permits, and no retries', async (context) => {
  const { one, cutOff } = await nodes(context)
  cutOff(true)
  const said: string[] = []
  for (let index = 0; index < 5; index += 1) said.push(await asked(one, 'main', first(`a${index}`)))
  // Ten permits for two nodes, five for one, half of that at first.
  assert.deepEqual(said, ['permit', 'permit', 'permit', 'saturated', 'saturated'])
  await one.report('main', 'a0', 'success')
  assert.equal(await asked(one, 'main', retry('r')), 'no-retries')
  assert.deepEqual([one.seen('main').inFlight, (await one.peek('main')).limit], [2, 3])
})

test('lanes: a circuit opens and is probed without Redis too', async (context) => {
  const { one, clock, cutOff } = await nodes(context)
  cutOff(true)
  await trip(one, 'main', clock)
  assert.deepEqual([await call(one, 'main', 'success'), await call(one, 'other', 'success')], ['open', 'permit'])
  await pass(one, clock, 2500)
  assert.equal(await call(one, 'main', 'success'), 'probe')
})

test('lanes: after an outage Redis knows the calls in flight and the ended ones, and the node uses the shared lane', async (context) => {
  const { one, two, clock, telemetry, cutOff } = await nodes(context)
  for (const id of ['before', 'ended']) await one.permit('main', first(id))
  cutOff(true)
  await one.report('main', 'ended', 'fault')
  await one.permit('main', first('during'))
  await one.permit('main', first('done'))
  await one.report('main', 'done', 'success')
  await one.served('main', 'during', 60_000)
  cutOff(false)
  await pass(one, clock, 500)
  const { inFlight, recent, limit } = await two.peek('main')
  assert.deepEqual([inFlight, recent.failures, limit], [2, 1, null])
  assert.deepEqual(await one.peek('main'), await two.peek('main'))
  for (const id of ['before', 'during']) await one.report('main', id, 'success')
  assert.equal((await two.peek('main')).inFlight, 0)
  assert.deepEqual(
    telemetry.logged.filter(({ fields }) => fields['laneId'] === 'main').map(({ event }) => event),
    ['lane.standalone-began', 'lane.standalone-ended'],
  )
})

test('lanes: first text that arrived during an outage is reported afterwards, and the permit lasts as long as the answer', async (context) => {
  const { one, two, clock, cutOff } = await nodes(context)
  await one.permit('main', first('long'))
  cutOff(true)
  await one.tick()
  await one.served('main', 'long', 60_000)
  cutOff(false)
  await pass(one, clock, 500)
  assert.equal((await two.peek('main')).recent.calls, 1)
  await pass(one, clock, LANES_LEASE_MS)
  assert.equal((await two.peek('main')).inFlight, 1)
  await one.report('main', 'long', 'fault')
  assert.deepEqual([(await two.peek('main')).inFlight, (await two.peek('main')).recent.failures], [0, 1])
})

test('lanes: a Redis that comes back empty counts the calls in flight', async (context) => {
  const { one, two, clock, redis, cutOff } = await nodes(context)
  for (const id of ['a', 'b']) await one.permit('main', first(id))
  cutOff(true)
  await one.tick()
  await redis.command(undefined, 'FLUSHALL')
  cutOff(false)
  await pass(one, clock, 500)
  assert.equal((await two.peek('main')).inFlight, 2)
  for (const id of ['a', 'b']) await one.report('main', id, 'success')
  assert.equal((await two.peek('main')).inFlight, 0)
})

test('lanes: when Redis fails during probes a node probes by itself, and reports its earlier probe afterwards', async (context) => {
  const { one, two, clock, cutOff } = await nodes(context)
  await trip(one, 'main', clock)
  await pass(one, clock, 2500)
  assert.equal(await asked(one, 'main', first('probe')), 'probe')
  cutOff(true)
  await one.report('main', 'probe', 'success')
  assert.equal(await asked(one, 'main', first('own')), 'open')
  await pass(one, clock, 1000)
  assert.deepEqual(
    [await asked(one, 'main', first('own')), await asked(one, 'main', first('second'))],
    ['probe', 'probing'],
  )
  cutOff(false)
  await pass(one, clock, 1000)
  const { phase, probes, inFlight } = await two.peek('main')
  assert.deepEqual([phase, probes?.stage, inFlight], ['half-open', 1, 1])
  await one.report('main', 'own', 'fault')
  await pass(one, clock, 500)
  const after = await two.peek('main')
  assert.deepEqual([after.phase, after.probes?.stage, after.inFlight], ['half-open', 1, 0])
})

test('lanes: a node with a wrong clock uses the server’s time, also without Redis', async (context) => {
  const { one, clock, redis, wire, cutOff } = await nodes(context)
  const wrong = { now: () => clock.now() - 600_000 }
  const off = redisLanes({ ...common, redis: wire, clock: wrong, telemetry: memoryTelemetry(), nodeId: 'node_3' })
  const right = redisLanes({ ...common, redis, clock, telemetry: memoryTelemetry(), nodeId: 'node_4' })
  await trip(one, 'main', clock)
  await off.tick()
  assert.deepEqual(await off.permit('main', first('a')), await right.permit('main', first('a')))
  cutOff(true)
  await off.tick()
  const answer = await off.permit('main', first('b'))
  assert.deepEqual(answer, { kind: 'refused', why: 'open', retryAfterMs: 3000 })
  await clock.advance(3000)
  assert.equal(await asked(off, 'main', first('b')), 'probe')
})

test('lanes: an operator’s action fails while Redis is unavailable', async (context) => {
  const { one, cutOff } = await nodes(context)
  cutOff(true)
  await assert.rejects(one.operate('main', 'reset', 'Aiko'), RedisUnavailable)
})

/** Each call may be lost, and each reply may be lost. */
const anyStep = fc.record({
  kind: fc.constantFrom('permit', 'permit', 'permit', 'served', 'report', 'report', 'tick'),
  number: fc.nat(40),
  outcome: fc.constantFrom('success', 'overload', 'fault', 'neutral'),
  wire: fc.constantFrom('whole', 'whole', 'whole', 'unanswered', 'cut'),
  thenMs: fc.nat(100),
} as const)

test('lanes: whatever calls and replies were lost, nothing is in flight after all calls have ended', async (context) => {
  let clock = manualClock()
  const redis = await redisFor(context, { ...clock, now: () => clock.now() })
  const met = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 10, maxLength: 80 }), async (steps) => {
      clock = manualClock()
      await redis.command(undefined, 'FLUSHALL')
      let wire = 'whole'
      const orNot = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
        const answer = wire === 'cut' ? undefined : await ask()
        if (answer === undefined || wire === 'unanswered') throw new RedisUnavailable(wire)
        return answer
      }
      const telemetry = memoryTelemetry()
      const broken: Pick<Redis, 'run' | 'command'> = {
        run: (script, keys, args) => orNot(() => redis.run(script, keys, args)),
        command: (key, ...args) => orNot(() => redis.command(key, ...args)),
      }
      const lanes = redisLanes({ ...common, redis: broken, clock, telemetry, nodeId: 'node_1' })
      const sure = redisLanes({ ...common, redis, clock, telemetry: memoryTelemetry(), nodeId: 'node_2' })
      const held = new Set<string>()
      for (const { kind, number, outcome, thenMs, ...given } of steps) {
        const id = `permit_${number}`
        wire = given.wire
        if (kind === 'tick') await lanes.tick()
        if (kind === 'permit' && (await lanes.permit('main', first(id))).kind === 'permit') held.add(id)
        if (kind === 'served' && held.has(id)) await lanes.served('main', id, 30_000)
        if (kind === 'report' && held.delete(id)) await lanes.report('main', id, outcome)
        await clock.advance(thenMs)
      }
      for (const { name } of telemetry.counted) met.add(name)
      for (const id of held) await lanes.report('main', id, 'success')
      wire = 'whole'
      await pass(lanes, clock, 1000)
      assert.equal((await sure.peek('main')).inFlight, 0)
      assert.equal(lanes.seen('main').inFlight, 0)
    }),
    { numRuns: 60 },
  )
  assert.deepEqual(met, new Set(['lane_standalone_began_total', 'lane_standalone_ended_total']))
})

test('lanes: a paused real Redis costs one late reply, and is used again when it continues', async () => {
  await using server = await startRedis()
  const [clock, telemetry] = [systemClock(), memoryTelemetry()]
  await using redis = await openRedis({
    url: server.url,
    random: systemRandom(),
    clock,
    telemetry,
    // Longer than a working Redis needs on a busy machine, so exactly one reply is late.
    callMs: 1000,
    connectMs: 30_000,
  })
  const lanes = redisLanes({ ...common, redis, clock, telemetry, nodeId: 'node_1' })
  await lanes.tick()
  server.process.kill('SIGSTOP')
  assert.equal(await asked(lanes, 'main', first('a')), 'permit')
  assert.equal(await asked(lanes, 'main', first('b')), 'permit')
  assert.equal(telemetry.counted.filter(({ name }) => name === 'redis_call_timeout_total').length, 1)
  await lanes.report('main', 'a', 'success')
  server.process.kill('SIGCONT')
  await waitUntil('Redis is used again', async () => {
    await lanes.tick()
    return telemetry.counted.some(({ name }) => name === 'lane_standalone_ended_total')
  })
  await lanes.report('main', 'b', 'success')
  await waitUntil('no permit is held', async () => {
    await lanes.tick()
    return (await lanes.peek('main')).inFlight === 0
  })
})
