// The cluster rule for a guest's conversations that become a user's: each step is on one principal's slot, though the two
// are on different nodes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom } from '../../system/random.ts'
import { systemClock } from '../../system/clock.ts'
import { memoryTelemetry } from '../../memory/telemetry.ts'
import { startRedisCluster } from '#fixtures/stores/redis-cluster.ts'
import { sampleSession, sampleStoredTurn } from '#fixtures/turns/samples.ts'
import { amounts, GENEROUS, granted } from '#fixtures/budgets/budgets.ts'
import { openRedis } from '../client/connection.ts'
import { redisSessionStore } from './session-store.ts'
import { redisBudgets } from '../budgets/budgets.ts'

const GUESTS = Array.from({ length: 8 }, (_, index) => `guest_${index}`)
const USER = 'user:id.example:aki'
const WAIT = { callMs: 30_000, connectMs: 30_000 }

test('a user adopts the conversations of guests on every node of a cluster, with their use', async () => {
  await using cluster = await startRedisCluster()
  const clock = systemClock()
  await using redis = await openRedis({
    url: cluster.url,
    random: systemRandom(),
    clock,
    telemetry: memoryTelemetry(),
    ...WAIT,
  })
  const sessions = redisSessionStore({ redis, clock, keepMs: 3_600_000 })
  const state = redisBudgets({ redis })
  const limits = { ...GENEROUS, session: { inputTokens: 1500, outputTokens: 9000 } }
  for (const guest of GUESTS) {
    const id = `sess_${guest}`
    const now = clock.now()
    await sessions.create(sampleSession({ id, principalId: guest, createdAt: now, lastActiveAt: now }))
    const hold = await granted(state, { principalId: guest, sessionId: id, turnId: `turn_${guest}`, limits })
    await sessions.append(id, 0, sampleStoredTurn())
    await state.settle(hold, amounts(900, 10, 0), { claimMs: 0 })
    await sessions.adopt(guest, USER)
    const session = await sessions.find(id)
    assert.deepEqual([session?.principalId, session?.inheritedFrom], [USER, guest])
    assert.equal(await state.carryOver({ id, principalId: USER, inheritedFrom: guest }), undefined)
    const own = { principalId: USER, sessionId: id, turnId: `turn_of_user_${guest}`, limits }
    const next = await granted(state, { ...own, ask: amounts(1000, 10, 0) })
    assert.equal(next.granted.inputTokens, 600)
    await state.settle(next, amounts(0, 0, 0), { claimMs: 0 })
  }
  assert.equal((await sessions.listOf(USER, 50)).length, GUESTS.length)
})
