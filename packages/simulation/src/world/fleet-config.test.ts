// The configuration of a simulated node: the scenario's models and settings override the base.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaults } from '@mangaassist/server/config/config'
import { ConfigError } from '@mangaassist/server/config/load/problem'
import { policies } from '../policies/policies.ts'
import { completeScenario } from '../scenario/scenario.ts'
import { fleetConfig } from './fleet-config.ts'

const scenario = (settings: Record<string, unknown>) =>
  completeScenario({ name: 'test', about: 'A test.', nodes: 3, arrivals: { perSecond: 1 }, durationS: 1, settings })

test('the ladder comes from the scenario, and settings are applied by path', () => {
  const config = fleetConfig(defaults, scenario({ 'deadlines.firstTokenMs': 4321 }))
  assert.deepEqual(config.ladder, ['primary', 'economy'])
  assert.equal(config.deadlines.firstTokenMs, 4321)
  assert.equal(config.deadlines.stallMs, defaults.deadlines.stallMs)
})

test('an invalid or unknown setting throws a ConfigError', () => {
  assert.throws(() => fleetConfig(defaults, scenario({ 'deadlines.firstTokenMs': 'soon' })), ConfigError)
  assert.throws(() => fleetConfig(defaults, scenario({ 'deadlines.firstTokkenMs': 1 })), ConfigError)
})

test('our policy alone asks a second model beside a slow one', () => {
  const hedging = Object.values(policies).filter(
    ({ config }) => fleetConfig(config(defaults), scenario({})).hedge.enabled,
  )
  assert.deepEqual(
    hedging.map(({ name }) => name),
    ['ours'],
  )
})
