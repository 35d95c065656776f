// A drain ends when no promise can continue by itself, however long the chain.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promiseDrain } from './promise-drain.ts'

test('after a drain every promise that could continue has continued', async () => {
  const drain = promiseDrain()
  for (let round = 0; round < 3000; round += 1) {
    let steps = 0
    void (async () => {
      for (let step = 0; step < 50; step += 1) {
        await Promise.resolve()
        steps += 1
      }
    })()
    await drain()
    assert.equal(steps, 50)
  }
})
