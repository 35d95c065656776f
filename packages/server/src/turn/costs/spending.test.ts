// The shop's ceilings on a node: reserved before a call, returned after it, and never exceeded by all nodes together.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { memorySpendChunks } from '#adapters/memory/spend-chunks.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { dayOf } from '#domain/budget/day.ts'
import type { SpendChunks } from '#ports/spend-chunks/port.ts'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import { createSpending } from './spending.ts'
import type { Spend } from '#domain/budget/spend.ts'

const TOKYO = 'Asia/Tokyo'
const DAY = dayOf(NOON, TOKYO)
const ceilings = { guestsMicroUsdPerDay: 1000, storeMicroUsdPerDay: 3000 }
const of = (id: string, microUsd: number, over: Partial<Spend> = {}): Spend => ({
  id,
  spender: 'guest',
  day: DAY,
  microUsd,
  ...over,
})

function setUp(budgets = ceilings, given?: SpendChunks) {
  const clock = manualClock()
  const telemetry = memoryTelemetry()
  const chunks = given ?? memorySpendChunks({ clock })
  let nodes = 0
  const node = () => {
    nodes += 1
    return createSpending({ chunks, clock, telemetry, random: seededRandom(`node ${nodes}`), config: { budgets } })
  }
  const taken = (name: 'store' | 'guests') => chunks.taken({ name, day: DAY, limitMicroUsd: 0 })
  return { clock, telemetry, chunks, node, taken }
}

test('guests stop at their own ceiling, and users at the shop’s', async () => {
  const spending = setUp().node()
  assert.equal(await spending.reserve(of('a', 900)), undefined)
  assert.equal(await spending.reserve(of('b', 200)), 'guests-budget')
  assert.equal(await spending.reserve(of('c', 2000, { spender: 'user' })), undefined)
  assert.equal(await spending.reserve(of('d', 200, { spender: 'shop' })), 'store-budget')
})

test('money that a call did not need is free for the next, and use beyond the reservation is counted', async () => {
  const { node, taken } = setUp()
  const spending = node()
  await spending.reserve(of('a', 1000))
  spending.settle(of('a', 100))
  assert.equal(await spending.reserve(of('b', 900)), undefined)
  spending.settle(of('b', 950))
  await spending.close()
  assert.equal(await taken('guests'), 1050)
  assert.equal(await taken('store'), 1050)
})

test('a further call is reserved too, or not made', async () => {
  const spending = setUp().node()
  await spending.reserve(of('a', 600))
  assert.equal(await spending.raise(of('a', 900)), true)
  assert.equal(await spending.raise(of('a', 1100)), false)
  assert.equal(await spending.raise(of('new', 100)), true)
})

test('a node that stops returns its money, and one that died does not', async () => {
  const { node, taken } = setUp()
  const [leaving, dying, last] = [node(), node(), node()]
  await leaving.reserve(of('a', 200))
  leaving.settle(of('a', 50))
  await leaving.close()
  assert.equal(await taken('guests'), 50)
  await dying.reserve(of('b', 900))
  assert.equal(await last.reserve(of('c', 100)), 'guests-budget')
})

test('a turn that was lost to another owner counts as spent here', async () => {
  const { node, taken } = setUp()
  const spending = node()
  await spending.reserve(of('a', 300))
  spending.abandon('a')
  await spending.close()
  assert.equal(await taken('store'), 300)
})

test('a settlement is charged even when another node made the reservation', async () => {
  const { node, taken } = setUp()
  const spending = node()
  spending.settle(of('recovered', 70))
  await spending.close()
  assert.equal(await taken('guests'), 70)
})

test('half, four fifths and all of a ceiling are reported to operators', async () => {
  const { node, telemetry } = setUp({ ...ceilings, storeMicroUsdPerDay: Number.MAX_SAFE_INTEGER })
  const spending = node()
  for (const id of 'abcdefghij') await spending.reserve(of(id, 100))
  const steps = telemetry.logged
    .filter(({ event }) => event === 'alarm.store-spend')
    .map(({ fields }) => fields['percent'])
  assert.deepEqual(steps, [50, 80, 100])
})

test('the day is that of the shop’s time zone: its midnight starts a new budget', async () => {
  const spending = setUp().node()
  const lastMinute = dayOf(Date.parse('2026-11-04T14:59:59Z'), TOKYO)
  const midnight = dayOf(Date.parse('2026-11-04T15:00:00Z'), TOKYO)
  assert.notEqual(lastMinute.key, midnight.key)
  await spending.reserve(of('a', 1000, { day: lastMinute }))
  assert.equal(await spending.reserve(of('b', 10, { day: lastMinute })), 'guests-budget')
  assert.equal(await spending.reserve(of('c', 1000, { day: midnight })), undefined)
})

test('while the accounts are unavailable the node spends its leased money, and then nothing', async () => {
  const { chunks } = setUp()
  let isUnavailable = false
  const failing: SpendChunks = {
    ...chunks,
    lease: (...args) => (isUnavailable ? Promise.reject(new Error('unavailable')) : chunks.lease(...args)),
  }
  const { node, clock } = setUp({ guestsMicroUsdPerDay: 100_000, storeMicroUsdPerDay: 100_000 }, failing)
  const spending = node()
  await spending.reserve(of('a', 10))
  isUnavailable = true
  assert.equal(await spending.reserve(of('b', 10)), undefined)
  assert.equal(await spending.reserve(of('c', 50_000)), 'guests-budget')
  isUnavailable = false
  await clock.advance(1000)
  assert.equal(await spending.reserve(of('d', 50_000)), undefined)
})

test('the largest number means no ceiling', async () => {
  const none = Number.MAX_SAFE_INTEGER
  const { node, taken } = setUp({ guestsMicroUsdPerDay: none, storeMicroUsdPerDay: none })
  assert.equal(await node().reserve(of('a', 1e12)), undefined)
  assert.equal(await taken('store'), 0)
})

test('concurrent nodes never hold more than the ceilings, and nothing is lost after all have stopped', async () => {
  const act = fc.record({
    node: fc.nat(2),
    ask: fc.integer({ min: 1, max: 400 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    spender: fc.constantFrom('guest', 'user', 'shop'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 40 }), async (acts) => {
      const { node, taken } = setUp()
      const nodes = [node(), node(), node()]
      let [spent, ofGuests] = [0, 0]
      await Promise.all(
        acts.map(async ({ node: at, ask, share, spender }, index) => {
          const spend = of(`${index}`, ask, { spender })
          if ((await nodes[at]!.reserve(spend)) !== undefined) return
          assert.ok((await taken('store')) <= 3000 && (await taken('guests')) <= 1000)
          const microUsd = Math.floor(ask * share)
          nodes[at]!.settle({ ...spend, microUsd })
          spent += microUsd
          if (spender === 'guest') ofGuests += microUsd
        }),
      )
      assert.ok(spent <= 3000 && ofGuests <= 1000)
      await Promise.all(nodes.map((one) => one.close()))
      assert.equal(await taken('store'), spent)
      assert.equal(await taken('guests'), ofGuests)
    }),
  )
})
