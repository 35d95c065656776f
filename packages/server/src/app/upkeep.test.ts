// Background work: expiry keeps up with ended turns, however many, and delays no turn.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaults } from '#config/config.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { sampleStart } from '#fixtures/turns/samples.ts'
import type { RecordsBounds } from '#ports/turn-records/port.ts'
import { createUpkeep } from './upkeep.ts'

async function setUp(ended: { turns: number; sessions: number; records?: number }, nodes = 1) {
  const state = { leads: true }
  const ports = await testPorts()
  const left = { records: 0, ...ended }
  const batches: number[] = []
  const swept: RecordsBounds[] = []
  const forget = (what: keyof typeof left) => async (_bounds: unknown, limit: number) => {
    const count = Math.min(limit, left[what])
    left[what] -= count
    batches.push(ports.clock.now())
    return count
  }
  const nothing = async () => {}
  const scans: number[] = []
  const upkeep = createUpkeep({
    ...ports,
    turnLog: { ...ports.turnLog, sweep: forget('turns') },
    sessions: { ...ports.sessions, sweep: forget('sessions') },
    turnRecords: {
      sweep(bounds: RecordsBounds, limit: number) {
        swept.push(bounds)
        return forget('records')(bounds, limit)
      },
    },
    config: defaults,
    recover: async () => scans.push(ports.clock.now()),
    share: nothing,
    rounds: [],
    nodes: { leads: async () => state.leads, serving: () => nodes },
  })
  upkeep.start()
  const { clock, telemetry, turnLog } = ports
  return { batches, state, scans, swept, clock, left, stop: () => upkeep.stop(), telemetry, turnLog }
}

test('everything expired is removed within a round, in small batches with pauses', async () => {
  const { batches, clock, left, stop } = await setUp({ turns: 7086, sessions: 450, records: 900 })
  await clock.advance(120_000)
  stop()
  assert.deepEqual(left, { turns: 0, sessions: 0, records: 0 })
  const rests = batches.slice(0, 36).map((at, index) => at - (batches[index - 1] ?? at - 20))
  assert.ok(
    rests.every((ms) => ms >= 20),
    String(rests),
  )
})

test('a round is limited, and one that could not keep up is logged', async () => {
  const { batches, clock, left, stop, telemetry } = await setUp({ turns: 1_000_000, sessions: 0 })
  await clock.advance(75_000)
  stop()
  assert.ok(left.turns > 0)
  assert.ok(batches.length <= 402)
  assert.ok(telemetry.counted.some(({ name }) => name === 'upkeep_sweep_behind_total'))
})

test('turn records are swept by age and number', async () => {
  const { clock, stop, swept } = await setUp({ turns: 0, sessions: 0 })
  await clock.advance(61_000)
  stop()
  const { turnRecordsDays, turnRecordsMax } = defaults.retention
  const [bounds] = swept
  assert.ok(bounds !== undefined)
  assert.equal(bounds.countMax, turnRecordsMax)
  assert.ok(clock.now() - bounds.before >= turnRecordsDays * 86_400_000)
})

test('one node sweeps for all: others wait until they lead, and the leader does more in a round the more nodes there are', async () => {
  const { clock, left, state, stop } = await setUp({ turns: 200_000, sessions: 0 }, 3)
  state.leads = false
  await clock.advance(180_000)
  const skipped = left.turns
  state.leads = true
  await clock.advance(75_000)
  stop()
  assert.deepEqual([skipped, left.turns], [80_000, 0])
})

test('turns that another node releases are looked for within a quarter of a second, once for many, and by no node that has stopped', async () => {
  const { clock, scans, stop, turnLog } = await setUp({ turns: 0, sessions: 0 })
  const release = async (turnId: string) => {
    await turnLog.open(sampleStart({ turnId }), 60_000)
    await turnLog.release(turnId, 1)
  }
  await clock.advance(100)
  const [before, at] = [scans.length, clock.now()]
  for (let turn = 1; turn <= 20; turn += 1) await release(`turn_${turn}`)
  await clock.advance(250)
  assert.equal(scans.length, before + 1)
  assert.ok((scans.at(-1) ?? Infinity) - at <= 250)
  stop()
  await release('turn_late')
  await clock.advance(60_000)
  assert.equal(scans.length, before + 1)
})
