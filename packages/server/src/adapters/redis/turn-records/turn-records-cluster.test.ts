// The cluster rule for turn records: each step is on one slot, though turns and days are on different nodes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRedisCluster } from '#fixtures/stores/redis-cluster.ts'
import { sampleTurnRecord } from '#fixtures/turns/samples.ts'
import { memoryTelemetry } from '../../memory/telemetry.ts'
import { systemClock } from '../../system/clock.ts'
import { systemRandom } from '../../system/random.ts'
import { openRedis } from '../client/connection.ts'
import { redisTurnRecords } from './turn-records.ts'

const WAIT = { callMs: 30_000, connectMs: 30_000 }

test('records on every node of a cluster are added, found, adopted, swept and forgotten', async () => {
  await using cluster = await startRedisCluster()
  const clock = systemClock()
  const parts = { random: systemRandom(), clock, telemetry: memoryTelemetry(), ...WAIT }
  await using redis = await openRedis({ url: cluster.url, ...parts })
  const records = redisTurnRecords({ redis, clock, keepMs: 10 * 86_400_000 })
  const added = Array.from({ length: 40 }, (_, index) =>
    sampleTurnRecord({ turnId: `turn_${index}`, at: clock.now() - (index % 5) * 86_400_000 - index }),
  )
  await records.add(added)
  await records.note('turn_1', { followedUp: true })
  assert.equal(await records.setFeedback('turn_1', { value: 'down', at: 1 }), true)
  await records.adopt('guest_1', 'user:aki')
  const found = await records.page({ principalId: 'user:aki' }, 100)
  assert.equal(found.length, 40)
  assert.deepEqual(
    (await records.page({ feedback: 'down' }, 10)).map(({ turnId }) => turnId),
    ['turn_1'],
  )
  assert.equal(await records.sweep({ before: 0, countMax: 30, refusalsMax: 30 }, 100), 10)
  assert.equal(await records.forget({ principalId: 'user:aki' }), 30)
  assert.deepEqual(await records.page({}, 10), [])
})
