// The settings of operators: what is in effect on a node, until when, and while the store fails or has lost them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryAdminStore } from '#adapters/memory/admin-store.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { MODES, SETTING_NAMES } from '#domain/settings/run-settings.ts'
import type { Mode } from '#domain/settings/run-settings.ts'
import { fails, withVerbs } from '#fixtures/stores/ports.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { createPrincipalLimits } from '../principal-limits.ts'
import { createRunSettings } from './run-settings.ts'
import { createSettingQueries } from './setting-queries.ts'

const AKI = { by: 'aki', reason: 'a test' }
const HOUR_MS = 3_600_000
const config = { ...testConfig, hedge: { ...testConfig.hedge, enabled: false } }

/** Nodes over one store, which a test can lose, empty or replace. */
function setUp() {
  const clock = manualClock()
  const telemetry = memoryTelemetry()
  const state = { store: memoryAdminStore(), isUnavailable: false }
  const current = () => state.store
  const admin = withVerbs(current(), {
    overrides: (version) => (state.isUnavailable ? fails() : current().overrides(version)),
    setSetting: (name, setting, change) =>
      state.isUnavailable ? fails() : current().setSetting(name, setting, change),
    note: (entry) => (state.isUnavailable ? fails() : current().note(entry)),
    audit: (asked) => current().audit(asked),
  })
  const node = () => {
    const modes: Mode[] = []
    const levels: string[] = []
    const limits = createPrincipalLimits({ admin, clock, config, telemetry })
    const settings = createRunSettings({
      clock,
      config,
      limits,
      telemetry,
      setLogLevel: (level) => void levels.push(level),
      onMode: (mode) => void modes.push(mode),
    })
    const queries = createSettingQueries({ admin, clock, config, limits, telemetry, apply: settings.poll })
    return { ...settings, queries, limits, modes, levels }
  }
  return { clock, node, state, telemetry, admin }
}

test('a mode applies at once where it was set, with the next poll elsewhere, and after a restart', async () => {
  const { node, telemetry } = setUp()
  const [one, two] = [node(), node()]
  await two.poll()
  const line = await one.queries.setSetting({ name: 'mode', value: 'reduced' }, AKI)
  assert.deepEqual([line.action, line.subject, line.by, line.reason], ['setting-set', 'mode', 'aki', 'a test'])
  assert.deepEqual([one.mode(), two.mode()], ['reduced', 'normal'])
  await two.poll()
  assert.deepEqual([two.mode(), two.modes], ['reduced', ['reduced']])
  const restarted = node()
  await restarted.poll()
  assert.equal(restarted.mode(), 'reduced')
  const applied = telemetry.logged.find(({ event }) => event === 'setting.applied')
  assert.deepEqual(applied?.fields, { setting: 'mode', before: 'normal', value: 'reduced' })
})

test('a setting with an end expires by itself on every node', async () => {
  const { clock, node } = setUp()
  const one = node()
  const expiresAt = clock.now() + 2 * HOUR_MS
  await one.queries.setSetting({ name: 'mode', value: 'read-only', expiresAt }, AKI)
  await one.queries.setSetting({ name: 'log-level', value: 'debug', expiresAt }, AKI)
  const view = async () => (await one.queries.settings()).map(({ changed, value }) => [value, changed?.until])
  const until = new Date(expiresAt).toISOString()
  assert.deepEqual((await view()).slice(0, 2), [
    ['read-only', until],
    ['debug', until],
  ])
  await clock.advance(2 * HOUR_MS)
  assert.equal(one.mode(), 'normal')
  await one.poll()
  assert.deepEqual(
    [one.modes, one.levels],
    [
      ['read-only', 'normal'],
      ['debug', config.server.logLevel],
    ],
  )
  assert.deepEqual((await one.queries.settings())[0]?.changed, null)
})

test('switches turn parts off and on again, and never on what the configuration has turned off', async () => {
  const { node } = setUp()
  const one = node()
  await one.queries.setSetting({ name: 'answer-cache', value: false }, AKI)
  assert.deepEqual([one.isOff('answer-cache'), one.isOff('routing')], [true, false])
  const cleared = await one.queries.setSetting({ name: 'answer-cache', value: true }, AKI)
  assert.deepEqual([cleared.action, cleared.after, one.isOff('answer-cache')], ['setting-cleared', null, false])
  await assert.rejects(one.queries.setSetting({ name: 'hedging', value: true }, AKI), { code: 'INVALID_REQUEST' })
})

test('wrong values are refused and change nothing', async () => {
  const { clock, admin, node } = setUp()
  const one = node()
  const wrong = [
    { name: 'mode', value: 'closed' },
    { name: 'mode', value: true },
    { name: 'log-level', value: 'silent' },
    { name: 'prewarm', value: 'off' },
    { name: 'mode', value: 'reduced', expiresAt: clock.now() },
    { name: 'mode', value: null, expiresAt: clock.now() + 1 },
  ] as const
  for (const request of wrong)
    await assert.rejects(one.queries.setSetting(request, AKI), { code: 'INVALID_REQUEST' }, JSON.stringify(request))
  assert.deepEqual(await admin.audit({ limit: 10 }), [])
})

test('while the store is unavailable the last known values apply, and a change is refused', async () => {
  const { node, state, telemetry } = setUp()
  const one = node()
  await one.queries.setSetting({ name: 'mode', value: 'maintenance' }, AKI)
  state.isUnavailable = true
  await one.poll()
  await one.poll()
  assert.equal(one.mode(), 'maintenance')
  assert.equal((await one.queries.settings())[0]?.value, 'maintenance')
  await assert.rejects(one.queries.setSetting({ name: 'mode', value: 'normal' }, AKI))
  assert.equal(telemetry.logged.filter(({ event }) => event === 'override.read-failed').length, 1)
})

test('an emptied store gets the settings back from the nodes, and what was ended stays ended', async () => {
  const { node, state } = setUp()
  const [one, two] = [node(), node()]
  await one.queries.setSetting({ name: 'mode', value: 'maintenance' }, AKI)
  await two.poll()
  state.store = memoryAdminStore()
  await two.poll()
  await one.poll()
  const late = node()
  await late.poll()
  assert.deepEqual([one.mode(), two.mode(), late.mode()], ['maintenance', 'maintenance', 'maintenance'])
  await two.queries.setMaintenance(false, AKI)
  for (const each of [one, late]) await each.poll()
  state.store = memoryAdminStore()
  for (const each of [one, two, late]) await each.poll()
  assert.deepEqual([one.mode(), two.mode(), late.mode()], ['normal', 'normal', 'normal'])
})

test('a mode of a newer version counts as maintenance', async () => {
  const { admin, node } = setUp()
  const about = { at: 1, ...AKI, action: 'setting-set', subject: 'mode' } as const
  await admin.setSetting('mode', { value: 'half-asleep', at: 1, ...AKI }, about)
  const one = node()
  await one.poll()
  assert.equal(one.mode(), 'maintenance')
})

test('a session that was signed out is known on every node, and a store without an answer refuses nothing', async () => {
  const { node, state, admin, telemetry } = setUp()
  const [one, two] = [node(), node()]
  const session = { id: 'operator_1', name: 'aki', role: 'admin', by: 'token', expiresAt: 2e12 } as const
  await one.queries.endSession(session)
  await two.poll()
  assert.deepEqual(
    [one, two].map(({ queries }) => queries.isSignedOut('operator_1')),
    [true, true],
  )
  assert.equal(two.queries.isSignedOut('operator_2'), false)
  assert.equal((await admin.audit({ limit: 1 }))[0]?.action, 'signed-out')
  state.isUnavailable = true
  await one.queries.endSession({ ...session, id: 'operator_2' })
  assert.ok(telemetry.logged.some(({ event }) => event === 'admin.audit-write-failed'))
})

test('every setting is shown, with what is configured', async () => {
  const { node } = setUp()
  const shown = await node().queries.settings()
  assert.deepEqual(
    shown.map(({ name }) => name),
    [...SETTING_NAMES],
  )
  assert.deepEqual([shown[0]?.value, shown[0]?.configured, MODES.length], ['normal', 'normal', 4])
  assert.equal(shown.find(({ name }) => name === 'hedging')?.value, false)
})
