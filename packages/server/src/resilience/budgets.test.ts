// A standalone node grants a small allowance, knows its own turns, and charges everything once when the store answers again.
// While the store answers, the budgets behave like the store.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { MemoryTelemetry } from '#adapters/memory/telemetry.ts'
import { add, exceeds } from '#domain/budget/quota.ts'
import type { Amounts, Hold } from '#domain/budget/quota.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { budgetsContract } from '#ports/budgets/contract.ts'
import { ALLOWANCE, degradedNode, LIMITS } from '#fixtures/budgets/degraded-node.ts'
import { sampleAsk, sampleLimits, TODAY } from '#fixtures/turns/samples.ts'
import { amounts, granted, guests, NOTHING, quotaOf } from '#fixtures/budgets/budgets.ts'
import { resilientBudgets } from './budgets.ts'

const setUp = (allowance?: Parameters<typeof degradedNode>[1]) => degradedNode(resilientBudgets, allowance)

budgetsContract('resilient budgets', async () => setUp())

const turn = (number: number) => ({ turnId: `turn_${number}`, limits: LIMITS })
const USED = amounts(400, 100, 6000)
const eventsOf = ({ logged }: MemoryTelemetry) => logged.map(({ event }) => event)

test('a standalone node grants a user the allowance and then answers that it is unavailable', async () => {
  const { budgets, store, telemetry } = setUp()
  store.isUnavailable = true
  assert.deepEqual((await granted(budgets, turn(1))).granted, amounts(1000, 500, 10_000))
  await granted(budgets, turn(2))
  assert.deepEqual((await granted(budgets, turn(3))).granted, amounts(1000, 500, 5000))
  assert.deepEqual(await budgets.admit(sampleAsk(turn(4))), { kind: 'unavailable', retryAfterMs: 5000 })
  await granted(budgets, { ...turn(5), principalId: 'guest_2' })
  assert.deepEqual(eventsOf(telemetry), ['budget.standalone-began'])
  const counted = telemetry.counted.filter(({ name }) => name === 'budget_standalone_granted_total')
  assert.equal(counted.length, 4)
})

test('all users of a standalone node together spend no more than the node’s allowance', async () => {
  const { budgets, store } = setUp()
  store.isUnavailable = true
  const answers = []
  for (let user = 0; user < 15; user += 1)
    answers.push(await budgets.admit(sampleAsk({ ...turn(user), principalId: `guest_${user}` })))
  assert.deepEqual(
    answers.map(({ kind }) => kind),
    [...Array.from({ length: 10 }, () => 'granted'), ...Array.from({ length: 5 }, () => 'unavailable')],
  )
  // The unused part of a hold is available to other users.
  const [first] = answers
  assert.ok(first?.kind === 'granted')
  await budgets.settle(first.hold, NOTHING, { claimMs: 0 })
  await granted(budgets, { ...turn(20), principalId: 'guest_20' })
})

test('a standalone node applies its share of the rates', async () => {
  const { budgets, store } = setUp()
  store.isUnavailable = true
  const limits = sampleLimits({ requestsPerMinute: 4, userRate: { perSecond: 100, burst: 100 } })
  const small = { limits, ask: amounts(100, 64, 0) }
  await granted(budgets, { ...small, turnId: 'turn_1' })
  await granted(budgets, { ...small, turnId: 'turn_2' })
  const third = await budgets.admit(sampleAsk({ ...small, turnId: 'turn_3' }))
  assert.ok(third.kind === 'rate-limited' && third.scope === 'requests-per-minute')
})

test('an account that several users share gets one allowance per user, and does not count as spending of the node', async () => {
  const { budgets, store } = setUp()
  store.isUnavailable = true
  const limits = { ...LIMITS, day: amounts(200_000, 100_000, 20_000_000) }
  for (let number = 0; number < 20; number += 1)
    await granted(budgets, { turnId: `turn_${number}.net`, principalId: 'net_1', limits, users: 20 })
  await granted(budgets, turn(1))
})

test('a standalone node does not grant a budget that it knows to be used up, and says that it is exceeded', async () => {
  const { budgets, store, comeBack } = setUp()
  const hold = await granted(budgets, turn(1))
  await budgets.settle(hold, amounts(9900, 4000, 0), { claimMs: 0 })
  await budgets.quota('guest_1', LIMITS, TODAY)
  store.isUnavailable = true
  assert.equal((await granted(budgets, turn(2))).granted.inputTokens, 50, 'its share of the rest')
  await budgets.release(guests('turn_2'))
  await comeBack()
  const rest = await granted(budgets, turn(3))
  await budgets.settle(rest, amounts(100, 0, 0), { claimMs: 0 })
  await budgets.quota('guest_1', LIMITS, TODAY)
  store.isUnavailable = true
  const refused = await budgets.admit(sampleAsk(turn(4)))
  assert.ok(refused.kind === 'quota-exceeded' && refused.scope === 'day-input')
  assert.equal(refused.quota.used.inputTokens, 10_000)
})

test('usage on a standalone node is charged once when the store answers again', async () => {
  const { budgets, store, books, telemetry, comeBack } = setUp()
  const before = await granted(budgets, turn(1))
  store.isUnavailable = true
  const meanwhile = await granted(budgets, turn(2))
  // One turn was admitted by the store and ends without it, the other was admitted without it; both are settled twice.
  for (const hold of [before, meanwhile, before, meanwhile]) await budgets.settle(hold, USED, { claimMs: 0 })
  assert.equal(budgets.waiting, 2)
  assert.deepEqual((await quotaOf(budgets)).used, USED, 'what this node knows')
  await comeBack()
  assert.equal(budgets.waiting, 0)
  const { used, reserved } = await quotaOf(books)
  assert.deepEqual([used, reserved], [amounts(800, 200, 12_000), NOTHING])
  assert.deepEqual((await quotaOf(budgets)).used, used)
  assert.deepEqual(eventsOf(telemetry), ['budget.standalone-began', 'budget.standalone-ended'])
})

test('the alarm of a day that standalone usage brings past its threshold is reported at the charge', async () => {
  const { budgets, store, telemetry, comeBack } = setUp()
  store.isUnavailable = true
  await budgets.settle(await granted(budgets, turn(1)), USED, { claimMs: 0, alarmMicroUsd: 5000 })
  const alarms = () => telemetry.counted.filter(({ name }) => name === 'alarm_user_spend_total').length
  assert.equal(alarms(), 0)
  await comeBack()
  assert.equal(alarms(), 1)
})

test('an admission with a lost answer is settled once; if this node then refused it, the store releases it', async () => {
  const { budgets, store, books, comeBack } = setUp()
  Object.assign(store, { isUnavailable: true, losesAnswers: true })
  const hold = await granted(budgets, turn(1))
  assert.equal((await quotaOf(books)).reserved.inputTokens, 1000)
  await granted(budgets, turn(2))
  await granted(budgets, turn(3))
  assert.equal((await budgets.admit(sampleAsk({ ...turn(4), sessionId: 'sess_4' }))).kind, 'unavailable')
  assert.equal(await books.runningTurn(guests('sess_4')), 'turn_4')
  await budgets.settle(hold, USED, { claimMs: 0 })
  store.losesAnswers = false
  await comeBack()
  assert.equal(await books.runningTurn(guests('sess_4')), undefined)
  assert.deepEqual((await quotaOf(books)).used, USED)
})

const FOURTH = { ...turn(4), sessionId: 'sess_4', leaseMs: 60_000 }

/** Admits FOURTH in the store with the answer lost, and has it refused standalone: its release waits. */
async function refusedAfterLostAnswer() {
  const parts = setUp()
  const { books, budgets, store } = parts
  Object.assign(store, { isUnavailable: true, losesAnswers: true })
  const [first] = [await granted(budgets, turn(1)), await granted(budgets, turn(2)), await granted(budgets, turn(3))]
  assert.equal((await budgets.admit(sampleAsk(FOURTH))).kind, 'unavailable')
  assert.equal(await books.runningTurn(guests('sess_4')), 'turn_4')
  await budgets.settle(first, NOTHING, { claimMs: 0 })
  return parts
}

test('a turn that is granted standalone after its release was executed is charged', async () => {
  const { books, clock, comeBack, budgets, store } = await refusedAfterLostAnswer()
  await clock.advance(500)
  assert.equal(await books.runningTurn(guests('sess_4')), undefined)
  store.losesAnswers = false
  const hold = await granted(budgets, FOURTH)
  await budgets.settle(hold, USED, { claimMs: 0 })
  await comeBack()
  assert.deepEqual((await quotaOf(books)).used, USED)
})

test('a new request cancels the waiting release of its turn if it is granted, and not if it is refused', async () => {
  const { books, comeBack, budgets, store } = await refusedAfterLostAnswer()
  store.isUnavailable = false
  await granted(budgets, FOURTH)
  await comeBack()
  assert.equal(await books.runningTurn(guests('sess_4')), 'turn_4')
  const refused = await refusedAfterLostAnswer()
  refused.store.losesAnswers = false
  await granted(refused.budgets, turn(5))
  assert.equal((await refused.budgets.admit(sampleAsk(FOURTH))).kind, 'unavailable')
  await refused.comeBack()
  assert.equal(await refused.books.runningTurn(guests('sess_4')), undefined)
})

test('a standalone node knows which of its sessions are busy and recognises a double tap', async () => {
  const { budgets, store } = setUp()
  const hold = await granted(budgets, { ...turn(1), sessionId: 'sess_1' })
  store.isUnavailable = true
  const alone = await granted(budgets, { ...turn(2), sessionId: 'sess_2' })
  const { idempotency } = sampleAsk()
  for (const sessionId of ['sess_1', 'sess_2'])
    assert.equal((await budgets.admit(sampleAsk({ ...turn(3), sessionId }))).kind, 'session-busy')
  const tapped = await budgets.admit(sampleAsk({ ...turn(3), idempotency }))
  assert.deepEqual(tapped, { kind: 'duplicate', turnId: 'turn_1', sessionId: 'sess_1' })
  const reused = sampleAsk({ ...turn(3), idempotency: { ...idempotency, fingerprint: 'another' } })
  assert.equal((await budgets.admit(reused)).kind, 'key-reused')
  assert.equal(await budgets.runningTurn(guests('sess_1')), 'turn_1')
  // It still does when the store answers again, which does not know the turn.
  store.isUnavailable = false
  assert.equal((await budgets.admit(sampleAsk({ ...turn(3), sessionId: 'sess_2' }))).kind, 'session-busy')
  assert.equal(await budgets.runningTurn(guests('sess_2')), 'turn_2')
  await budgets.settle(alone, NOTHING, { claimMs: 0 })
  await budgets.settle(hold, NOTHING, { claimMs: 0 })
  await granted(budgets, { ...turn(3), sessionId: 'sess_2' })
})

test('during an outage a node’s own holds stay valid but are not raised, and another node’s hold is unknown', async () => {
  const { budgets, store } = setUp()
  const hold = await granted(budgets, turn(1))
  store.isUnavailable = true
  const alone = await granted(budgets, turn(2))
  assert.equal(await budgets.narrow(hold, NOTHING), true)
  assert.equal(await budgets.renew(hold, 10_000), true)
  assert.equal(await budgets.extend(hold, amounts(2000, 0, 0), LIMITS), false)
  await assert.rejects(budgets.renew(guests('turn_9'), 10_000), StoreUnavailable)
  assert.equal(await budgets.narrow(alone, amounts(500, 500, 5000)), true)
  assert.equal(await budgets.extend(alone, amounts(2000, 1000, 20_000), LIMITS), true)
  assert.equal(await budgets.extend(alone, amounts(2000, 1000, 30_000), LIMITS), false)
  assert.equal(await budgets.renew(alone, 10_000), true)
  assert.deepEqual(await budgets.settle(alone, amounts(2000, 1001, 20_000), { claimMs: 0 }), {
    charged: true,
    overage: true,
  })
})

/** One step of one of a few turns, with the store available or not: the turn advances or dies. */
const move = fc.record({
  turn: fc.nat(11),
  what: fc.constantFrom('go', 'go', 'go', 'narrow', 'extend', 'renew', 'die'),
  weather: fc.constantFrom('up', 'up', 'down', 'lossy'),
  thenMs: fc.constantFrom(0, 0, 10, 500, 4000),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
})

test('in any history with outages usage is charged once, and a standalone node grants no more than the allowance', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 80, size: 'max' }), async (moves) => {
      const { budgets, clock, store, books, local, comeBack } = setUp()
      const holds = new Map<number, { readonly hold: Hold; used?: Amounts }>()
      const dead = new Set<number>()
      const sums = new Map<string, Amounts>()
      for (const { share, thenMs, turn: number, weather, what } of moves) {
        Object.assign(store, { isUnavailable: weather !== 'up', losesAnswers: weather === 'lossy' })
        const [known, principalId] = [holds.get(number), `guest_${number % 2}`]
        const isOpen = known !== undefined && known.used === undefined
        if (what === 'die') dead.add(number)
        if (dead.has(number)) continue
        if (known === undefined) {
          const answer = await budgets.admit(sampleAsk({ ...turn(number), principalId }))
          if (answer.kind !== 'granted') continue
          holds.set(number, { hold: answer.hold })
        } else if (isOpen && what === 'narrow') await budgets.narrow(known.hold, known.hold.granted)
        else if (isOpen && what === 'extend') await budgets.extend(known.hold, known.hold.granted, LIMITS)
        else if (isOpen && what === 'renew') await budgets.renew(known.hold, 10_000)
        else {
          // A repeated settlement has the same amounts.
          const used = known.used ?? part(known.hold.granted, share)
          await budgets.settle(known.hold, used, { claimMs: 0 })
          if (known.used === undefined) sums.set(principalId, add(sums.get(principalId) ?? NOTHING, used))
          known.used = used
        }
        await clock.advance(thenMs)
      }
      await comeBack()
      await budgets.quota('guest_0', LIMITS, TODAY)
      await comeBack()
      assert.equal(budgets.waiting, 0)
      for (const principalId of ['guest_0', 'guest_1']) {
        const { used, reserved } = await books.quota(principalId, LIMITS, TODAY)
        assert.deepEqual([used, reserved], [sums.get(principalId) ?? NOTHING, NOTHING])
        const here = await local.quota(principalId, LIMITS, TODAY)
        assert.ok(!exceeds(here.used, ALLOWANCE.perUser), 'a standalone node spends no more than the allowance')
      }
      await budgets[Symbol.asyncDispose]()
      assert.equal(clock.timers(), 0)
    }),
    { numRuns: 200 },
  )
})

const part = (of: Amounts, share: number): Amounts => {
  const some = (figure: number) => Math.floor(figure * share)
  return amounts(some(of.inputTokens), some(of.outputTokens), some(of.costMicroUsd))
}

test('a double tap of which only one request reaches the store is one turn, whichever request it is', async () => {
  const idempotency = { key: 'tap', fingerprint: 'body', claimMs: 5000 }
  const tap = (number: number) => sampleAsk({ ...turn(number), sessionId: 'sess_1', idempotency })
  for (const isUnavailableFirst of [true, false]) {
    const { books, budgets, store } = setUp()
    store.isUnavailable = isUnavailableFirst
    const first = budgets.admit(tap(1))
    store.isUnavailable = !isUnavailableFirst
    const second = budgets.admit(tap(2))
    const answers = await Promise.all([first, second])
    assert.deepEqual(answers.map(({ kind }) => kind).toSorted(), ['duplicate', 'granted'])
    const granted = answers.find((answer) => answer.kind === 'granted')
    const duplicate = answers.find((answer) => answer.kind === 'duplicate')
    assert.equal(duplicate?.turnId, granted?.hold.id)
    // The hold that was granted needlessly is released.
    const { reserved } = await quotaOf(books)
    assert.ok(!exceeds(reserved, granted?.hold.granted ?? NOTHING))
  }
})

test('a session whose standalone turn was taken over by another node is free again when its hold is not renewed', async () => {
  const { clock, comeBack, budgets, store } = setUp()
  store.isUnavailable = true
  const hold = await granted(budgets, { ...turn(1), sessionId: 'sess_1', leaseMs: 45_000 })
  await comeBack()
  const next = () => budgets.admit(sampleAsk({ ...turn(2), sessionId: 'sess_1' }))
  await clock.advance(30_000)
  await budgets.renew(hold, 45_000)
  await clock.advance(40_000)
  assert.equal((await next()).kind, 'session-busy')
  // The other node settles the turn, and this node does not learn of it.
  await clock.advance(5000)
  assert.equal(await budgets.runningTurn({ id: 'sess_1', principalId: 'guest_1' }), undefined)
  assert.equal((await next()).kind, 'granted')
})
