// Changes by operators: they take effect, are bounded, and are in the audit with the previous value.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '#domain/refusal.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import { fakeAdmin } from '#fixtures/edge/fake-admin.ts'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import { fails, withVerbs } from '#fixtures/stores/ports.ts'
import { sampleAsk, sampleLedgerRow, sampleSession, TODAY } from '#fixtures/turns/samples.ts'
import { createAdminQueries } from './admin.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'

const author = { by: 'aki', reason: 'a launch' }
const refused = (code: string, field: string) => (error: unknown) =>
  error instanceof Refusal && error.code === code && error.details?.['field'] === field

function setUp() {
  const clock = manualClock()
  return { clock, ...fakeAdmin(clock) }
}

async function spend(budgets: ReturnType<typeof setUp>['budgets'], used: readonly [number, number, number]) {
  const answer = await budgets.admit(sampleAsk())
  assert.ok(answer.kind === 'granted')
  const [inputTokens, outputTokens, costMicroUsd] = used
  await budgets.settle(answer.hold, { inputTokens, outputTokens, costMicroUsd }, { claimMs: 0 })
}

test('an override changes figures of a tier until it is removed', async () => {
  const { queries, limits } = setUp()
  const free = async () => (await queries.tiers()).find(({ tier }) => tier === 'free')
  assert.deepEqual((await free())?.effective, testConfig.tiers['free'])
  const line = await queries.setTier('free', { microUsdPerDay: 2_000_000 }, author)
  assert.deepEqual([line.action, line.by, line.reason, line.at], ['tier-set', 'aki', 'a launch', isoTime(NOON)])
  assert.deepEqual((await free())?.override, { microUsdPerDay: 2_000_000 })
  assert.deepEqual((await free())?.effective, { ...testConfig.tiers['free'], microUsdPerDay: 2_000_000 })
  // It applies on this node at once.
  assert.equal((await limits.of({ id: 'guest_1', tier: 'free' })).day.costMicroUsd, 2_000_000)
  await queries.setTier('free', undefined, author)
  assert.deepEqual((await free())?.override, undefined)
  await assert.rejects(queries.setTier('gold', { microUsdPerDay: 1 }, author), refused('NOT_FOUND', 'tier'))
})

test('an override of a user applies until it expires', async () => {
  const { queries, clock, limits } = setUp()
  const user = { id: 'user_1', tier: 'free' }
  await queries.setUser('user_1', { tier: 'premium', expiresAt: NOON + 60_000 }, author)
  assert.equal((await limits.of(user)).tier, 'premium')
  assert.deepEqual(await queries.userOverrides(), [
    { userId: 'user_1', tier: 'premium', expiresAt: isoTime(NOON + 60_000), expired: false },
  ])
  await clock.advance(60_000)
  assert.equal((await limits.of(user)).tier, 'free')
  assert.equal((await queries.userOverrides())[0]?.expired, true)
  await queries.setUser('user_1', undefined, author)
  assert.deepEqual(await queries.userOverrides(), [])
})

test('an override with an unknown tier or a past expiry is refused', async () => {
  const { queries } = setUp()
  await assert.rejects(queries.setUser('u', { tier: 'gold' }, author), refused('INVALID_REQUEST', 'tier'))
  const over = { tier: 'premium', expiresAt: NOON }
  await assert.rejects(queries.setUser('u', over, author), refused('INVALID_REQUEST', 'expiresAt'))
  assert.deepEqual(await queries.audit({ limit: 10 }), [])
})

test('a user’s view has the used, reserved and remaining amounts, by the tier of the last answer', async () => {
  const { queries, budgets, ledger } = setUp()
  await spend(budgets, [1000, 200, 300_000])
  await budgets.admit(sampleAsk({ turnId: 'turn_2' }))
  const fresh = await queries.user('guest_1')
  assert.deepEqual([fresh.quota.tier, fresh.day], ['free', TODAY.key])
  assert.deepEqual(fresh.quota.costMicroUsd, { used: 300_000, reserved: 10_000, limit: 1_000_000 })
  assert.deepEqual(fresh.left, { input: 98_000, output: 49_300, costMicroUsd: 690_000 })
  await ledger.record([sampleLedgerRow({ userTier: 'free' }), sampleLedgerRow({ attempt: 2, userTier: 'standard' })])
  assert.equal((await queries.user('guest_1')).quota.tier, 'standard')
  assert.equal((await queries.user('guest_1', 'premium')).quota.tier, 'premium')
  await queries.setUser('guest_1', { limits: { microUsdPerDay: 100 } }, author)
  const lowered = await queries.user('guest_1')
  assert.deepEqual([lowered.left.costMicroUsd, lowered.override?.limits], [0, { microUsdPerDay: 100 }])
})

test('a reset sets the counted usage to zero, reports how much it was, and leaves the ledger unchanged', async () => {
  const { queries, budgets, ledger, sessions } = setUp()
  await ledger.record([sampleLedgerRow()])
  await sessions.create(sampleSession({ id: 'sess_of_turn_1', principalId: 'guest_1' }))
  await spend(budgets, [1000, 200, 300_000])
  const session = { scope: 'session', sessionId: 'sess_of_turn_1', userId: 'guest_1' } as const
  const ofSession = await queries.reset(session, author)
  assert.deepEqual(
    [ofSession.action, ofSession.before],
    ['session-reset', { inputTokens: 1000, outputTokens: 200, costMicroUsd: 0 }],
  )
  const ofDay = await queries.reset({ scope: 'day', userId: 'guest_1' }, author)
  assert.deepEqual(
    [ofDay.action, ofDay.subject, ofDay.before],
    ['day-reset', 'guest_1', { inputTokens: 1000, outputTokens: 200, costMicroUsd: 300_000 }],
  )
  assert.equal((await queries.user('guest_1')).quota.costMicroUsd.used, 0)
  assert.equal((await ledger.totals({})).rows, 1)
  assert.deepEqual(await queries.audit({ limit: 10, subject: 'guest_1' }), [ofDay, ofSession])
  await assert.rejects(queries.reset({ ...session, userId: 'guest_2' }, author), refused('NOT_FOUND', 'sessionId'))
})

test('a reset whose audit line cannot be written fails and is logged', async () => {
  const { clock, limits, telemetry, ...stores } = setUp()
  const admin = withVerbs(stores.admin, { note: fails })
  const queries = createAdminQueries({
    ...stores,
    admin,
    clock,
    config: testConfig,
    limits,
    telemetry,
    userQuota: fails,
  })
  await assert.rejects(queries.reset({ scope: 'day', userId: 'guest_1' }, author), /the store is down/)
  assert.deepEqual(
    telemetry.logged.map(({ level, event }) => [level, event]),
    [['error', 'admin.reset-uncertain']],
  )
})

test('a reset with an unknown result is in the audit without a previous value', async () => {
  const { clock, limits, ...stores } = setUp()
  const budgets = withVerbs(stores.budgets, { reset: fails })
  const queries = createAdminQueries({
    ...stores,
    budgets: budgets,
    clock,
    config: testConfig,
    limits,
    userQuota: fails,
  })
  await assert.rejects(queries.reset({ scope: 'day', userId: 'guest_1' }, author), /the store is down/)
  assert.deepEqual(
    (await queries.audit({ limit: 10 })).map(({ action, before }) => [action, before]),
    [['day-reset', null]],
  )
})
