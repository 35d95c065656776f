// Bounded parallel work: every item once, and none is begun after a failure.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachOf } from './each-of.ts'

test('every item is worked on once, and never more at once than allowed', async () => {
  const done: number[] = []
  let [running, most] = [0, 0]
  await eachOf([1, 2, 3, 4, 5], 2, async (item) => {
    running += 1
    most = Math.max(most, running)
    await Promise.resolve()
    running -= 1
    done.push(item)
  })
  assert.deepEqual([done.toSorted((a, b) => a - b), most], [[1, 2, 3, 4, 5], 2])
})

test('after a failure nothing more is begun, and it is thrown', async () => {
  const begun: number[] = []
  const work = async (item: number) => {
    begun.push(item)
    await Promise.resolve()
    if (item === 2) throw new Error('failed')
  }
  await assert.rejects(eachOf([1, 2, 3, 4, 5, 6], 2, work), /failed/)
  assert.ok(!begun.includes(5))
})
