// Actions of operators on lanes while stores fail.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryAdminStore } from '#adapters/memory/admin-store.ts'
import { memoryLanes } from '#adapters/memory/lanes.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { lanePolicies } from '#domain/lane/lanes-of.ts'
import { NodeLane } from '#domain/lane/node-lane.ts'
import { dependencyPolicy } from '#domain/lane/policy-for.ts'
import { Refusal } from '#domain/refusal.ts'
import type { AdminStore } from '#ports/admin-store/port.ts'
import type { Lanes } from '#ports/lanes/port.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { createLaneQueries, restoreLanes } from './lanes.ts'

const author = { by: 'aki', reason: 'a test' }
const unavailable = async (): Promise<never> => {
  throw new Error('unavailable')
}

function queries({
  lanes: over,
  note,
  setSetting,
}: {
  lanes?: Partial<Lanes>
  note?: (real: AdminStore['note']) => AdminStore['note']
  setSetting?: AdminStore['setSetting']
} = {}) {
  const clock = manualClock()
  const policies = lanePolicies(testConfig)
  const real = memoryLanes({ clock, random: seededRandom(1), policies, leaseMs: 1000 })
  const admin = memoryAdminStore()
  const telemetry = memoryTelemetry()
  const models = [...policies.keys()].map((lane) => ({ name: 'embedded', lane }))
  const noted = note?.(admin.note) ?? admin.note
  const policy = dependencyPolicy(testConfig, 'search')
  const search = new NodeLane({ name: 'search', policy, now: () => clock.now(), float: () => 0.5 })
  const stores = { note: noted, setSetting: setSetting ?? admin.setSetting }
  const parts = {
    lanes: { ...real, ...over },
    admin: stores,
    clock,
    telemetry,
    models,
    nodeLanes: [search],
    rejected: () => [],
  }
  return { made: createLaneQueries(parts), search, lanes: real, admin, telemetry, lane: models[0]?.lane ?? '' }
}

test('an action whose audit line cannot be written is not done', async () => {
  const { made, lanes, lane } = queries({ setSetting: unavailable })
  await assert.rejects(made.operateLane(lane, 'force-open', author), /unavailable/)
  assert.equal(lanes.seen(lane).operator, null)
})

test('an action that fails after its audit line gets a second line and a log entry', async () => {
  const { made, admin, telemetry, lane } = queries({ lanes: { operate: unavailable } })
  await assert.rejects(made.operateLane(lane, 'force-open', author), /unavailable/)
  const lines = (await admin.audit({ limit: 10 })).toReversed()
  const forced = { value: 'force-open', at: lines[0]?.at, ...author }
  assert.deepEqual(
    lines.map(({ action, subject, before, after }) => [action, subject, before, after]),
    [
      ['lane-forced-open', lane, null, forced],
      ['lane-forced-open', lane, forced, { uncertain: true }],
    ],
  )
  assert.equal(telemetry.logged.filter(({ event }) => event === 'admin.change-uncertain').length, 1)
  assert.equal(telemetry.logged.filter(({ event }) => event === 'admin.changed').length, 0)
})

test('when the second line fails too, the operator gets the error of the action', async () => {
  const { made, telemetry, lane } = queries({
    note: () => unavailable,
    lanes: { operate: () => Promise.reject(new Error('the act failed')) },
  })
  await assert.rejects(made.operateLane(lane, 'reset', author), /the act failed/)
  assert.ok(telemetry.logged.some(({ event }) => event === 'admin.audit-write-failed'))
})

test('lanes that cannot be read are shown in their last known state', async () => {
  const { made, lane } = queries({ lanes: { peek: unavailable } })
  assert.deepEqual(
    (await made.lanes()).map((view) => [view.lane, view.models, view.scope, view.level]),
    [
      [lane, ['embedded'], 'fleet', 'normal'],
      ['search', [], 'node', 'normal'],
    ],
  )
})

test('a lane of this node is operated like the others, and the audit says that it was on one node', async () => {
  const { made, admin, search } = queries()
  await made.operateLane('search', 'force-open', author)
  assert.equal(search.take(1000), undefined)
  assert.deepEqual(
    (await made.lanes()).map(({ lane, phase }) => [lane === 'search', phase]),
    [
      [false, 'closed'],
      [true, 'open'],
    ],
  )
  await made.operateLane('search', 'reset', author)
  assert.notEqual(search.take(1000), undefined)
  const [reset, forced] = await admin.audit({ limit: 10 })
  assert.deepEqual([forced?.action, forced?.subject, forced?.reason], ['lane-forced-open', 'search', 'a test'])
  assert.deepEqual(forced?.after, { action: 'force-open', by: 'aki', scope: 'node' })
  assert.deepEqual(reset?.before, { action: 'force-open', by: 'aki', at: forced?.at })
})

test('an action on a lane of this node is not done if its audit line cannot be written', async () => {
  const { made, search } = queries({ note: () => unavailable })
  await assert.rejects(made.operateLane('search', 'force-open', author), /unavailable/)
  assert.equal(search.view().operator, null)
})

test('without Redis its circuit cannot be operated, and the refusal says why', async () => {
  const { made, admin } = queries()
  await assert.rejects(made.operateLane('redis', 'force-open', author), (error) => {
    assert.ok(error instanceof Refusal)
    assert.equal(error.code, 'INVALID_REQUEST')
    assert.match(String(error.details?.['reason']), /does not use Redis/)
    return true
  })
  assert.deepEqual(await admin.audit({ limit: 10 }), [])
})

test('an action on the lane of a model is stored, and a start restores it', async () => {
  const { made, admin, lane } = queries()
  await made.operateLane(lane, 'disable', author)
  const clock = manualClock()
  const restarted = memoryLanes({ clock, random: seededRandom(1), policies: lanePolicies(testConfig), leaseMs: 1000 })
  const restore = async () => {
    const { settings } = (await admin.overrides()) ?? assert.fail('the store was read')
    await restoreLanes({ settings, lanes: restarted, names: [lane, 'another'], telemetry: memoryTelemetry() })
  }
  await restore()
  assert.deepEqual(restarted.seen(lane).operator, { action: 'disable', by: 'aki', at: clock.now() })
  await restarted.operate(lane, 'force-open', 'mia')
  await restore()
  assert.equal(restarted.seen(lane).operator?.by, 'mia', 'what is newer stays')
  await made.operateLane(lane, 'reset', author)
  assert.deepEqual((await admin.overrides())?.settings, new Map())
})
