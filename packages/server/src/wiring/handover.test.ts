// The configured way to call a person.
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

test('without one configured there is none, and with one its address may be in either place', () => {
  const parts = { clock: manualClock(), random: seededRandom(1), telemetry: memoryTelemetry(), env: {} }
  assert.equal(wireHandover(defaults, parts), undefined)
  assert.equal(wire({ url: 'https://desk.example/hook' })?.isFree(), true)
  assert.equal(wire({ urlEnv: 'DESK_HOOK' }, { DESK_HOOK: 'https://desk.example/secret' })?.isFree(), true)
})

test('an address that is not there stops the start, and is not repeated', () => {
  assert.throws(() => wire({ urlEnv: 'DESK_HOOK' }), StartError)
  assert.throws(
    () => wire({ urlEnv: 'DESK_HOOK' }, { DESK_HOOK: 'sEcret' }),
    (error) => !String(error).includes('sEcret'),
  )
})
