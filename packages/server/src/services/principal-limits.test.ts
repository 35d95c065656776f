// Limits with overrides: a change of an operator applies within seconds, and an unavailable store changes nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryAdminStore } from '#adapters/memory/admin-store.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { fails, withVerbs } from '#fixtures/stores/ports.ts'
import { createPrincipalLimits } from './principal-limits.ts'

const GUEST = { id: 'guest_1', tier: 'free' }
const change = { at: 0, by: 'ops', reason: 'a test' }

function setUp() {
  const store = memoryAdminStore()
  const clock = manualClock()
  const telemetry = memoryTelemetry()
  let polls = 0
  const state = { isUnavailable: false }
  const admin = withVerbs(store, {
    overrides(version) {
      polls += 1
      return state.isUnavailable ? fails() : store.overrides(version)
    },
  })
  const limits = createPrincipalLimits({ admin, clock, config: testConfig, telemetry })
  const perMinute = async () => (await limits.of(GUEST)).requestsPerMinute
  return { store, clock, telemetry, limits, perMinute, state, polls: () => polls }
}

test('an existing override applies to the first question after the start', async () => {
  const { store, perMinute } = setUp()
  await store.setTier('free', { requestsPerMinute: 3 }, change)
  assert.equal(await perMinute(), 3)
})

test('a change applies within seconds, and in between the store is not polled', async () => {
  const { store, clock, perMinute, polls } = setUp()
  assert.equal(await perMinute(), 10)
  await store.setUser('guest_1', { limits: { requestsPerMinute: 4 } }, change)
  await clock.advance(1999)
  assert.deepEqual([await perMinute(), polls()], [10, 1])
  await clock.advance(1)
  // This request starts a poll and does not wait for it.
  await perMinute()
  await clock.advance(1)
  assert.deepEqual([await perMinute(), polls()], [4, 2])
})

test('after a time without requests the cached overrides are too old to be used', async () => {
  const { store, clock, perMinute } = setUp()
  await perMinute()
  await store.setTier('free', { requestsPerMinute: 5 }, change)
  await clock.advance(5000)
  assert.equal(await perMinute(), 5)
})

test('while the store is unavailable the known overrides apply, and not every question polls it', async () => {
  const { store, clock, perMinute, state, telemetry, polls } = setUp()
  await store.setTier('free', { requestsPerMinute: 3 }, change)
  await perMinute()
  state.isUnavailable = true
  await clock.advance(6000)
  assert.equal(await perMinute(), 3)
  assert.equal(await perMinute(), 3)
  assert.equal(polls(), 2)
  assert.equal(telemetry.counted.filter(({ name }) => name === 'override_read_failed_total').length, 1)
})
