// From configuration to the policy of a lane: the defaults of both are the same figures.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaults } from '#config.ts'
import { policyFor } from './policy-for.ts'
import { settingsFor } from './settings.ts'

test('with nothing configured a lane has the figures that the controller starts from', () => {
  for (const role of ['primary', 'economy'] as const) {
    const { name, settings } = policyFor(defaults, role)
    assert.equal(name, 'adaptive')
    assert.deepEqual(settings, settingsFor(role))
  }
})

test('what is configured holds, and the reference policy can be selected', () => {
  const lanes = { ...defaults.lanes, policy: 'reference', inFlightFloor: 9 } as const
  const { name, settings } = policyFor({ lanes, retries: { perTenSecondsMax: 7, firstsShareMax: 0.5 } }, 'economy')
  assert.equal(name, 'reference')
  assert.deepEqual(
    [settings.limit.floor, settings.retry.countMax, settings.retry.share, settings.circuit.openMs],
    [9, 7, 0.5, 30_000],
  )
})
