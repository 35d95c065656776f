// What operators do to lanes, when the stores do not go along.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryAdminStore } from '#adapters/memory/admin-store.ts'
import { memoryLanes } from '#adapters/memory/lanes.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { seededChance } from '#adapters/virtual/chance.ts'
import { lanePolicies } from '#domain/lane/lanes-of.ts'
import type { AdminStore } from '#ports/admin-store.ts'
import type { Lanes } from '#ports/lanes.ts'
import { testConfig } from '#wiring/test.ts'
import { manualClock } from '../../test/fixtures/manual-clock.ts'
import { createLaneQueries } from './lanes.ts'

const author = { by: 'aki', reason: 'a test' }
const away = async (): Promise<never> => {
  throw new Error('away')
}

function queries({
  lanes: over,
  note,
}: { lanes?: Partial<Lanes>; note?: (real: AdminStore['note']) => AdminStore['note'] } = {}) {
  const clock = manualClock()
  const policies = lanePolicies(testConfig)
  const real = memoryLanes({ clock, chance: seededChance(1), policies, leaseMs: 1000 })
  const admin = memoryAdminStore()
  const telemetry = memoryTelemetry()
  const models = [...policies.keys()].map((lane) => ({ name: 'embedded', lane }))
  const noted = note?.(admin.note) ?? admin.note
  const made = createLaneQueries({ lanes: { ...real, ...over }, admin: { note: noted }, clock, telemetry, models })
  return { made, lanes: real, admin, telemetry, lane: models[0]?.lane ?? '' }
}

test('what cannot be written down is not done', async () => {
  const { made, lanes, lane } = queries({ note: () => away })
  await assert.rejects(made.operateLane(lane, 'force-open', author), /away/)
  await assert.rejects(made.setMaintenance(true, author), /away/)
  assert.deepEqual([lanes.seen(lane).operator, lanes.maintenance()], [null, null])
})

test('what was written down and then failed is taken back by a second line, and in the log', async () => {
  const { made, admin, telemetry, lane } = queries({ lanes: { operate: away, maintain: away } })
  await assert.rejects(made.operateLane(lane, 'force-open', author), /away/)
  await assert.rejects(made.setMaintenance(true, author), /away/)
  const lines = (await admin.audit({ limit: 10 })).toReversed()
  assert.deepEqual(
    lines.map(({ action, subject, before, after }) => [action, subject, before, after]),
    [
      ['lane-forced-open', lane, null, { action: 'force-open', by: 'aki' }],
      ['lane-forced-open', lane, { action: 'force-open', by: 'aki' }, { uncertain: true }],
      ['maintenance-on', 'service', null, { by: 'aki' }],
      ['maintenance-on', 'service', { by: 'aki' }, { uncertain: true }],
    ],
  )
  assert.equal(telemetry.logged.filter(({ event }) => event === 'admin.change-uncertain').length, 2)
  assert.equal(telemetry.logged.filter(({ event }) => event === 'admin.change').length, 0)
})

test('when even the second line fails, the operator hears why the act did', async () => {
  let notes = 0
  const note =
    (real: AdminStore['note']): AdminStore['note'] =>
    (entry) =>
      (notes += 1) > 1 ? away() : real(entry)
  const { made, telemetry, lane } = queries({
    note,
    lanes: { operate: () => Promise.reject(new Error('the act failed')) },
  })
  await assert.rejects(made.operateLane(lane, 'reset', author), /the act failed/)
  assert.ok(telemetry.logged.some(({ event }) => event === 'admin.doubt-not-noted'))
})

test('lanes are shown as last seen where they cannot be looked at', async () => {
  const { made, lane } = queries({ lanes: { peek: away } })
  assert.deepEqual(
    (await made.lanes()).map((view) => [view.lane, view.models, view.level]),
    [[lane, ['embedded'], 'normal']],
  )
})
