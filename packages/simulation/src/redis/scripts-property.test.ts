// Random sequences of the production scripts, sent to the in-memory Redis and then to a real one: the turn log with its
// lease index and session turns through their adapter, and each script directly. Both must give the same answers and
// messages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '@mangaassist/server/adapters/memory/telemetry'
import { memoryTurnLog } from '@mangaassist/server/adapters/memory/turn-log'
import type { Redis } from '@mangaassist/server/adapters/redis/client/connection'
import { LANE_SCRIPTS } from '@mangaassist/server/adapters/redis/lanes/scripts'
import {
  ATTEND,
  EXTEND,
  FORGET,
  IS_STOP_REQUESTED,
  LEASE_OF,
  LEAVE,
  OPEN,
  READ,
  RENEW,
  REWRITE,
  START,
  STOP,
  TAKE_OVER,
} from '@mangaassist/server/adapters/redis/turn-log/scripts'
import { redisTurnLog } from '@mangaassist/server/adapters/redis/turn-log/turn-log'
import { cleanRedis } from '@mangaassist/server/fixtures/stores/clean-redis'
import { manualClock } from '@mangaassist/server/fixtures/time/manual-clock'
import type { ManualClock } from '@mangaassist/server/fixtures/time/manual-clock'
import { runAgainst, turnLogCommands } from '@mangaassist/server/fixtures/turns/turn-log-commands'
import { twoNodes } from '@mangaassist/server/fixtures/stores/two-nodes'
import { differencesOn, recordedRedis } from '@mangaassist/simulation/fixtures/recorded-redis'
import type { RecordedRedis } from '@mangaassist/simulation/fixtures/recorded-redis'
import fc from 'fast-check'
import { MemoryRedis } from './memory-redis.ts'

const RUNS = 60
const BOUNDS = { recordsMax: 8, bytesMax: 4096 }
const UNBOUNDED = { recordsMax: Infinity, bytesMax: Infinity }
const KEEP_MS = 3_600_000

const redisFor = cleanRedis()

/** One real connection for all runs, each with its own clock and empty stores. */
async function opened(context: Parameters<typeof redisFor>[0]) {
  let now = 0
  const real = await redisFor(context, { ...manualClock(), now: () => now })
  return {
    real,
    empty(): { readonly clock: ManualClock; readonly memory: MemoryRedis; readonly redis: RecordedRedis } {
      const clock = manualClock()
      const memory = new MemoryRedis(clock)
      return { clock, memory, redis: recordedRedis(memory, clock) }
    },
    differences: ({ calls }: RecordedRedis) =>
      differencesOn(real, calls, (at) => {
        now = at
      }),
  }
}

test('the turn log, its lease index and the session turns get the same answers from both', async (context) => {
  const { differences, empty } = await opened(context)
  const asked = new Set<string>()
  await fc.assert(
    fc.asyncProperty(turnLogCommands(BOUNDS), async (commands) => {
      const { clock, redis } = empty()
      const parts = { redis, clock, telemetry: memoryTelemetry(), keepMs: KEEP_MS, bounds: BOUNDS }
      using one = redisTurnLog({ ...parts, nodeId: 'node_1' })
      using two = redisTurnLog({ ...parts, nodeId: 'node_2' })
      const model = memoryTurnLog({ clock, bounds: UNBOUNDED })
      await runAgainst({ model, real: twoNodes(one, two), clock, bounds: BOUNDS }, commands)
      for (const { name } of redis.calls) asked.add(name)
      assert.deepEqual(await differences(redis), [])
    }),
    { numRuns: RUNS },
  )
  const needed = [
    'lease-index.add',
    'lease-index.lapsed',
    'lease-index.end',
    'session-turns.announce',
    'ZRANGE',
    'ZREM',
  ]
  assert.deepEqual(
    needed.filter((name) => !asked.has(name)),
    [],
  )
})

const TURN = ['{t}', '{t}:log', '{t}:readers']
const LIVE = '{t}:live'
const STOPS = '{t}:stop'
const record = fc.constantFrom('{"a":1}', '"本を読む😀"', '"x"')
const records = fc.array(record, { maxLength: 3 })
const epoch = fc.integer({ min: 1, max: 3 })
const flag = fc.constantFrom(0, 0, 0, 1)
const operation = fc.constantFrom('one', 'two')
const LEASE_MS = 2000
const turnStep = fc.oneof(
  fc.tuple(fc.constant(OPEN), fc.tuple(fc.constant(LEASE_MS), operation, record)),
  fc.tuple(
    fc.constant(EXTEND),
    fc
      .tuple(epoch, fc.nat(5), flag, records)
      .map(([at, first, end, listed]) => [at, first, end, LIVE, STOPS, ...listed]),
  ),
  fc.tuple(
    fc.constant(REWRITE),
    fc
      .tuple(epoch, fc.integer({ min: 1, max: 4 }), flag, fc.constantFrom('', LEASE_MS), flag, record, records)
      .map(([at, base, end, lease, stop, start, rest]) => [at, base, end, LIVE, STOPS, lease, stop, start, ...rest]),
  ),
  fc.tuple(fc.constant(READ), fc.tuple(fc.integer({ min: -1, max: 6 }))),
  fc.tuple(fc.constant(START), fc.constant([])),
  fc.tuple(fc.constant(RENEW), fc.tuple(epoch, fc.constant(LEASE_MS), flag)),
  fc.tuple(fc.constant(TAKE_OVER), fc.tuple(fc.constant(LEASE_MS), operation)),
  fc.tuple(fc.constant(ATTEND), fc.tuple(fc.constantFrom('node_1', 'node_2'), fc.constantFrom(500, 3000))),
  fc.tuple(fc.constant(LEAVE), fc.tuple(fc.constantFrom('node_1', 'node_2'))),
  fc.tuple(fc.constant(STOP), fc.constant([STOPS])),
  fc.tuple(fc.constant(IS_STOP_REQUESTED), fc.constant([])),
  fc.tuple(fc.constant(LEASE_OF), fc.constant([])),
  fc.tuple(fc.constant(FORGET), fc.tuple(fc.constantFrom<string | number>('', 1), operation)),
)

test('every turn log script answers and publishes the same on both, for any arguments', async (context) => {
  const { differences, empty, real } = await opened(context)
  const answers = new Set<string>()
  const steps = fc.array(fc.tuple(turnStep, fc.nat(1500)), { maxLength: 40, size: 'max' })
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const { clock, memory, redis } = empty()
      const received = await listening(real, memory, [LIVE, STOPS])
      for (const [[asked, args], ms] of history) {
        await clock.advance(ms)
        const keys = asked === FORGET ? [...TURN, '{t}:forgotten'] : TURN
        const answer = await redis.run(asked, keys, [KEEP_MS, ...args])
        answers.add(`${asked.name} ${JSON.stringify(answer)}`)
      }
      assert.deepEqual(await differences(redis), [])
      const { ofMemory, ofReal } = await received()
      assert.deepEqual(ofMemory, ofReal)
    }),
    { numRuns: RUNS },
  )
  assert.ok([...answers].some((answer) => answer.startsWith('turn-log.extend ["fenced"')))
})

/**
 * Subscribes on both from now on. The returned function waits for the real Redis until the last message of each
 * channel.
 */
async function listening(real: Redis, memory: MemoryRedis, channels: readonly string[]) {
  const ofReal = new Map<string, string[]>(channels.map((channel) => [channel, []]))
  const ofMemory = new Map<string, string[]>(channels.map((channel) => [channel, []]))
  const over = channels.map((channel) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    memory.subscribe(channel, { receive: (message) => void ofMemory.get(channel)?.push(message) })
    const subscription = real.subscribe(channel, (message) => {
      if (message === 'over') resolve()
      else ofReal.get(channel)?.push(message)
    })
    return { channel, promise, subscription }
  })
  await Promise.all(over.map(({ subscription }) => subscription.ready))
  return async () => {
    for (const { channel } of over) await real.command(channel, 'SPUBLISH', channel, 'over')
    await Promise.all(over.map(({ promise }) => promise))
    for (const { subscription } of over) subscription[Symbol.dispose]()
    return { ofReal, ofMemory }
  }
}

const LANE = ['state', 'permits', 'leases', 'held', 'cells', 'nodes'].map((name) => `{lane:x}:${name}`)
const permitId = fc.nat(7).map((number) => `permit_${number}`)
const leaseMs = fc.constantFrom(300, 4000)
const figure = (...figures: readonly number[]) => fc.constantFrom<string | number>('', ...figures)
const laneStep = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(
      fc.constant('permit' as const),
      fc.tuple(permitId, fc.constantFrom('first', 'first', 'retry'), fc.constantFrom(1, 2.5), leaseMs),
    ),
  },
  { weight: 3, arbitrary: fc.tuple(fc.constant('served' as const), fc.tuple(permitId, leaseMs)) },
  {
    weight: 4,
    arbitrary: fc.tuple(
      fc.constant('report' as const),
      fc.tuple(
        permitId,
        fc.constantFrom('success', 'overload', 'silent', 'fault', 'neutral'),
        fc.constantFrom(0, 1500),
      ),
    ),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constant('shed' as const), fc.constant([])) },
  {
    weight: 4,
    arbitrary: fc.tuple(
      fc.constant('read' as const),
      fc.tuple(fc.constantFrom('', 'node_1', 'node_2'), fc.constant(1500), fc.constant(4000)),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.constant('adopt' as const),
      fc.tuple(permitId, leaseMs, fc.constantFrom(0, 1), fc.constantFrom<string | number>('', 1, 2)),
    ),
  },
)
/** Arguments of the publish script after the version; `notBefore` of the first probe counts from the start. */
const gate = fc
  .tuple(
    fc.constantFrom('free', 'free', 'free', 'probing', 'probing', 'shut'),
    fc.integer({ min: 1, max: 3 }),
    fc.constantFrom(3, 8.5),
    figure(2, 5),
    figure(1, 4),
    figure(1, 3),
    fc.constantFrom(0, 300, 2000),
    fc.constantFrom(1, 2),
    figure(1, 3),
    figure(1, 3),
    fc.constantFrom(2, 12),
    fc.constantFrom(0, 0.75),
  )

  .map(
    ([
      kind,
      at,
      bucketMax,
      limit,
      inFlightMax,
      countMax,
      notBefore,
      probesMax,
      overloadsMax,
      startsMax,
      ...bucket
    ]) => ({
      before: ['{"phase":"日"}', kind, at, bucketMax, limit, inFlightMax, countMax],
      notBefore,
      after: [probesMax, overloadsMax, startsMax, ...bucket],
    }),
  )
const laneHistory = fc.array(
  fc.tuple(
    fc.oneof(
      { weight: 8, arbitrary: laneStep },
      { weight: 2, arbitrary: fc.tuple(fc.constant('publish' as const), gate) },
    ),
    fc.nat(700),
  ),
  { maxLength: 120, size: 'max' },
)

test('every lane script answers the same on both, for any arguments', async (context) => {
  const { differences, empty } = await opened(context)
  const verdicts = new Set<unknown>()
  await fc.assert(
    fc.asyncProperty(laneHistory, gate, async (history, first) => {
      const { clock, redis } = empty()
      let version = 0
      const publish = async ({ after, before, notBefore }: typeof first) => {
        const args = [version, ...before, clock.now() + notBefore, ...after]
        if ((await redis.run(LANE_SCRIPTS.publish, LANE, args)) === 1) version += 1
      }
      await publish(first)
      for (const [step, ms] of history) {
        await clock.advance(ms)
        if (step[0] === 'publish') await publish(step[1])
        else {
          const answer = await redis.run(LANE_SCRIPTS[step[0]], LANE, step[1])
          if (step[0] === 'permit') verdicts.add((answer as readonly unknown[])[0])
        }
      }
      assert.deepEqual(await differences(redis), [])
    }),
    { numRuns: RUNS },
  )
  for (const verdict of ['permit', 'open', 'saturated', 'no-retries', 'probing'])
    assert.ok(verdicts.has(verdict), verdict)
})
