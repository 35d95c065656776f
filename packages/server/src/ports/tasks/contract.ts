// The contract of shared tasks. `make` returns an empty store with a clock of its own; `reopen` returns another over the
// same data, as a second node has it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import type { ManualClock } from '#fixtures/time/manual-clock.ts'
import { TASK_KEEP_MS } from './port.ts'
import type { Tasks } from './port.ts'

export interface TasksUnderTest {
  readonly tasks: Tasks
  readonly reopen: () => Promise<Tasks>
}

const LEASE_MS = 1000
const one = { owner: 'one', leaseMs: LEASE_MS }
const two = { owner: 'two', leaseMs: LEASE_MS }

export function tasksContract(
  name: string,
  make: (context: TestContext, clock: ManualClock) => Promise<TasksUnderTest>,
): void {
  const opened = async (context: TestContext) => {
    const clock = manualClock()
    const { tasks, reopen } = await make(context, clock)
    return { clock, tasks, other: await reopen() }
  }

  test(`${name}: one owner has a task, and another takes it when the lease has ended`, async (context) => {
    const { clock, tasks, other } = await opened(context)
    assert.deepEqual(await tasks.take('task', one), { progress: undefined })
    assert.equal(await other.take('task', two), undefined)
    assert.deepEqual(await other.take('another task', two), { progress: undefined })
    await clock.advance(LEASE_MS - 1)
    assert.equal(await other.take('task', two), undefined)
    await clock.advance(1)
    assert.deepEqual(await other.take('task', two), { progress: undefined })
    assert.equal(await tasks.take('task', one), undefined)
  })

  test(`${name}: the owner renews its lease by taking the task again and by saving`, async (context) => {
    const { clock, tasks, other } = await opened(context)
    await tasks.take('task', one)
    await clock.advance(600)
    await tasks.take('task', one)
    await clock.advance(600)
    assert.equal(await tasks.save('task', 'a', one), true)
    await clock.advance(600)
    assert.equal(await other.take('task', two), undefined)
  })

  test(`${name}: the next owner continues from what was saved, and the last one can no longer save`, async (context) => {
    const { clock, tasks, other } = await opened(context)
    await tasks.take('task', one)
    await tasks.save('task', '第三問', one)
    await clock.advance(LEASE_MS)
    assert.deepEqual(await other.take('task', two), { progress: '第三問' })
    assert.equal(await tasks.save('task', 'late', one), false)
    await clock.advance(LEASE_MS)
    assert.deepEqual(await tasks.take('task', one), { progress: '第三問' })
  })

  test(`${name}: an owner whose lease has ended cannot save, even if no other owner took the task`, async (context) => {
    const { clock, tasks } = await opened(context)
    await tasks.take('task', one)
    await clock.advance(LEASE_MS)
    assert.equal(await tasks.save('task', 'late', one), false)
    assert.equal(await tasks.save('never taken', 'x', one), false)
    assert.deepEqual(await tasks.take('task', one), { progress: undefined })
  })

  test(`${name}: saving with 0 ms ends the lease at once`, async (context) => {
    const { tasks, other } = await opened(context)
    await tasks.take('task', one)
    assert.equal(await tasks.save('task', 'done', { ...one, leaseMs: 0 }), true)
    assert.deepEqual(await other.take('task', two), { progress: 'done' })
  })

  test(`${name}: a task is stored until well after its last use`, async (context) => {
    const { clock, tasks, other } = await opened(context)
    await tasks.take('task', one)
    await tasks.save('task', 'done', { ...one, leaseMs: 0 })
    await clock.advance(TASK_KEEP_MS / 2)
    assert.deepEqual(await other.take('task', two), { progress: 'done' })
  })
}
