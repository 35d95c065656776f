// The contract of the deferred store. `make` returns an empty one with these limits and a clock of its own; `reopen`
// returns another over the same data, as a second node or after a restart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { sampleDeferred } from '#fixtures/turns/answers.ts'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import type { ManualClock } from '#fixtures/time/manual-clock.ts'
import type { DeferredClaim, DeferredLimits, DeferredStore } from './port.ts'

const LIMITS: DeferredLimits = { countMax: 10, perPrincipalMax: 3 }
const ALL: DeferredClaim = { limit: 100, leaseMs: 1000, expired: false, spacingMs: 0 }
const WAIT_MS = 900_000

const question = (number: number, principalId = `guest_${number}`) =>
  sampleDeferred({
    turnId: `turn_${number}`,
    principal: { id: principalId, kind: 'guest', tier: 'free' },
    at: NOON + number,
    expiresAt: NOON + number + WAIT_MS,
  })

const idsOf = async (store: DeferredStore, claim: Partial<DeferredClaim> = {}): Promise<readonly string[]> =>
  (await store.claim({ ...ALL, ...claim })).map(({ turnId }) => turnId)

export interface DeferredStoreUnderTest {
  readonly store: DeferredStore
  readonly reopen: () => Promise<DeferredStore>
}

export function deferredStoreContract(
  name: string,
  make: (context: TestContext, clock: ManualClock, limits: DeferredLimits) => Promise<DeferredStoreUnderTest>,
): void {
  const opened = async (context: TestContext) => {
    const clock = manualClock()
    return { clock, ...(await make(context, clock, LIMITS)) }
  }

  test(`${name}: stored questions are returned unchanged, newest first, also to another node`, async (context) => {
    const { store, reopen } = await opened(context)
    const trace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true }
    const asked = { interfaceLanguage: 'en', page: { productId: 'berserk', path: '/series/berserk' } } as const
    const odd = { ...question(1, 'a}b'), message: '「泣ける」漫画は？\n🗡️ \\ "x"', trace, ...asked }
    for (const one of [question(2), odd, question(3)]) assert.equal(await store.accept(one), true)
    assert.equal(await store.count(), 3)
    assert.deepEqual(await (await reopen()).claim({ ...ALL, limit: 2 }), [question(3), question(2)])
    assert.deepEqual(await store.claim(ALL), [odd])
  })

  test(`${name}: a question is stored once, however often it is sent`, async (context) => {
    const { store } = await opened(context)
    assert.equal(await store.accept(question(1)), true)
    await store.claim(ALL)
    assert.equal(await store.accept(question(1)), true)
    assert.deepEqual([await store.count(), await idsOf(store)], [1, []])
  })

  test(`${name}: one node has a question at a time, and a lost node's lease ends`, async (context) => {
    const { clock, store, reopen } = await opened(context)
    const other = await reopen()
    for (let number = 1; number <= 8; number += 1) await store.accept(question(number))
    const taken = await Promise.all([store, other, store, other].map((one) => idsOf(one, { limit: 3 })))
    assert.deepEqual(
      taken.flat().toSorted(),
      Array.from({ length: 8 }, (_, index) => `turn_${index + 1}`),
    )
    await clock.advance(999)
    assert.deepEqual(await idsOf(other), [])
    await clock.advance(1)
    assert.equal((await idsOf(other)).length, 8)
  })

  test(`${name}: after a claim no node gets more questions for a while, except expired ones`, async (context) => {
    const { clock, store } = await opened(context)
    for (const number of [1, 2, 3]) await store.accept(question(number))
    const spaced = { limit: 1, spacingMs: 500 }
    assert.deepEqual(await idsOf(store, spaced), ['turn_3'])
    assert.deepEqual(await idsOf(store, spaced), [])
    await clock.advance(500)
    assert.deepEqual(await idsOf(store, spaced), ['turn_2'])
    await clock.advance(WAIT_MS)
    assert.deepEqual(await idsOf(store, { ...spaced, limit: 2, expired: true }), ['turn_1', 'turn_2'])
    assert.deepEqual(await idsOf(store, { ...spaced, expired: true }), ['turn_3'])
  })

  test(`${name}: a finished question is removed, and finishing it twice does no harm`, async (context) => {
    const { clock, store } = await opened(context)
    await store.accept(question(1))
    await store.accept(question(2))
    await store.claim({ ...ALL, limit: 1 })
    await store.done('turn_2')
    await store.done('turn_2')
    await store.done('turn_9')
    await clock.advance(1000)
    assert.deepEqual([await idsOf(store), await store.count()], [['turn_1'], 1])
  })

  test(`${name}: the limits per principal and in total hold, and finished questions make room`, async (context) => {
    const { store } = await opened(context)
    for (let number = 1; number <= 3; number += 1) assert.equal(await store.accept(question(number, 'one')), true)
    assert.equal(await store.accept(question(4, 'one')), false)
    await store.done('turn_2')
    assert.equal(await store.accept(question(4, 'one')), true)
    for (let number = 5; number <= 11; number += 1) assert.equal(await store.accept(question(number)), true)
    assert.equal(await store.accept(question(12)), false)
    // A stored question is accepted again, full or not.
    assert.equal(await store.accept(question(11)), true)
    assert.equal(await store.count(), 10)
  })

  test(`${name}: expired questions are claimed apart from those owed an answer, the longest expired first`, async (context) => {
    const { clock, store } = await opened(context)
    await store.accept(question(1))
    await store.accept({ ...question(2), expiresAt: NOON + 10 })
    await clock.advance(9)
    assert.deepEqual(await idsOf(store, { expired: true }), [])
    await clock.advance(1)
    assert.deepEqual(await idsOf(store), ['turn_1'])
    assert.deepEqual(await idsOf(store, { expired: true }), ['turn_2'])
    assert.deepEqual(await idsOf(store, { expired: true }), [])
    await clock.advance(WAIT_MS)
    assert.deepEqual(await idsOf(store), [])
    assert.deepEqual(await idsOf(store, { expired: true }), ['turn_2', 'turn_1'])
  })

  test(`${name}: the questions of one principal are listed, oldest first, leased or not`, async (context) => {
    const { store } = await opened(context)
    for (const number of [2, 1, 3]) await store.accept(question(number, number === 3 ? 'other' : 'one'))
    await store.claim(ALL)
    assert.deepEqual(await store.ofPrincipal('one'), [question(1, 'one'), question(2, 'one')])
    assert.deepEqual(await store.ofPrincipal('nobody'), [])
  })
}
