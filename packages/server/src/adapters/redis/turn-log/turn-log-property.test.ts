// Runs random histories of turns on the turn log in a real Redis and on one in memory that never trims: both give the same
// answers, on one node, on two, and when replies of Redis are lost.
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import type { Clock } from '#ports/clock/port.ts'
import type { TurnLog } from '#ports/turn-log/port.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { lossyRedis } from '#fixtures/stores/lossy-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { runAgainst, turnLogCommands } from '#fixtures/turns/turn-log-commands.ts'
import { twoNodes } from '#fixtures/stores/two-nodes.ts'
import { memoryTelemetry } from '../../memory/telemetry.ts'
import { memoryTurnLog } from '../../memory/turn-log.ts'
import type { Redis } from '../client/connection.ts'
import { redisTurnLog } from './turn-log.ts'

const RUNS = 40
const BOUNDS = { recordsMax: 8, bytesMax: 4096 }
const UNBOUNDED = { recordsMax: Infinity, bytesMax: Infinity }
/** Prevents repeated reports of readers: virtual time does not wait for a real Redis, so they would come too late. */
const ATTEND_MS = 1_000_000_000

const redisFor = cleanRedis()

function nodeOn(redis: Redis, clock: Clock, nodeId: string): TurnLog {
  const telemetry = memoryTelemetry()
  return redisTurnLog({ redis, clock, telemetry, nodeId, keepMs: 3_600_000, bounds: BOUNDS, attendMs: ATTEND_MS })
}

type Make = (clock: Clock, seed: number) => Promise<TurnLog>

async function assertAlike(make: Make): Promise<void> {
  await fc.assert(
    fc.asyncProperty(turnLogCommands(BOUNDS), fc.nat(), async (commands, seed) => {
      const clock = manualClock()
      const model = memoryTurnLog({ clock, bounds: UNBOUNDED })
      await runAgainst({ model, real: await make(clock, seed), clock, bounds: BOUNDS }, commands)
    }),
    { numRuns: RUNS },
  )
}

/** One set of connections for all runs, each with its own clock and an empty Redis. */
async function connections(context: TestContext): Promise<(clock: Clock) => Promise<readonly [Redis, Redis]>> {
  let clock: Clock = manualClock()
  const now: Clock = { ...clock, now: () => clock.now() }
  const pair = [await redisFor(context, now), await redisFor(context, now)] as const
  return async (next) => {
    clock = next
    await pair[0].command(undefined, 'FLUSHALL')
    return pair
  }
}

test('turn log: one node on Redis and memory give the same answers to any history', async (context) => {
  const cleaned = await connections(context)
  await assertAlike(async (clock) => nodeOn((await cleaned(clock))[0], clock, 'node_1'))
})

test('turn log: two nodes on Redis and memory give the same answers to any history', async (context) => {
  const cleaned = await connections(context)
  await assertAlike(async (clock) => {
    const [one, two] = await cleaned(clock)
    return twoNodes(nodeOn(one, clock, 'node_1'), nodeOn(two, clock, 'node_2'))
  })
})

test('turn log: a lost reply changes nothing for two nodes', async (context) => {
  const cleaned = await connections(context)
  await assertAlike(async (clock, seed) => {
    const every = 1 + (seed % 3)
    let asked = 0
    const loses = (name: string) => {
      if (!name.startsWith('turn-log.')) return false
      asked += 1
      return asked % every === 0
    }
    const [one, two] = (await cleaned(clock)).map((redis) => lossyRedis(redis, loses)) as [Redis, Redis]
    return twoNodes(nodeOn(one, clock, 'node_1'), nodeOn(two, clock, 'node_2'))
  })
})
