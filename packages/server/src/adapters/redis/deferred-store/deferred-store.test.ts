// Runs the contract of the deferred store on Redis, and compares it with memory over random histories.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { memoryDeferredStore } from '../../memory/deferred-store.ts'
import { deferredStoreContract } from '#ports/deferred-store/contract.ts'
import type { DeferredStore } from '#ports/deferred-store/port.ts'
import { sampleDeferred } from '#fixtures/turns/answers.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import { redisDeferredStore } from './deferred-store.ts'

const RUNS = 40
const LIMITS = { countMax: 5, perPrincipalMax: 2 }
const open = cleanRedis()

deferredStoreContract('redis deferred store', async (context, clock, limits) => {
  const redis = await open(context, clock)
  const reopen = async () => redisDeferredStore({ redis, limits })
  return { store: await reopen(), reopen }
})

type Act = (store: DeferredStore) => Promise<unknown>

const anyAct: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ number: fc.nat(8), owner: fc.constantFrom('one', 'a}b', 'three'), waitMs: fc.nat(20) }).map(
    ({ number, owner, waitMs }): Act =>
      (store) =>
        store.accept(
          sampleDeferred({
            turnId: `turn_${number}`,
            principal: { id: owner, kind: 'user', tier: 'free' },
            at: NOON + (number % 3),
            expiresAt: NOON + waitMs,
          }),
        ),
  ),
  fc.record({ limit: fc.nat(3), leaseMs: fc.nat(10), expired: fc.boolean(), spacingMs: fc.nat(4) }).map(
    (claim): Act =>
      (store) =>
        store.claim(claim),
  ),
  fc.nat(8).map(
    (number): Act =>
      (store) =>
        store.done(`turn_${number}`),
  ),
  fc.constant<Act>((store) => store.count()),
)

test('the deferred stores in Redis and in memory give the same answers', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(anyAct, fc.nat(5)), { maxLength: 30 }), async (steps) => {
      await redis.command(undefined, 'FLUSHALL')
      const oracle = memoryDeferredStore({ clock, limits: LIMITS })
      const nodes = [1, 2].map(() => redisDeferredStore({ redis, limits: LIMITS }))
      for (const [index, [act, laterMs]] of steps.entries()) {
        const node = nodes[index % 2]
        assert.ok(node !== undefined)
        assert.deepEqual(await act(node), await act(oracle))
        await clock.advance(laterMs)
      }
    }),
    { numRuns: RUNS },
  )
})

test('every key expires', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  const store = redisDeferredStore({ redis, limits: LIMITS })
  await store.accept(sampleDeferred())
  await store.claim({ limit: 1, leaseMs: 1000, expired: false, spacingMs: 500 })
  const keys = (await redis.command(undefined, 'KEYS', '*')) as readonly string[]
  assert.equal(keys.length, 7)
  for (const key of keys) assert.ok(Number(await redis.command(key, 'PTTL', key)) > 0, key)
})
