// The precedence of limits: override of the user, override of the tier, configuration; and expiry.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaults } from '#config/config.ts'
import { limitsUnder, NO_OVERRIDES } from './overrides.ts'
import { tierLimits } from './tier-limits.ts'

const user = { id: 'user_1', tier: 'standard' }
const limitsWith = (over: Partial<typeof NO_OVERRIDES>, who = user, now = 1000) =>
  limitsUnder({ overrides: { ...NO_OVERRIDES, ...over }, settings: defaults, now }, who)

test('without an override a principal has the configured limits of its tier', () => {
  assert.deepEqual(limitsWith({}), tierLimits(defaults, 'standard'))
  assert.deepEqual(limitsWith({}, { id: 'x', tier: 'gone' }), tierLimits(defaults, 'gone'))
})

test('an override of a tier changes the given figures for every user of it and leaves the others', () => {
  const tiers = new Map([['standard', { microUsdPerDay: 7, requestsPerMinute: 2 }]])
  const limits = limitsWith({ tiers })
  assert.deepEqual([limits.day.costMicroUsd, limits.requestsPerMinute, limits.day.inputTokens], [7, 2, 500_000])
  assert.equal(limitsWith({ tiers }, { id: 'x', tier: 'free' }).day.costMicroUsd, 1_000_000)
})

test('an override of a user has precedence over the override of the tier, also of a tier that it assigns', () => {
  const tiers = new Map([['premium', { microUsdPerDay: 7, rateFactor: 2 }]])
  const users = new Map([['user_1', { tier: 'premium', limits: { microUsdPerDay: 9 } }]])
  const limits = limitsWith({ tiers, users })
  assert.deepEqual([limits.tier, limits.day.costMicroUsd, limits.userRate.burst], ['premium', 9, 20])
  assert.equal(limitsWith({ tiers, users }, { id: 'user_2', tier: 'premium' }).day.costMicroUsd, 7)
})

test('an expired override has no effect', () => {
  const users = new Map([['user_1', { tier: 'premium', expiresAt: 1000 }]])
  assert.equal(limitsWith({ users }, user, 999).tier, 'premium')
  assert.equal(limitsWith({ users }, user, 1000).tier, 'standard')
})
