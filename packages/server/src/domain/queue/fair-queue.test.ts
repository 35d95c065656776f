// The queue: which entry is next, which is refused, and that no entry waits in vain or for ever.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { NOON } from '#fixtures/time/manual-clock.ts'
import { FairQueue, PRIORITIES, queueDefaults } from './fair-queue.ts'
import type { Priority, QueueSettings } from './fair-queue.ts'

const entry = (id: string, over: { priority?: Priority; sessionId?: string; firstWordBy?: number } = {}) => ({
  id,
  sessionId: over.sessionId ?? id,
  priority: over.priority ?? 'normal',
  firstWordBy: over.firstWordBy ?? NOON + 60_000,
  item: id,
})
const queueOf = (over: Partial<QueueSettings> = {}) => new FairQueue<string>({ ...queueDefaults, ...over })
/** Takes all entries at one moment and returns their ids. */
const takeAll = (queue: FairQueue<string>, now: number) => {
  const taken: string[] = []
  for (let next = queue.take(now); next !== undefined; next = queue.take(now)) taken.push(next.id)
  return taken
}

test('higher priorities go first, and within a priority the order of arrival holds', () => {
  const queue = queueOf({ intervalMs: 100 })
  const offered = ['low', 'normal', 'high', 'critical'] as const
  for (const priority of offered)
    for (const number of [1, 2]) queue.offer(entry(`${priority}${number}`, { priority }), NOON)
  assert.deepEqual(
    takeAll(queue, NOON),
    PRIORITIES.flatMap((priority) => [`${priority}1`, `${priority}2`]),
  )
})

test('a session with many entries does not delay the others', () => {
  const queue = queueOf()
  for (const number of [1, 2, 3]) queue.offer(entry(`greedy${number}`, { sessionId: 'greedy' }), NOON)
  for (const id of ['a', 'b']) queue.offer(entry(id), NOON)
  assert.deepEqual(takeAll(queue, NOON), ['greedy1', 'a', 'b', 'greedy2', 'greedy3'])
})

test('waiting raises the priority, so that a stream of high entries does not starve normal ones', () => {
  const queue = queueOf()
  queue.offer(entry('normal'), NOON)
  let servedAt = 0
  for (let step = 1; servedAt === 0 && step < 1000; step += 1) {
    const now = NOON + step * 100
    queue.offer(entry(`high${step}`, { priority: 'high' }), now)
    if (queue.take(now)?.id === 'normal') servedAt = now
  }
  assert.ok(servedAt > 0 && servedAt - NOON <= queueDefaults.ageingMs + 200)
})

test('work of low priority, which has no reader, is taken only when nothing else waits, however long it has waited', () => {
  for (const intervalMs of [100, 1000]) {
    const queue = queueOf({ intervalMs })
    queue.offer(entry('low', { priority: 'low' }), NOON)
    const taken: (string | undefined)[] = []
    for (let step = 0; step < 4 * queueDefaults.longestEvery; step += 1) {
      const now = NOON + step * 1000
      queue.offer(entry(`first${step}`), now)
      queue.offer(entry(`second${step}`), now)
      taken.push(queue.take(now)?.id)
    }
    assert.equal(taken.includes('low'), false)
    const { lifeMs } = queueDefaults
    const left = takeAll(queue, NOON + lifeMs - 1)
    assert.equal(left.at(-1), 'low')
  }
})

test('no entry waits longer than its life, nor into the time that the first word needs', () => {
  const queue = queueOf()
  queue.offer(entry('long'), NOON)
  queue.offer(entry('short', { firstWordBy: NOON + 8000 }), NOON)
  assert.equal(queue.nextExpiryAt(), NOON + 5000)
  assert.deepEqual(
    queue.expire(NOON + 5000).map(({ id }) => id),
    ['short'],
  )
  assert.deepEqual(
    queue.expire(NOON + 30_000).map(({ id }) => id),
    ['long'],
  )
  assert.deepEqual([queue.size, queue.nextExpiryAt()], [0, undefined])
  assert.deepEqual(queue.offer(entry('late', { firstWordBy: NOON + 3000 }), NOON), { kind: 'too-late' })
})

test('an expired entry is never taken, even before it is removed', () => {
  const queue = queueOf()
  queue.offer(entry('short', { firstWordBy: NOON + 8000 }), NOON)
  assert.equal(queue.take(NOON + 5000), undefined)
})

test('the entry of a client that left is removed', () => {
  const queue = queueOf()
  queue.offer(entry('a'), NOON)
  assert.deepEqual([queue.cancel('a'), queue.cancel('a'), queue.size, queue.take(NOON)], [true, false, 0, undefined])
})

test('a full queue refuses with a retry time from the measured interval', () => {
  const queue = queueOf({ entriesMax: 20 })
  for (let index = 0; index < 20; index += 1) queue.offer(entry(`${index}`), NOON)
  assert.deepEqual(queue.offer(entry('more'), NOON), { kind: 'full', retryAfterMs: 5000 })
  let now = NOON
  for (let turn = 0; turn < 60; turn += 1) {
    now += 1000
    queue.take(now)
    queue.offer(entry(`later${turn}`, { firstWordBy: now + 60_000 }), now)
  }
  const refused = queue.offer(entry('again', { firstWordBy: now + 60_000 }), now)
  assert.ok(refused.kind === 'full' && refused.retryAfterMs > 19_000 && refused.retryAfterMs <= 20_000)
})

test('offering the same id again returns its position and adds nothing, even to a full queue', () => {
  const queue = queueOf({ entriesMax: 2 })
  queue.offer(entry('a'), NOON)
  queue.offer(entry('b'), NOON)
  assert.deepEqual(queue.offer(entry('b'), NOON), { kind: 'queued', position: 2, etaMs: 500 })
  assert.equal(queue.size, 2)
})

test('while congested the newest go first, and every fourth permit goes to the longest waiting', () => {
  const queue = queueOf({ intervalMs: 1000 })
  for (let index = 0; index < 12; index += 1) queue.offer(entry(`${index}`), NOON + index)
  assert.equal(queue.isCongested(), true)
  const taken = Array.from({ length: 6 }, (_, turn) => queue.take(NOON + 20 + turn * 400)?.id)
  assert.deepEqual(taken, ['0', '11', '10', '9', '1', '8'])
})

test('while congested the newest go before aged entries, or every entry would wait until it has aged', () => {
  const queue = queueOf({ intervalMs: 1000, ageingMs: 100 })
  for (let index = 0; index < 12; index += 1) queue.offer(entry(`${index}`), NOON)
  const now = NOON + 600
  queue.offer(entry('fresh'), now)
  assert.deepEqual([queue.take(now)?.id, queue.take(now)?.id], ['0', 'fresh'])
})

test('while congested no entry starves: the longest waiting is served within a few permits for each one before it', () => {
  const queue = queueOf({ intervalMs: 600, congestedWaitMs: queueDefaults.lifeMs })
  for (let index = 0; index < 10; index += 1) queue.offer(entry(`first${index}`), NOON)
  const taken = new Set<string | undefined>()
  for (let turn = 0; turn < 45; turn += 1) {
    const now = NOON + turn * 600
    queue.offer(entry(`high${turn}`, { priority: 'high' }), now)
    taken.add(queue.take(now)?.id)
  }
  assert.ok(Array.from({ length: 10 }, (_, index) => taken.has(`first${index}`)).every(Boolean))
})

test('while congested an entry that a shopper waits for expires early, so that a fallback is still in time', () => {
  const queue = queueOf({ intervalMs: 1000 })
  for (let index = 0; index < 4; index += 1) queue.offer(entry(`${index}`), NOON)
  queue.offer(entry('kept', { priority: 'low' }), NOON)
  const { congestedWaitMs } = queueDefaults
  assert.equal(queue.nextExpiryAt(), NOON + congestedWaitMs)
  assert.equal(queue.expire(NOON + congestedWaitMs - 1).length, 0)
  assert.deepEqual(
    queue.expire(NOON + congestedWaitMs).map(({ id }) => id),
    ['0', '1', '2', '3'],
  )
  assert.deepEqual([queue.isCongested(), queue.size], [false, 1])
})

const anyStep = fc.record({
  kind: fc.constantFrom('offer', 'offer', 'take', 'cancel', 'expire'),
  id: fc.nat(30).map(String),
  sessionId: fc.constantFrom('x', 'y', 'z'),
  priority: fc.constantFrom(...PRIORITIES),
  firstWordMs: fc.nat(40_000),
  gapMs: fc.nat(2000),
})

test('in any history each entry leaves exactly once: taken, cancelled or expired', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 120 }), (steps) => {
      // Congestion ends waits earlier; it has tests of its own.
      const queue = queueOf({ entriesMax: 8, congestedMs: Number.MAX_SAFE_INTEGER })
      const waiting = new Map<string, number>()
      let now = NOON
      for (const { kind, id, sessionId, priority, firstWordMs, gapMs } of steps) {
        now += gapMs
        if (kind === 'offer') {
          const isNew = !waiting.has(id)
          const offered = queue.offer(entry(id, { sessionId, priority, firstWordBy: now + firstWordMs }), now)
          if (offered.kind === 'queued' && isNew) waiting.set(id, Math.min(now + 30_000, now + firstWordMs - 3000))
          if (offered.kind === 'queued') assert.ok(offered.position >= 1 && offered.position <= waiting.size)
        } else if (kind === 'take') {
          const taken = queue.take(now)
          if (taken === undefined) assert.ok([...waiting.values()].every((giveUpAt) => giveUpAt <= now))
          else assert.ok((waiting.get(taken.id) ?? 0) > now && waiting.delete(taken.id))
        } else if (kind === 'cancel') {
          assert.equal(queue.cancel(id), waiting.delete(id))
        } else {
          const late = [...waiting].filter(([, giveUpAt]) => giveUpAt <= now).map(([key]) => key)
          assert.deepEqual(
            queue
              .expire(now)
              .map((gone) => gone.id)
              .sort(),
            late.sort(),
          )
          for (const key of late) waiting.delete(key)
        }
        assert.ok(queue.size === waiting.size && queue.size <= 8)
      }
    }),
  )
})

test('without further offers the entries are taken in the order of their reported positions', () => {
  const anyEntries = fc.array(
    fc.record({ priority: fc.constantFrom(...PRIORITIES), sessionId: fc.constantFrom('x', 'y', 'z') }),
    {
      minLength: 1,
      maxLength: 15,
    },
  )
  fc.assert(
    fc.property(anyEntries, (entries) => {
      const queue = queueOf({ intervalMs: 100 })
      for (const [index, over] of entries.entries()) queue.offer(entry(`${index}`, over), NOON)
      const positions = entries.map((_, index) => [queue.place(`${index}`, NOON)?.position, `${index}`] as const)
      const order = positions.toSorted(([a = 0], [b = 0]) => a - b).map(([, id]) => id)
      assert.deepEqual([...queue.places(NOON).keys()], order)
      assert.deepEqual(takeAll(queue, NOON), order)
    }),
  )
})
