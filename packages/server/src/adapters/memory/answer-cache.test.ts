// Runs the contract of the answer cache on memory, and tests that the least recently used answers are evicted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerCacheContract } from '#ports/answer-cache/contract.ts'
import { sampleCachedAnswer } from '#fixtures/turns/answers.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { memoryAnswerCache } from './answer-cache.ts'

const BYTES_MAX = 1_000_000

answerCacheContract('memory answer cache', async (_context, clock, limits) =>
  memoryAnswerCache({ clock, limits: { ...limits, bytesMax: BYTES_MAX } }),
)

const limited = (limits: { readonly countMax?: number; readonly bytesMax?: number }) => {
  const clock = manualClock()
  const roomy = { keepMs: 10_000, countMax: 100, bytesMax: BYTES_MAX, answerBytesMax: 10_000 }
  return memoryAnswerCache({ clock, limits: { ...roomy, ...limits } })
}

test('recently used answers stay, and the least recently used are evicted', async () => {
  const cache = limited({ countMax: 2 })
  await cache.keep('a', sampleCachedAnswer())
  await cache.keep('b', sampleCachedAnswer())
  await cache.find('a')
  await cache.keep('c', sampleCachedAnswer())
  const there = await Promise.all(['a', 'b', 'c'].map((key) => cache.find(key)))
  assert.deepEqual(
    there.map((answer) => answer !== undefined),
    [true, false, true],
  )
})

test('beyond the byte limit the oldest are evicted, also when an answer is replaced by a larger one', async () => {
  const size = (length: number) => sampleCachedAnswer({ text: 'x'.repeat(length) })
  const bytesOf = (length: number) => Buffer.byteLength(JSON.stringify(size(length)))
  const cache = limited({ bytesMax: 2 * bytesOf(100) })
  await cache.keep('a', size(100))
  await cache.keep('b', size(100))
  assert.notEqual(await cache.find('a'), undefined)
  await cache.keep('a', { ...size(101), madeAt: size(101).madeAt + 1 })
  assert.equal(await cache.find('b'), undefined)
  assert.equal((await cache.find('a'))?.text.length, 101)
})
