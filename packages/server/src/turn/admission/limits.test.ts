// The limits of admission: guests also by their network, all or nothing, and at no cost for a refused request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Config } from '#config/config.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import { tierLimits } from '#domain/budget/tier-limits.ts'
import type { AdmissionAsk } from '#ports/budgets/port.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { fails, testPorts, withVerbs } from '#fixtures/stores/ports.ts'
import { sampleAsk, TODAY } from '#fixtures/turns/samples.ts'
import { GUEST } from '#fixtures/turns/turns.ts'
import { createLimits } from './limits.ts'

const USER: Principal = { id: 'user_1', kind: 'user', tier: 'free' }
const LIMITS = tierLimits(testConfig, 'free')
const newcomer = (number: number): Principal => ({ ...GUEST, id: `guest_${number}` })

async function setUp(address: Partial<Config['rates']['address']> = {}) {
  const { rates } = testConfig
  const config = { ...testConfig, rates: { ...rates, address: { ...rates.address, ...address } } }
  const ports = await testPorts()
  const limits = createLimits({ ...ports, config })
  let turns = 0
  const take = (principal: Principal, over: Partial<AdmissionAsk> = {}, network = 'net_1') => {
    turns += 1
    const ask = sampleAsk({ turnId: `turn_${turns}`, principalId: principal.id, limits: LIMITS, ...over })
    return limits.take({ principal, route: 'stream', ...(network === '' ? {} : { network }) }, ask)
  }
  const ofNetwork = () => ports.budgets.quota('net_1', LIMITS, TODAY)
  return { ports, config, limits, take, ofNetwork }
}

const refused = (code: string, scope: string) => (error: unknown) => {
  assert.ok(error instanceof Refusal, String(error))
  assert.deepEqual([error.code, error.details?.['scope'], error.quota], [code, scope, undefined])
  assert.ok((error.retryAfterMs ?? 0) > 0)
  return true
}

test('guests behind one address share its rate, however many cookies they drop; another address has its own', async () => {
  const { take } = await setUp({ perSecond: 1, burst: 3 })
  for (let number = 0; number < 3; number += 1) await take(newcomer(number))
  await assert.rejects(take(newcomer(9)), refused('RATE_LIMITED', 'address-user-rate'))
  await take(newcomer(9), {}, 'net_2')
})

test('guests behind one address share a day’s messages and a day’s money', async () => {
  const messages = await setUp({ messagesPerDay: 2 })
  for (let number = 0; number < 2; number += 1) await messages.take(newcomer(number))
  await assert.rejects(messages.take(newcomer(9)), refused('RATE_LIMITED', 'address-messages-per-day'))
  const money = await setUp({ guestsPerDay: 1 })
  const ask = { inputTokens: 1000, outputTokens: 500, costMicroUsd: LIMITS.day.costMicroUsd }
  const taken = await money.take(newcomer(1), { ask })
  // Held money may be released soon: that is worth a moment's wait, and no reason for a final refusal.
  const waiting = assert.rejects(money.take(newcomer(2)), refused('RATE_LIMITED', 'address-day-cost'))
  await money.ports.clock.advance(1000)
  await waiting
  assert.ok(taken.kind === 'granted' && taken.networkHold !== undefined)
  await money.ports.budgets.settle(taken.networkHold, ask)
  await assert.rejects(money.take(newcomer(3)), refused('QUOTA_EXCEEDED', 'address-day-cost'))
})

test('money that a running turn releases within moments refuses no request', async () => {
  const { take, ports } = await setUp({})
  const whole = { inputTokens: 1000, outputTokens: 500, costMicroUsd: LIMITS.day.costMicroUsd }
  const first = await take(GUEST, { ask: whole, sessionId: 'sess_1' })
  assert.ok(first.kind === 'granted')
  const second = take(GUEST, { sessionId: 'sess_2' })
  await ports.clock.advance(60)
  await ports.budgets.narrow(first.hold, { ...whole, costMicroUsd: 10 })
  await ports.clock.advance(500)
  assert.equal((await second).kind, 'granted')
})

test('signed-in users and guests with an unknown address do not count for the address', async () => {
  const { take, ofNetwork } = await setUp({ perSecond: 0.001, burst: 1 })
  await take(GUEST)
  assert.ok((await take(USER)).kind === 'granted')
  assert.ok((await take(newcomer(2), {}, '')).kind === 'granted')
  assert.equal((await ofNetwork()).requestsPerMinute.used, 1)
})

test('members of the demo share the limits of their address, as guests do', async () => {
  const { take } = await setUp({ perSecond: 0.001, burst: 2 })
  const visitor = (number: number): Principal => ({ id: `user:demo:aki.${number}`, kind: 'user', tier: 'premium' })
  for (const number of [1, 2]) assert.ok((await take(visitor(number))).kind === 'granted')
  await assert.rejects(take(visitor(3)), refused('RATE_LIMITED', 'address-user-rate'))
  // The money of the address is that of guests, whatever the member's tier.
  const money = await setUp({ guestsPerDay: 1 })
  const ask = { inputTokens: 1000, outputTokens: 500, costMicroUsd: LIMITS.day.costMicroUsd }
  const taken = await money.take(visitor(1), { ask })
  assert.ok(taken.kind === 'granted' && taken.networkHold !== undefined)
  await money.ports.budgets.settle(taken.networkHold, ask)
  await assert.rejects(money.take(visitor(2)), (error) => error instanceof Refusal && error.code === 'QUOTA_EXCEEDED')
})

test('a refused guest or a repeat costs the address nothing', async () => {
  const { take, limits, ofNetwork, ports } = await setUp({ perSecond: 0.001, burst: 2 })
  const first = await take(GUEST, { sessionId: 'sess_1' })
  assert.ok(first.kind === 'granted' && first.networkHold !== undefined)
  for (let tries = 0; tries < 5; tries += 1)
    await assert.rejects(take(GUEST, { sessionId: 'sess_1' }), { code: 'SESSION_BUSY' })
  const { idempotency } = sampleAsk({ turnId: 'turn_1' })
  assert.equal((await take(GUEST, { idempotency })).kind, 'duplicate')
  const { requestsPerMinute, reserved } = await ofNetwork()
  assert.deepEqual([requestsPerMinute.used, reserved.outputTokens], [1, 500])
  await limits.giveBack(first)
  assert.equal((await ofNetwork()).reserved.outputTokens, 0)
  assert.equal(await ports.budgets.runningTurn({ id: 'sess_1', principalId: GUEST.id }), undefined)
  await take(newcomer(1))
  await take(newcomer(2))
})

test('while an address has nothing left, its principals’ budgets are not asked', async () => {
  const { ports, config } = await setUp({ perSecond: 1, burst: 1 })
  const asked: string[] = []
  const state = withVerbs(ports.budgets, {
    admit(ask) {
      asked.push(ask.principalId)
      return ports.budgets.admit(ask)
    },
  })
  const limits = createLimits({ ...ports, budgets: state, config })
  const asker = { principal: GUEST, route: 'stream', network: 'net_1' } as const
  const take = (turnId: string) => limits.take(asker, sampleAsk({ turnId, limits: LIMITS }))
  await take('turn_1')
  for (const turnId of ['turn_2', 'turn_3', 'turn_4']) await assert.rejects(take(turnId), { code: 'RATE_LIMITED' })
  assert.deepEqual(asked, ['net_1', 'guest_1', 'net_1', 'guest_1', 'net_1', 'net_1'])
  const { requestsPerMinute, reserved } = await ports.budgets.quota(GUEST.id, LIMITS, TODAY)
  assert.deepEqual([requestsPerMinute.used, reserved.outputTokens], [1, 500])
  await ports.clock.advance(1000)
  assert.equal((await take('turn_5')).kind, 'granted')
})

test('when the principal’s step fails, the address’s amounts are released', async () => {
  const { ports, config, ofNetwork } = await setUp()
  const state = withVerbs(ports.budgets, {
    admit: (ask) => (ask.principalId === 'net_1' ? ports.budgets.admit(ask) : fails()),
  })
  const limits = createLimits({ ...ports, budgets: state, config })
  const asker = { principal: GUEST, route: 'stream', network: 'net_1' } as const
  await assert.rejects(limits.take(asker, sampleAsk({ limits: LIMITS })), /the store is down/)
  const { requestsPerMinute, reserved } = await ofNetwork()
  assert.deepEqual([requestsPerMinute.used, reserved.outputTokens], [0, 0])
})

test('a request that cannot be checked is refused as maintenance, with a retry time', async () => {
  const { ports, config } = await setUp()
  const state = withVerbs(ports.budgets, { admit: async () => ({ kind: 'unavailable', retryAfterMs: 5000 }) })
  const taking = createLimits({ ...ports, budgets: state, config }).take(
    { principal: USER, route: 'rest' },
    sampleAsk(),
  )
  await assert.rejects(taking, { code: 'MAINTENANCE', retryAfterMs: 5000, details: { reason: 'state-unavailable' } })
})

test('a /48 of IPv6 has the rate of four networks, however many of its /64s are used', async () => {
  const { take, ports } = await setUp({ perSecond: 1, burst: 3 })
  for (let number = 0; number < 12; number += 1) await take(newcomer(number), {}, `net_${number}.net_wide`)
  await assert.rejects(take(newcomer(99), {}, 'net_99.net_wide'), refused('RATE_LIMITED', 'address-user-rate'))
  await take(newcomer(98), {}, 'net_98.net_other')
  // A refused request took nothing of the /64.
  await ports.clock.advance(1000)
  for (let again = 0; again < 3; again += 1) await take(newcomer(100 + again), {}, 'net_99.net_third')
})

test('an undone turn costs the /48 no message, also after its short lease', async () => {
  const { take, limits, ports } = await setUp({ perSecond: 100, burst: 100, messagesPerDay: 1 })
  for (let number = 0; number < 8; number += 1) {
    const taken = await take(newcomer(number), {}, `net_${number}.net_wide`)
    assert.ok(taken.kind === 'granted')
    if (number % 2 === 0) await ports.clock.advance(2000)
    await limits.giveBack(taken)
  }
  for (let number = 0; number < 4; number += 1) await take(newcomer(number), {}, `net_${number}.net_wide`)
  const refusedNow = take(newcomer(9), {}, 'net_9.net_wide')
  await assert.rejects(refusedNow, refused('RATE_LIMITED', 'address-messages-per-day'))
})
