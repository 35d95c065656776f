// Random histories of admissions, renewals, settlements and passing time, told to the shared state in SQLite and to
// the one in memory: both must answer alike, and the books must balance after every step.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Amounts, Hold } from '#domain/quota.ts'
import { add, NOTHING } from '#domain/quota.ts'
import type { SharedState } from '#ports/shared-state.ts'
import { manualClock } from '../../../test/fixtures/manual-clock.ts'
import { sampleAsk, sampleLimits, TODAY } from '../../../test/fixtures/samples.ts'
import { tempDatabase } from '../../../test/fixtures/temp-database.ts'
import { memorySharedState } from '../memory/shared-state.ts'
import { sqliteSharedState } from './shared-state.ts'

const RUNS = 60
const PRINCIPALS = ['guest_1', 'guest_2'] as const
const PARTS = ['inputTokens', 'outputTokens', 'costMicroUsd'] as const
const DAY_LIMIT = { inputTokens: 3000, outputTokens: 1500, costMicroUsd: 20_000 }
const TIGHT = sampleLimits({
  day: DAY_LIMIT,
  session: { inputTokens: 2000, outputTokens: 1200 },
  requestsPerMinute: 6,
  messagesPerDay: 12,
  userRate: { perSecond: 0.5, burst: 4 },
})
/** Where rates refuse little, claims and holds are reached more often. */
const LOOSE_RATES = { requestsPerMinute: 1000, messagesPerDay: 1000, userRate: { perSecond: 1000, burst: 1000 } }
const limitsOf = (isLoose: boolean) => ({ ...TIGHT, ...(isLoose ? LOOSE_RATES : {}) })
const LEASE_MS = 10_000

const amounts: fc.Arbitrary<Amounts> = fc.record({
  inputTokens: fc.nat(1200),
  outputTokens: fc.nat(700),
  costMicroUsd: fc.nat(9000),
})
const turn = fc.nat(11)
const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('admit' as const),
      turn,
      session: fc.nat(3),
      key: fc.nat(2),
      body: fc.nat({ max: 1 }),
      amounts,
      isLoose: fc.boolean(),
      claimMs: fc.constantFrom(0, 5000, 30_000),
    }),
  },
  fc.record({ type: fc.constant('narrow' as const), turn, amounts }),
  fc.record({ type: fc.constant('renew' as const), turn, leaseMs: fc.constantFrom(1, 5000, LEASE_MS) }),
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('settle' as const), turn, amounts, claimMs: fc.constantFrom(0, 30_000) }),
  },
  fc.record({ type: fc.constant('release' as const), turn }),
)
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never

/** What is asked for at the same moment, then how long nothing happens. */
const step = fc.record({
  together: fc.array(operation, { minLength: 1, maxLength: 4 }),
  thenMs: fc.constantFrom(0, 0, 1, 500, 2000, 4999, 5000, 9999, LEASE_MS, 60_000),
})

const turnIdOf = (turn: number) => `turn_${turn}`
/** A turn and a session belong to one principal, as ids in life do. */
const principalOf = (number: number) => PRINCIPALS[number % PRINCIPALS.length] ?? 'guest_1'
const holdOf = (turn: number): Hold => ({
  id: turnIdOf(turn),
  principalId: principalOf(turn),
  sessionId: `sess_${principalOf(turn)}_0`,
  day: TODAY,
  granted: NOTHING,
})

async function perform(state: SharedState, one: Operation, holds: ReadonlyMap<string, Hold>): Promise<unknown> {
  const turnId = turnIdOf(one.turn)
  switch (one.type) {
    case 'admit':
      return state.admit(
        sampleAsk({
          turnId,
          principalId: principalOf(one.turn),
          sessionId: `sess_${principalOf(one.turn)}_${one.session}`,
          limits: limitsOf(one.isLoose),
          idempotency: { key: `key_${one.key}`, fingerprint: `body_${one.body}`, claimMs: one.claimMs },
          ask: one.amounts,
          leaseMs: LEASE_MS,
        }),
      )
    case 'narrow':
      return state.narrow(turnId, one.amounts)
    case 'renew':
      return state.renew(turnId, one.leaseMs)
    case 'settle':
      return state.settle(holds.get(turnId) ?? holdOf(one.turn), one.amounts, one.claimMs)
    case 'release':
      return state.release(turnId)
  }
}

/** The books as a bystander keeps them, from the answers alone. */
class Books {
  readonly holds = new Map<string, Hold>()
  readonly #charged = new Map<string, Amounts>()
  readonly #settled = new Set<string>()
  readonly #overdrawn = new Set<string>()

  note(one: Operation, answer: unknown): void {
    const turnId = turnIdOf(one.turn)
    const { kind, hold, charged, overage } = (answer ?? {}) as {
      kind?: string
      hold?: Hold
      charged?: boolean
      overage?: boolean
    }
    if (kind === 'granted' && hold !== undefined) this.holds.set(turnId, hold)
    if (one.type !== 'settle' || charged !== true) return
    assert.ok(!this.#settled.has(turnId), 'a hold is settled once')
    this.#settled.add(turnId)
    const principalId = principalOf(one.turn)
    this.#charged.set(principalId, add(this.charged(principalId), one.amounts))
    if (overage === true) this.#overdrawn.add(principalId)
  }

  charged(principalId: string): Amounts {
    return this.#charged.get(principalId) ?? NOTHING
  }

  isOverdrawn(principalId: string): boolean {
    return this.#overdrawn.has(principalId)
  }
}

async function assertBalanced(state: SharedState, books: Books): Promise<void> {
  for (const principalId of PRINCIPALS) {
    const quota = await state.quota(principalId, TIGHT, TODAY)
    assert.deepEqual(quota.used, books.charged(principalId))
    if (books.isOverdrawn(principalId)) continue
    for (const part of PARTS)
      assert.ok(quota.used[part] + quota.reserved[part] <= DAY_LIMIT[part], `${part} is within its limit`)
  }
}

test('shared state: SQLite and memory answer alike to any history, and the books balance', async (context) => {
  const history = fc.array(step, { minLength: 1, maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const clock = manualClock()
      const database = tempDatabase(context, clock)
      const [sqlite, memory] = [sqliteSharedState({ database, clock }), memorySharedState({ clock })]
      const books = new Books()
      for (const { together, thenMs } of steps) {
        const ask = (state: SharedState) => Promise.all(together.map((one) => perform(state, one, books.holds)))
        const answers = await ask(memory)
        assert.deepEqual(await ask(sqlite), answers)
        for (const [index, one] of together.entries()) books.note(one, answers[index])
        await clock.advance(thenMs)
        for (const state of [memory, sqlite]) await assertBalanced(state, books)
        assert.deepEqual(await running(sqlite), await running(memory))
      }
      await clock.advance(LEASE_MS)
      for (const principalId of PRINCIPALS) {
        const { reserved } = await sqlite.quota(principalId, TIGHT, TODAY)
        assert.deepEqual(reserved, NOTHING, 'every hold has been settled or has expired')
      }
      database.close()
    }),
    { numRuns: RUNS },
  )
})

function running(state: SharedState): Promise<readonly (string | undefined)[]> {
  const sessions = PRINCIPALS.flatMap((principalId) => [0, 1, 2, 3].map((session) => `sess_${principalId}_${session}`))
  return Promise.all(sessions.map((sessionId) => state.runningTurn(sessionId)))
}

test('shared state: a grant never takes a budget past its limit, even one that was overdrawn', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const clock = manualClock()
      const state = memorySharedState({ clock })
      const holds = new Map<string, Hold>()
      for (const { together, thenMs } of steps) {
        for (const one of together) {
          const answer = (await perform(state, one, holds)) as { kind?: string; hold?: Hold }
          if (one.type !== 'admit' || answer.kind !== 'granted' || answer.hold === undefined) continue
          if (!holds.has(answer.hold.id)) await assertWithin(state, answer.hold)
          holds.set(answer.hold.id, answer.hold)
        }
        await clock.advance(thenMs)
      }
    }),
    { numRuns: RUNS },
  )
})

async function assertWithin(state: SharedState, { principalId, granted }: Hold): Promise<void> {
  const { used, reserved } = await state.quota(principalId, TIGHT, TODAY)
  for (const part of PARTS) {
    assert.ok(granted[part] >= 0)
    assert.ok(granted[part] === 0 || used[part] + reserved[part] <= DAY_LIMIT[part], `${part} is within its limit`)
  }
}
