// Reading a stream that may hang: an abort always ends it, and no listener stays.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listenersOf, microtasks, streamOf } from '#fixtures/time/streams.ts'
import { eachUntilAborted } from './each-until-aborted.ts'

/** Yields the items, then hangs for ever; records whether `return` was called. */
function hanging(items: readonly string[]) {
  const seen = { returned: false }
  const left = [...items]
  const source: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({
      next() {
        const value = left.shift()
        return value === undefined ? new Promise<never>(() => {}) : Promise.resolve({ done: false, value })
      },
      return() {
        seen.returned = true
        return new Promise<never>(() => {})
      },
    }),
  }
  return { source, seen }
}

test('a stream that ends by itself is read whole, and no listener stays', async () => {
  const { signal } = new AbortController()
  const read: number[] = []
  await eachUntilAborted(streamOf(1, 2, 3), signal, (item) => read.push(item))
  assert.deepEqual(read, [1, 2, 3])
  assert.equal(listenersOf(signal), 0)
})

test('an abort while the source hangs ends the reading with its reason', async () => {
  const controller = new AbortController()
  const { source, seen } = hanging(['a'])
  const read: string[] = []
  const reading = eachUntilAborted(source, controller.signal, (item) => read.push(item))
  await microtasks(20)
  controller.abort(new Error('enough'))
  await assert.rejects(reading, /enough/)
  assert.deepEqual(read, ['a'])
  assert.equal(seen.returned, true)
  assert.equal(listenersOf(controller.signal), 0)
})

test('an abort between two items is seen before the next one is asked for', async () => {
  const controller = new AbortController()
  const { source } = hanging(['a', 'b'])
  const read: string[] = []
  const reading = eachUntilAborted(source, controller.signal, (item) => {
    read.push(item)
    controller.abort(new Error('enough'))
  })
  await assert.rejects(reading, /enough/)
  assert.deepEqual(read, ['a'])
})

test('a `take` that throws ends the source with its error, and no listener stays', async () => {
  const { signal } = new AbortController()
  const { source, seen } = hanging(['a', 'b'])
  const taking = eachUntilAborted(source, signal, () => {
    throw new Error('too much')
  })
  await assert.rejects(taking, /too much/)
  assert.equal(seen.returned, true)
  assert.equal(listenersOf(signal), 0)
})

test('a long stream uses one listener', async () => {
  const { signal } = new AbortController()
  const most = { listeners: 0 }
  await eachUntilAborted(streamOf(...Array.from({ length: 500 }, (_, index) => index)), signal, () => {
    most.listeners = Math.max(most.listeners, listenersOf(signal))
  })
  assert.equal(most.listeners, 1)
})

test('an error of the source is passed on', async () => {
  const { signal } = new AbortController()
  async function* broken(): AsyncGenerator<string> {
    yield 'a'
    throw new Error('line cut')
  }
  await assert.rejects(
    eachUntilAborted(broken(), signal, () => {}),
    /line cut/,
  )
  assert.equal(listenersOf(signal), 0)
})
