// Runs the contract of tasks on a real Redis; every key expires.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { tasksContract } from '#ports/tasks/contract.ts'
import { redisTasks } from './tasks.ts'

const open = cleanRedis()

tasksContract('redis tasks', async (context, clock) => {
  const redis = await open(context, clock)
  return { tasks: redisTasks({ redis }), reopen: async () => redisTasks({ redis }) }
})

test('a save that ended the lease may be repeated, and every key expires', async (context) => {
  const redis = await open(context, manualClock())
  const tasks = redisTasks({ redis })
  const lease = { owner: 'one', leaseMs: 1000 }
  await tasks.take('task', lease)
  const end = () => tasks.save('task', 'done', { ...lease, leaseMs: 0 })
  assert.deepEqual([await end(), await end()], [true, true])
  const keys = (await redis.command(undefined, 'KEYS', '*')) as readonly string[]
  assert.deepEqual(keys, ['ma:{task:task}'])
  for (const key of keys) assert.ok(Number(await redis.command(key, 'PTTL', key)) > 0, key)
})
