// What the leader decides: one message for many lanes and nodes, none twice, a resolve after a quiet time, silences, and bounds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alarmTable } from './alarm-table.ts'
import { decide, joined, NO_ALARM_STATE, STORED_SERIES_MAX } from './incidents.ts'
import type { AlarmState, Deciding, NodeReport } from './incidents.ts'

const GROUP_MS = 10_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const alarms = new Map(alarmTable.map((alarm) => [alarm.id, alarm]))

const report = (nodeId: string, ...lanes: readonly string[]): NodeReport => ({
  nodeId,
  host: `${nodeId}.example`,
  firing:
    lanes.length === 0
      ? []
      : [{ id: 'lane-down', series: lanes.map((lane) => ({ labels: { lane }, value: 61, since: 1000 })), more: 0 }],
})

/** A leader that started long ago; returns the kinds of the messages that became due. */
function leader(before: AlarmState = NO_ALARM_STATE) {
  let state = before
  return {
    state: () => state,
    step(now: number, reports: readonly NodeReport[], over: Partial<Deciding> = {}) {
      const known = new Set(state.notices.map(({ key }) => key))
      const sendersFor = () => ['desk']
      const base = { alarms, groupMs: GROUP_MS, startedAt: -HOUR_MS, sendersFor, canResolve: true }
      const decided = decide(state, { ...base, now, reports, ...over })
      state = decided.state
      return state.notices.filter(({ key }) => !known.has(key)).map(({ kind }) => kind)
    },
  }
}

test('people get one message for many lanes and nodes, after a moment in which others may join', () => {
  const { state, step } = leader()
  assert.deepEqual(step(0, [report('a', 'primary')]), [])
  assert.deepEqual(step(5000, [report('a', 'primary'), report('b', 'primary', 'economy')]), [])
  assert.deepEqual(step(GROUP_MS, [report('a', 'primary'), report('b', 'primary', 'economy')]), ['fired'])
  const [notice] = state().notices
  assert.deepEqual(
    notice?.incident.series.map(({ hosts, labels }) => [labels['lane'], hosts]),
    [
      ['primary', ['a.example', 'b.example']],
      ['economy', ['b.example']],
    ],
  )
  for (let now = 15_000; now < HOUR_MS; now += 5000)
    assert.deepEqual(step(now, [report('b', 'primary', 'economy')]), [])
})

test('a lane that joins later is reported once, and not at once', () => {
  const { step } = leader()
  step(0, [report('a', 'primary')])
  step(GROUP_MS, [report('a', 'primary')])
  assert.deepEqual(step(MINUTE_MS, [report('a', 'primary', 'search')]), [])
  assert.deepEqual(step(6 * MINUTE_MS, [report('a', 'primary', 'search')]), ['spread'])
  assert.deepEqual(step(12 * MINUTE_MS, [report('a', 'primary', 'search')]), [])
})

test('it is resolved once, when no node has reported it for a while, and is history then', () => {
  const { state, step } = leader()
  step(0, [report('a', 'primary')])
  step(GROUP_MS, [report('a', 'primary')])
  assert.deepEqual(step(20_000, [report('a')]), [])
  // It comes back before it is resolved: nothing is sent.
  assert.deepEqual(step(25_000, [report('a', 'primary')]), [])
  assert.deepEqual(step(30_000, []), [])
  assert.deepEqual(step(60_000, []), ['resolved'])
  assert.deepEqual(step(65_000, []), [])
  assert.deepEqual([state().incidents, state().past.length, state().past[0]?.wasNotified], [[], 1, true])
})

test('a process that has just started resolves nothing: it has not seen enough yet', () => {
  const { state, step } = leader()
  step(0, [report('a', 'primary')])
  step(GROUP_MS, [report('a', 'primary')])
  const startedAt = 20_000
  const restarted = leader(state())
  for (let now = startedAt; now < startedAt + 3 * MINUTE_MS; now += 5000)
    assert.deepEqual(restarted.step(now, [report('a')], { startedAt }), [])
  assert.deepEqual(restarted.step(startedAt + 3 * MINUTE_MS, [report('a')], { startedAt }), ['resolved'])
})

test('a silenced alarm sends nothing, and people are notified if it still fires when the silence ends', () => {
  const silence = { until: MINUTE_MS, by: 'aki', at: 0, reason: 'known' }
  const { state, step } = leader({ ...NO_ALARM_STATE, silences: { 'lane-down': silence } })
  for (let now = 0; now < MINUTE_MS; now += 5000) assert.deepEqual(step(now, [report('a', 'primary')]), [])
  assert.deepEqual(step(MINUTE_MS, [report('a', 'primary')]), ['fired'])
  assert.deepEqual(state().silences, {})
})

test('an incident that no message was sent about is resolved without a message; without senders none is due', () => {
  const silence = { until: HOUR_MS, by: 'aki', at: 0, reason: 'known' }
  const quiet = leader({ ...NO_ALARM_STATE, silences: { 'lane-down': silence } })
  quiet.step(0, [report('a', 'primary')])
  quiet.step(GROUP_MS, [])
  assert.deepEqual(quiet.step(MINUTE_MS, []), [])
  assert.deepEqual(
    quiet.state().past.map(({ wasNotified }) => wasNotified),
    [false],
  )
  const alone = leader()
  alone.step(0, [report('a', 'primary')], { sendersFor: () => [] })
  assert.deepEqual(alone.step(GROUP_MS, [report('a', 'primary')], { sendersFor: () => [] }), [])
  assert.equal(alone.state().incidents[0]?.notifiedAt, undefined)
  alone.step(2 * GROUP_MS, [], { sendersFor: () => [] })
  alone.step(MINUTE_MS, [], { sendersFor: () => [] })
  assert.equal(alone.state().past[0]?.wasNotified, false, 'nobody was notified')
})

test('an alarm that began without a sender is reported when there is one', () => {
  const { step } = leader()
  step(0, [report('a', 'primary')], { sendersFor: () => [] })
  assert.deepEqual(step(GROUP_MS, [report('a', 'primary')], { sendersFor: () => [] }), [])
  assert.deepEqual(step(MINUTE_MS, [report('a', 'primary')]), ['fired'])
})

test('an alarm that was switched off is dropped, and the state is bounded', () => {
  const { state, step } = leader()
  const lanes = Array.from({ length: 100 }, (_, index) => `lane-${index}`)
  step(0, [report('a', ...lanes)])
  const [incident] = state().incidents
  assert.deepEqual([incident?.series.length, incident?.more], [STORED_SERIES_MAX, 100 - STORED_SERIES_MAX])
  for (let round = 0; round < 200; round += 1) {
    step(round * 10 * MINUTE_MS, [report('a', 'primary')])
    step(round * 10 * MINUTE_MS + GROUP_MS, [report('a', 'primary')])
    step(round * 10 * MINUTE_MS + MINUTE_MS, [])
    step(round * 10 * MINUTE_MS + 2 * MINUTE_MS, [])
  }
  assert.ok(state().past.length <= 60 && state().notices.length <= 40)
  assert.ok(JSON.stringify(state()).length < 100_000)
  step(3000 * MINUTE_MS, [report('a', 'primary')])
  step(3001 * MINUTE_MS, [report('a', 'primary')], { alarms: new Map() })
  assert.deepEqual(state().incidents, [])
})

test('what a node sent by itself is joined to the shared state, and resolved there', () => {
  const own = leader()
  own.step(0, [report('a', 'redis')], { canResolve: false })
  assert.deepEqual(own.step(GROUP_MS, [report('a', 'redis')], { canResolve: false }), ['fired'])
  // A node that sees only itself resolves nothing.
  assert.deepEqual(own.step(HOUR_MS, [], { canResolve: false }), [])
  const shared = leader(joined(NO_ALARM_STATE, own.state().incidents, HOUR_MS))
  assert.deepEqual(shared.step(HOUR_MS + 5000, []), [])
  assert.deepEqual(shared.step(HOUR_MS + MINUTE_MS, []), ['resolved'])
})
