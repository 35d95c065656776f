// Subscriptions in this process: a subscriber misses nothing from the call on, and one that left costs no memory.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Topics } from './topics.ts'

async function take<Item>(items: AsyncIterable<Item>, count: number): Promise<Item[]> {
  const taken: Item[] = []
  for await (const item of items) {
    taken.push(item)
    if (taken.length === count) break
  }
  return taken
}

test('items published after the subscription are read in order, even when reading begins late', async () => {
  const topics = new Topics<number>()
  topics.publish('a', 0)
  const items = topics.subscribe('a', new AbortController().signal)
  for (const item of [1, 2, 3]) topics.publish('a', item)
  topics.publish('b', 9)
  assert.deepEqual(await take(items, 3), [1, 2, 3])
})

test('a reader that is far behind loses the oldest items', async () => {
  const topics = new Topics<number>()
  const items = topics.subscribe('a', new AbortController().signal)
  for (let item = 0; item < 1000; item += 1) topics.publish('a', item)
  assert.equal((await take(items, 1))[0], 1000 - 64)
})

test('every subscriber has its own copy', async () => {
  const topics = new Topics<number>()
  const signal = new AbortController().signal
  const both = [topics.subscribe('a', signal), topics.subscribe('a', signal)]
  topics.publish('a', 1)
  assert.deepEqual(await Promise.all(both.map((items) => take(items, 1))), [[1], [1]])
})

test('an abort ends the reading, even if it comes before the first read', async () => {
  const topics = new Topics<number>()
  const controller = new AbortController()
  const items = topics.subscribe('a', controller.signal)
  controller.abort()
  topics.publish('a', 1)
  assert.deepEqual(await take(items, 1), [])
  assert.deepEqual(await take(topics.subscribe('a', controller.signal), 1), [])
})
