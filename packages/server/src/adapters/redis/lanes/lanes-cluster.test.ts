// The cluster rule: every script of a lane runs on a real Redis Cluster, where all keys of one lane are on one node and
// those of another may be elsewhere.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { narrowPolicy } from '#fixtures/lanes/shared-lanes.ts'
import { asked, random, first, retry } from '#fixtures/lanes/shared-lanes.ts'
import { startRedisCluster } from '#fixtures/stores/redis-cluster.ts'
import { memoryTelemetry } from '../../memory/telemetry.ts'
import { systemRandom } from '../../system/random.ts'
import { systemClock } from '../../system/clock.ts'
import { openRedis } from '../client/connection.ts'
import { LANE_SCRIPTS } from './scripts.ts'
import { redisLanes } from './lanes.ts'

const NAMES = Array.from({ length: 12 }, (_, index) => `${index}-model@region`)
const WAIT = { callMs: 30_000, connectMs: 30_000 }

test('lanes: every verb works on a cluster, and a script that spans two lanes is refused', async () => {
  await using cluster = await startRedisCluster()
  const [clock, telemetry] = [systemClock(), memoryTelemetry()]
  await using redis = await openRedis({ url: cluster.url, random: systemRandom(), clock, telemetry, ...WAIT })
  const policies = new Map(NAMES.map((name) => [name, narrowPolicy()]))
  const lanes = redisLanes({ redis, clock, random, telemetry, nodeId: 'node_1', policies, leaseMs: 60_000 })
  await lanes.tick()
  for (const name of NAMES) {
    assert.deepEqual([await asked(lanes, name, first('a')), await asked(lanes, name, retry('b'))], ['permit', 'permit'])
    await lanes.served(name, 'a', 60_000)
    await lanes.report(name, 'b', 'fault')
    await lanes.shed(name)
    const { inFlight, recent } = await lanes.peek(name)
    assert.deepEqual([inFlight, recent], [1, { calls: 2, failures: 1, retries: 1, shed: 1 }])
    assert.equal((await lanes.operate(name, 'reset', 'Aiko')).epoch, 2)
  }
  assert.deepEqual(telemetry.counted, [], 'nothing went by a stand-in')

  const slots = (await redis.command(undefined, 'CLUSTER', 'SLOTS')) as readonly (readonly [number, number])[]
  const used = await Promise.all(
    NAMES.map(async (name) => {
      const slot = Number(await redis.command(undefined, 'CLUSTER', 'KEYSLOT', `{lane:${name}}`))
      return slots.findIndex(([from, to]) => from <= slot && slot <= to)
    }),
  )
  assert.deepEqual(new Set(used), new Set(slots.keys()), 'the lanes are spread over all nodes')

  const [one, two] = [NAMES[0], NAMES[1]]
  await assert.rejects(
    redis.run(LANE_SCRIPTS.shed, [`{lane:${one}}:state`, `{lane:${two}}:state`], []),
    (error: Error) => /CROSSSLOT/.test(String(error.cause)),
  )
})
