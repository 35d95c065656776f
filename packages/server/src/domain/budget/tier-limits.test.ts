// The limits of a tier, from the configuration.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaults } from '#config/config.ts'
import { gcra } from '#lib/rates/gcra.ts'
import { tierLimits } from './tier-limits.ts'

test('premium gets three times the rate and the burst', () => {
  const burstOf = (tier: string) => {
    let arrivalAt: number | undefined
    let admitted = 0
    while (true) {
      const decision = gcra(tierLimits(defaults, tier).userRate, arrivalAt, 1_793_761_200_000)
      if (!decision.allowed) return admitted
      arrivalAt = decision.arrivalAt
      admitted += 1
    }
  }
  assert.equal(burstOf('free'), 10)
  assert.equal(burstOf('premium'), 30)
  assert.equal(
    tierLimits(defaults, 'premium').userRate.perSecond,
    3 * tierLimits(defaults, 'standard').userRate.perSecond,
  )
})

test('the tiers have their documented figures', () => {
  const { day, requestsPerMinute, outputTokensPerRequest } = tierLimits(defaults, 'standard')
  assert.deepEqual(day, { inputTokens: 500_000, outputTokens: 200_000, costMicroUsd: 5_000_000 })
  assert.deepEqual([requestsPerMinute, outputTokensPerRequest], [30, 1024])
})

test('a tier that is no longer configured keeps its name and gets the limits of free', () => {
  assert.deepEqual(tierLimits(defaults, 'gold'), { ...tierLimits(defaults, 'free'), tier: 'gold' })
})
