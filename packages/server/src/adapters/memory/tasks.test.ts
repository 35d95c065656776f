// Runs the contract of tasks in memory; old ones are forgotten.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { tasksContract } from '#ports/tasks/contract.ts'
import { TASK_KEEP_MS } from '#ports/tasks/port.ts'
import { memoryTasks } from './tasks.ts'

tasksContract('memory tasks', async (_, clock) => {
  const tasks = memoryTasks({ clock })
  return { tasks, reopen: async () => tasks }
})

test('a task that was not used for long is forgotten', async () => {
  const clock = manualClock()
  const tasks = memoryTasks({ clock })
  const lease = { owner: 'one', leaseMs: 1000 }
  await tasks.take('task', lease)
  await tasks.save('task', 'done', lease)
  await clock.advance(TASK_KEEP_MS)
  assert.deepEqual(await tasks.take('task', lease), { progress: undefined })
})
