// One sender for a cluster, in virtual time: two nodes and a change of leader, a restart, a store that is unavailable or emptied,
// senders that fail, and silences.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alarmBoardData, memoryAlarmBoard } from '#adapters/memory/alarms/board.ts'
import { memoryAlarmSender } from '#adapters/memory/alarms/sender.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { alarmTable } from '#domain/alarms/alarm-table.ts'
import { NO_ALARM_STATE } from '#domain/alarms/incidents.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { sampleNode } from '#fixtures/stores/wire-test.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import type { AlarmBoard } from '#ports/alarm-board/port.ts'
import type { SendEnd } from '#ports/alarm-sender/port.ts'
import { AlarmWatch } from './alarm-watch.ts'

const EVERY_MS = 5000
const MINUTE_MS = 60_000
const alarms = new Map(alarmTable.map((alarm) => [alarm.id, alarm]))
const severitiesOf = () => ['page', 'warn', 'info'] as const

/** A cluster on one board; `down` holds the lanes that are down on every node. */
function cluster(ids: readonly string[], end: () => SendEnd = () => ({ outcome: 'delivered' })) {
  const clock = manualClock()
  const data = alarmBoardData()
  const board = memoryAlarmBoard({ clock, data })
  const sender = memoryAlarmSender('desk', end)
  const world = { leader: ids[0] ?? '', isUnavailable: false, downSince: undefined as number | undefined }
  const reached: AlarmBoard = {
    report: (report) => call(() => board.report(report)),
    read: () => call(() => board.read()),
    write: (state, version) => call(() => board.write(state, version)),
  }
  async function call<Answer>(verb: () => Promise<Answer>): Promise<Answer> {
    if (world.isUnavailable) throw new StoreUnavailable('down')
    return verb()
  }
  const telemetry = memoryTelemetry()
  const figures = {
    figures: (metric: string) =>
      metric === 'lane_down_seconds' && world.downSince !== undefined
        ? [{ labels: { lane: 'primary' }, value: (clock.now() - world.downSince) / 1000 }]
        : [],
  }
  const open = (id: string) =>
    new AlarmWatch({
      board: reached,
      clock,
      telemetry,
      figures,
      senders: [sender],
      alarms,
      runbookUrl: 'docs/runbooks/',
      language: 'en',
      groupMs: 10_000,
      self: sampleNode(id),
      severitiesOf,
      nodes: {
        isLeader: () => world.leader === id && !world.isUnavailable,
        seen: () => ({ at: 0, nodes: ids.map((one) => ({ ...sampleNode(one), ...NODE })) }),
      },
    })
  const nodes = new Map(ids.map((id) => [id, open(id)]))
  /** Rounds of all nodes for so long. */
  const run = async (ms: number) => {
    for (const until = clock.now() + ms; clock.now() < until;) {
      await clock.advance(EVERY_MS)
      for (const node of nodes.values()) {
        await node.round()
        await node.delivered()
      }
    }
  }
  const sent = () => sender.sent.map(({ kind }) => kind)
  const outage = () => (world.downSince = clock.now())
  const healed = () => (world.downSince = undefined)
  return { clock, data, nodes, open, outage, healed, run, sender, sent, telemetry, world }
}

const NODE = { turns: 0, connections: 0, isDraining: false, edition: null, joinedAt: 0, announcedMsAgo: 0 }

test('two nodes that see the same outage send one message and one resolve', async () => {
  const { outage, healed, run, sender, sent, telemetry } = cluster(['node_1', 'node_2'])
  await run(5 * MINUTE_MS)
  assert.deepEqual(sent(), [])
  outage()
  await run(10 * MINUTE_MS)
  assert.deepEqual(sent(), ['fired'])
  assert.deepEqual(sender.sent[0]?.evidence[0]?.hosts, ['node_1.example', 'node_2.example'])
  healed()
  await run(5 * MINUTE_MS)
  assert.deepEqual(sent(), ['fired', 'resolved'])
  const events = telemetry.logged.map(({ event }) => event)
  assert.deepEqual(events, ['alarm.fired', 'alarm.resolved'])
})

test('a new leader repeats nothing, and sends the resolve', async () => {
  const { outage, healed, nodes, run, sent, world } = cluster(['node_1', 'node_2'])
  outage()
  await run(3 * MINUTE_MS)
  nodes.delete('node_1')
  world.leader = 'node_2'
  await run(5 * MINUTE_MS)
  assert.deepEqual(sent(), ['fired'])
  healed()
  await run(5 * MINUTE_MS)
  assert.deepEqual(sent(), ['fired', 'resolved'])
})

test('a restart during an alarm neither repeats it nor resolves it too early', async () => {
  const { clock, outage, healed, nodes, open, run, sent, world } = cluster(['node_1'])
  outage()
  await run(3 * MINUTE_MS)
  nodes.set('node_1', open('node_1'))
  // The circuit of the new process is closed at first.
  world.downSince = clock.now()
  await run(10 * MINUTE_MS)
  assert.deepEqual(sent(), ['fired'])
  healed()
  await run(5 * MINUTE_MS)
  assert.deepEqual(sent(), ['fired', 'resolved'])
})

test('without the board the first three nodes send by themselves, once, and the leader resolves it afterwards', async () => {
  const ids = ['node_1', 'node_2', 'node_3', 'node_4', 'node_5']
  const { outage, healed, run, sender, sent, telemetry, world } = cluster(ids)
  await run(5 * MINUTE_MS)
  world.isUnavailable = true
  outage()
  await run(10 * MINUTE_MS)
  assert.deepEqual(sent(), ['fired', 'fired', 'fired'])
  assert.deepEqual(
    sender.sent.map(({ standaloneHost }) => standaloneHost),
    ['node_1.example', 'node_2.example', 'node_3.example'],
  )
  healed()
  world.isUnavailable = false
  await run(5 * MINUTE_MS)
  assert.deepEqual(sent(), ['fired', 'fired', 'fired', 'resolved'])
  const count = (event: string) => telemetry.logged.filter((one) => one.event === event).length
  assert.deepEqual([count('alarm.standalone-began'), count('alarm.standalone-ended')], [5, 5])
})

test('an alarm that people know of is not repeated by nodes that lose the board', async () => {
  const { outage, run, sent, world } = cluster(['node_1', 'node_2'])
  outage()
  await run(3 * MINUTE_MS)
  world.isUnavailable = true
  await run(10 * MINUTE_MS)
  assert.deepEqual(sent(), ['fired'])
})

test('a board that was emptied is filled again from what the leader knows', async () => {
  const { data, outage, healed, run, sent } = cluster(['node_1', 'node_2'])
  outage()
  await run(3 * MINUTE_MS)
  data.stored = { version: 0, state: NO_ALARM_STATE }
  data.reports.clear()
  await run(10 * MINUTE_MS)
  assert.deepEqual(sent(), ['fired'])
  healed()
  await run(5 * MINUTE_MS)
  assert.deepEqual(sent(), ['fired', 'resolved'])
})

test('a message that fails is tried again a few times, then given up and logged', async () => {
  let failures = 2
  const failing = (): SendEnd =>
    (failures -= 1) >= 0 ? { outcome: 'failed', reason: 'status 500' } : { outcome: 'delivered' }
  const passing = cluster(['node_1'], failing)
  passing.outage()
  await passing.run(15 * MINUTE_MS)
  assert.deepEqual(passing.sent(), ['fired'])
  const lasting = cluster(['node_1'], () => ({ outcome: 'failed', reason: 'status 500' }))
  lasting.outage()
  await lasting.run(60 * MINUTE_MS)
  const count = (event: string) => lasting.telemetry.logged.filter((one) => one.event === event).length
  assert.ok(count('alarm.message-failed') >= 5)
  assert.equal(count('alarm.message-lost'), 1)
  assert.deepEqual(lasting.data.stored.state.notices, [])
})

test('a message that a lost leader had claimed is sent by the next one when the claim has lapsed', async () => {
  const { clock, data, run, sent } = cluster(['node_1'])
  const incident = { id: 'lane-down', since: 0, seenAt: 0, series: [], more: 0, notifiedAt: clock.now() }
  const claimedUntil = clock.now() + MINUTE_MS
  const notice = { key: 'k', kind: 'fired', at: 0, incident, senders: ['desk'], tries: 0, claimedUntil } as const
  data.stored = { version: 1, state: { ...NO_ALARM_STATE, incidents: [incident], notices: [notice] } }
  await run(MINUTE_MS - EVERY_MS)
  assert.deepEqual(sent(), [])
  await run(MINUTE_MS)
  assert.deepEqual([sent(), data.stored.state.notices], [['fired'], []])
})
