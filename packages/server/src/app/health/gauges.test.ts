// The gauges of an app, as a scraper reads them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FakeApp } from '#fixtures/edge/edge.ts'
import { fakeAdmin } from '#fixtures/edge/fake-admin.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { MetricsRegistry } from '#adapters/system/metrics.ts'
import { appGauges } from './gauges.ts'

async function shown(act: (app: FakeApp, lane: string) => Promise<unknown>): Promise<string> {
  const app = new FakeApp()
  const metrics = new MetricsRegistry()
  appGauges(app, metrics)
  const [lane] = await app.admin.lanes()
  assert.ok(lane !== undefined)
  await act(app, lane.lane)
  const text = metrics.text()
  assert.ok(!text.includes(lane.lane), 'the name of a lane tells where its model is')
  return text.replaceAll(`lane="${lane.models[0]}"`, 'lane="L"')
}

test('each lane has its level, phase, calls, bucket and queue, and no limit while there is none', async () => {
  const text = await shown(async ({ operators }, lane) => {
    await operators.lanes.permit(lane, { id: 'permit_1', ask: { kind: 'first' } })
  })
  for (const line of [
    'lane_level{lane="L"} 0',
    'lane_circuit_state{lane="L"} 0',
    'lane_down_seconds{lane="L"} 0',
    'lane_in_flight_calls{lane="L"} 1',
    'lane_queue_turns{lane="L"} 0',
    'lane_queue_oldest_seconds{lane="L"} 2.5',
    'lane_state_seconds_total{lane="L",state="closed"} 60',
    'lane_state_seconds_total{lane="L",state="open"} 1.5',
    'queue_turns_max 100',
    'lane_recent_calls{lane="L",kind="shed"} 0',
    'deferred_questions 0',
    'maintenance_active 0',
    'node_is_leader 1',
    'nodes_alive{state="serving"} 2',
    'nodes_alive{state="draining"} 1',
    'turn_running 0',
    'turn_streams{state="broken-off"} 0',
  ])
    assert.ok(text.includes(`\nmangaassist_${line}\n`), line)
  assert.match(text, /^# TYPE mangaassist_lane_state_seconds_total counter$/m)
  assert.match(text, /^mangaassist_lane_retry_budget_max\{lane="L"\} \d/m)
  assert.doesNotMatch(text, /lane_in_flight_calls_max|lane_operator_action/)
})

test('operators’ actions are shown: a lane forced open, and maintenance', async () => {
  const author = { by: 'aki', reason: 'a test' }
  const text = await shown(async ({ admin }, lane) => {
    await admin.operateLane(lane, 'force-open', author)
    await admin.setMaintenance(true, author)
  })
  assert.ok(text.includes('mangaassist_lane_operator_action{lane="L",action="force-open"} 1\n'))
  assert.ok(text.includes('mangaassist_lane_level{lane="L"} 4\n'))
  assert.ok(text.includes('mangaassist_maintenance_active 1\n'))
  const reset = await shown(async ({ admin }, lane) => {
    await admin.operateLane(lane, 'force-open', author)
    await admin.operateLane(lane, 'reset', author)
  })
  assert.doesNotMatch(reset, /lane_operator_action/)
})

test('a model that its vendor rejects has a gauge, by its configured name and the cause', async () => {
  const text = await shown(async ({ operators: { rejections } }) => {
    for (let call = 0; call < 4; call += 1) rejections.ended('embedded', { outcome: 'access-denied' })
  })
  assert.ok(text.includes('mangaassist_model_rejected_calls{model="embedded",reason="access-denied"} 4\n'))
  assert.doesNotMatch(await shown(async () => {}), /model_rejected_calls\{/)
})

test('the circuits of search and sessions are lanes under their own names, without a retry bucket', async () => {
  const text = await shown(({ admin }) => admin.operateLane('search', 'force-open', { by: 'aki', reason: 'a test' }))
  for (const line of [
    'lane_level{lane="search"} 4',
    'lane_circuit_state{lane="search"} 3',
    'lane_circuit_state{lane="sessions"} 0',
    'lane_down_seconds{lane="sessions"} 0',
    'lane_operator_action{lane="search",action="force-open"} 1',
    'lane_recent_calls{lane="sessions",kind="failures"} 0',
  ])
    assert.ok(text.includes(`\nmangaassist_${line}\n`), line)
  assert.doesNotMatch(text, /lane_(retry_budget|retry_budget_max|queue_turns)\{lane="(search|sessions)"/)
})

test('a scrape takes no probe: a half-open circuit still lets its next call pass', async () => {
  const clock = manualClock()
  const { lanes, queries } = fakeAdmin(clock)
  const app = new FakeApp()
  const metrics = new MetricsRegistry()
  appGauges(
    {
      admin: queries,
      deferred: () => 0,
      running: () => 0,
      streams: app.streams,
      waiting: app.waiting,
      lanesDownMs: () => new Map(),
      lanesPhasesMs: app.lanesPhasesMs,
      oldestMs: app.oldestMs,
      waitingMax: app.waitingMax,
      nodes: () => [],
      isLeader: () => false,
      firingAlarms: () => [],
    },
    metrics,
  )
  const lane = (await queries.lanes())[0]?.lane ?? ''
  for (const id of ['permit_1', 'permit_2', 'permit_3']) {
    await lanes.permit(lane, { id, ask: { kind: 'first' } })
    await lanes.report(lane, id, 'fault')
  }
  await lanes.tick()
  assert.match(metrics.text(), /^mangaassist_lane_circuit_state\{lane="embedded"\} 3$/m)
  await clock.advance(10_000)
  await lanes.tick()
  for (let reads = 0; reads < 20; reads += 1)
    assert.match(metrics.text(), /^mangaassist_lane_circuit_state\{lane="embedded"\} 2$/m)
  const first = await lanes.permit(lane, { id: 'permit_4', ask: { kind: 'first' } })
  const second = await lanes.permit(lane, { id: 'permit_5', ask: { kind: 'first' } })
  assert.deepEqual([first.kind, second.kind], ['permit', 'refused'])
})
