// The cluster rule: every script of budgets and rate chunks runs on a real Redis Cluster, where all keys of one principal
// are on one node and those of another may be elsewhere.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { add } from '#domain/budget/quota.ts'
import { startRedisCluster } from '#fixtures/stores/redis-cluster.ts'
import { sampleLimits, TODAY } from '#fixtures/turns/samples.ts'
import { granted } from '#fixtures/budgets/budgets.ts'
import { memoryTelemetry } from '../../memory/telemetry.ts'
import { systemRandom } from '../../system/random.ts'
import { systemClock } from '../../system/clock.ts'
import { openRedis } from '../client/connection.ts'
import { redisRateChunks } from '../rate-chunks/rate-chunks.ts'
import { SHARED_STATE_SCRIPTS } from './scripts.ts'
import { redisBudgets } from './budgets.ts'

const PRINCIPALS = Array.from({ length: 12 }, (_, index) => `guest_${index}`)
const WAIT = { callMs: 30_000, connectMs: 30_000 }

test('budgets: every verb works on a cluster, and a script that spans two principals is refused', async () => {
  await using cluster = await startRedisCluster()
  await using redis = await openRedis({
    url: cluster.url,
    random: systemRandom(),
    clock: systemClock(),
    telemetry: memoryTelemetry(),
    ...WAIT,
  })
  const state = redisBudgets({ redis })
  for (const principalId of PRINCIPALS) {
    const [settled, undone, held] = [`turn_a_${principalId}`, `turn_b_${principalId}`, `turn_c_${principalId}`]
    const first = await granted(state, { principalId, turnId: settled })
    assert.deepEqual(await state.settle(first, first.granted, { claimMs: 1000 }), { charged: true, overage: false })
    await state.release(await granted(state, { principalId, turnId: undone }))
    const second = await granted(state, { principalId, turnId: held })
    assert.equal(await state.narrow(second, { ...second.granted, inputTokens: 1 }), true)
    assert.equal(await state.extend(second, { ...second.granted, inputTokens: 2 }, sampleLimits()), true)
    assert.equal(await state.renew(second, 10_000), true)
    assert.equal(await state.runningTurn({ id: second.sessionId, principalId }), held)
    const { used, reserved } = await state.quota(principalId, sampleLimits(), TODAY)
    assert.deepEqual(add(used, reserved), { inputTokens: 1002, outputTokens: 1000, costMicroUsd: 20_000 })
  }
  const chunks = redisRateChunks({ redis })
  for (const name of ['global', 'chat', 'connections']) {
    const bucket = { name, perSecond: 1, burst: 5 }
    assert.equal((await chunks.lease(bucket, 9, 'op_1')).granted, 5)
    await chunks.giveBack(bucket, 2, 'op_1')
  }
  const slots = (await redis.command(undefined, 'CLUSTER', 'SLOTS')) as readonly (readonly [number, number])[]
  const used = await Promise.all(
    PRINCIPALS.map(async (principalId) => {
      const slot = Number(await redis.command(undefined, 'CLUSTER', 'KEYSLOT', `{user:${principalId}}`))
      return slots.findIndex(([first, last]) => first <= slot && slot <= last)
    }),
  )
  assert.deepEqual(new Set(used), new Set(slots.keys()), 'the principals are spread over all nodes')

  const keys = ['guest_1', 'guest_2'].map((principalId) => `{user:${principalId}}:account`)
  await assert.rejects(redis.run(SHARED_STATE_SCRIPTS.quota, keys, [TODAY.key]), (error: Error) =>
    /CROSSSLOT/.test(String(error.cause)),
  )
})
