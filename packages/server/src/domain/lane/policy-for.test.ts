// The policy of a lane from the configuration: the defaults of both have the same figures.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaults } from '#config/config.ts'
import { opened } from './circuit.ts'
import { dependencyPolicy, policyFor } from './policy-for.ts'
import { CIRCUITS, laneDefaults } from './settings.ts'
import { startState } from './state.ts'

test('without configuration a lane has the default figures of the controller', () => {
  for (const role of ['primary', 'economy'] as const) {
    const { name, settings } = policyFor(defaults, role)
    assert.equal(name, 'adaptive')
    assert.deepEqual(settings, { ...laneDefaults, circuit: CIRCUITS[role] })
  }
})

test('configured figures apply, and the reference policy can be selected', () => {
  const lanes = { ...defaults.lanes, policy: 'reference', inFlightFloor: 9 } as const
  const { name, settings } = policyFor({ lanes, retries: { perTenSecondsMax: 7, firstsShareMax: 0.5 } }, 'economy')
  assert.equal(name, 'reference')
  assert.deepEqual(
    [settings.limit.floor, settings.retry.countMax, settings.retry.share, settings.circuit.openMs],
    [9, 7, 0.5, 30_000],
  )
})

test('a dependency has its own row of the table of circuits and the configured policy', () => {
  for (const name of ['search', 'catalogue', 'sessions', 'redis'] as const) {
    assert.deepEqual(dependencyPolicy(defaults, name).settings, dependencyPolicy({}, name).settings)
    assert.deepEqual(dependencyPolicy(defaults, name).settings.circuit, CIRCUITS[name])
    const lanes = { ...defaults.lanes, policy: 'reference' } as const
    assert.equal(dependencyPolicy({ lanes }, name).name, 'reference')
  }
})

test('the openings of a store grow on a busy node too, because each probe is a call that a shopper waits for', () => {
  const { open } = dependencyPolicy(defaults, 'redis').settings
  const state = startState('adaptive', 0)
  const busy = { ...state, phase: { ...state.phase, goodInFlight: 1000 } }
  const first = opened(busy, open, { now: 1000, float: 0.5 })
  const second = opened(first, open, { now: 1300, float: 0.5 })
  assert.deepEqual([first.phase.openedMs, second.phase.openedMs], [250, 500])
})

test('Redis calls are never limited, and its openings are short and never longer than the table allows', () => {
  const { limit, open } = dependencyPolicy(defaults, 'redis').settings
  assert.deepEqual([limit.floor, open.firstMs, open.maxMs], [Number.POSITIVE_INFINITY, 250, 2000])
  const redis = { ...CIRCUITS.redis, openMs: 1000 }
  const lanes = { ...defaults.lanes, circuits: { ...CIRCUITS, redis } }
  assert.equal(dependencyPolicy({ lanes }, 'redis').settings.open.maxMs, 1000)
})
