// Whose figures count: the user's before the tier's before the configured ones, and only for as long as they may.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaults } from '#config/config.ts'
import { limitsUnder, NO_OVERRIDES } from './overrides.ts'
import { tierLimits } from './tier-limits.ts'

const user = { id: 'user_1', tier: 'standard' }
const limitsWith = (over: Partial<typeof NO_OVERRIDES>, who = user, now = 1000) =>
  limitsUnder({ overrides: { ...NO_OVERRIDES, ...over }, settings: defaults, now }, who)

test('without an override a principal has what its tier is configured to', () => {
  assert.deepEqual(limitsWith({}), tierLimits(defaults, 'standard'))
  assert.deepEqual(limitsWith({}, { id: 'x', tier: 'gone' }), tierLimits(defaults, 'gone'))
})

test('an override of a tier changes its figures for all of it, and the others stay', () => {
  const tiers = new Map([['standard', { microUsdPerDay: 7, requestsPerMinute: 2 }]])
  const limits = limitsWith({ tiers })
  assert.deepEqual([limits.day.costMicroUsd, limits.requestsPerMinute, limits.day.inputTokens], [7, 2, 500_000])
  assert.equal(limitsWith({ tiers }, { id: 'x', tier: 'free' }).day.costMicroUsd, 1_000_000)
})

test('an override of a user counts before that of the tier, also of the tier it gives', () => {
  const tiers = new Map([['premium', { microUsdPerDay: 7, rateFactor: 2 }]])
  const users = new Map([['user_1', { tier: 'premium', limits: { microUsdPerDay: 9 } }]])
  const limits = limitsWith({ tiers, users })
  assert.deepEqual([limits.tier, limits.day.costMicroUsd, limits.userRate.burst], ['premium', 9, 20])
  assert.equal(limitsWith({ tiers, users }, { id: 'user_2', tier: 'premium' }).day.costMicroUsd, 7)
})

test('an override that has expired counts for nothing', () => {
  const users = new Map([['user_1', { tier: 'premium', expiresAt: 1000 }]])
  assert.equal(limitsWith({ users }, user, 999).tier, 'premium')
  assert.equal(limitsWith({ users }, user, 1000).tier, 'standard')
})
