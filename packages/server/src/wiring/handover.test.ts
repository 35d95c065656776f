// The configured hand-over.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { defaults } from '#config/config.ts'
import type { Config } from '#config/config.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { wireHandover } from './handover.ts'
import { StartError } from './start-error.ts'

const wire = (handover: NonNullable<Config['store']['handover']>, env: Record<string, string> = {}) =>
  wireHandover(
    { store: { ...defaults.store, handover } },
    { clock: manualClock(), random: seededRandom(1), telemetry: memoryTelemetry(), env },
  )

test('there is a hand-over only if it is configured, with its address in the configuration or in the environment', () => {
  const parts = { clock: manualClock(), random: seededRandom(1), telemetry: memoryTelemetry(), env: {} }
  assert.equal(wireHandover(defaults, parts), undefined)
  assert.equal(wire({ url: 'https://desk.example/hook' })?.isFree(), true)
  assert.equal(wire({ urlEnv: 'DESK_HOOK' }, { DESK_HOOK: 'https://desk.example/secret' })?.isFree(), true)
})

test('a missing or invalid address stops the start, and is not shown', () => {
  assert.throws(() => wire({ urlEnv: 'DESK_HOOK' }), StartError)
  assert.throws(
    () => wire({ urlEnv: 'DESK_HOOK' }, { DESK_HOOK: 'sEcret' }),
    (error) => !String(error).includes('sEcret'),
  )
})
