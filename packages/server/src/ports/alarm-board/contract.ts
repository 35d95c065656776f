// The contract of the alarm board. `make` returns an empty board with a clock of its own; `reopen` returns another over the same
// data, as another node has it, or the same node after a restart. Where each process has reports of its own, `hasOwnReports` is set.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { NO_ALARM_STATE } from '#domain/alarms/incidents.ts'
import type { AlarmState, NodeReport } from '#domain/alarms/incidents.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import type { ManualClock } from '#fixtures/time/manual-clock.ts'
import { REPORT_LEASE_MS } from './port.ts'
import type { AlarmBoard } from './port.ts'

export interface AlarmBoardUnderTest {
  readonly board: AlarmBoard
  readonly reopen: () => Promise<AlarmBoard>
  readonly hasOwnReports?: true
}

const reportOf = (nodeId: string, value = 61): NodeReport => ({
  nodeId,
  host: `${nodeId}.example`,
  firing: [{ id: 'lane-down', series: [{ labels: { lane: 'primary' }, value, since: 1000 }], more: 0 }],
})
const silenced = (reason: string): AlarmState => ({
  ...NO_ALARM_STATE,
  silences: { 'lane-down': { until: 5000, by: 'aki', at: 1000, reason } },
})
const byNode = (reports: readonly NodeReport[]) => reports.toSorted((a, b) => (a.nodeId < b.nodeId ? -1 : 1))

export function alarmBoardContract(
  name: string,
  make: (context: TestContext, clock: ManualClock) => Promise<AlarmBoardUnderTest>,
): void {
  const opened = async (context: TestContext) => {
    const clock = manualClock()
    const { board, hasOwnReports = false, reopen } = await make(context, clock)
    return { clock, board, other: await reopen(), hasOwnReports }
  }

  test(`${name}: a report replaces the node's last one, and is returned to it`, async (context) => {
    const { board } = await opened(context)
    assert.deepEqual(await board.report(reportOf('a')), [reportOf('a')])
    assert.deepEqual(await board.report(reportOf('a', 70)), [reportOf('a', 70)])
    assert.deepEqual(await board.report({ ...reportOf('a'), firing: [] }), [{ ...reportOf('a'), firing: [] }])
  })

  test(`${name}: nodes read each other's reports until a lease has lapsed`, async (context) => {
    const { board, clock, hasOwnReports, other } = await opened(context)
    if (hasOwnReports) return
    await board.report(reportOf('a'))
    await clock.advance(REPORT_LEASE_MS - 1)
    assert.deepEqual(byNode(await other.report(reportOf('b'))), [reportOf('a'), reportOf('b')])
    await clock.advance(1)
    assert.deepEqual(await other.report(reportOf('b')), [reportOf('b')])
  })

  test(`${name}: the state begins empty, and is stored for other nodes and later processes`, async (context) => {
    const { board, other } = await opened(context)
    assert.deepEqual(await board.read(), { version: 0, state: NO_ALARM_STATE })
    assert.equal(await board.write(silenced('静かに'), 0), true)
    const { state, version } = await other.read()
    assert.deepEqual([state, version > 0], [silenced('静かに'), true])
  })

  test(`${name}: only a node that has read the current state replaces it`, async (context) => {
    const { board, other } = await opened(context)
    await board.write(silenced('one'), 0)
    assert.equal(await other.write(silenced('two'), 0), false)
    const { version } = await other.read()
    assert.equal(await other.write(silenced('two'), version), true)
    assert.equal(await board.write(silenced('three'), version), false)
    assert.deepEqual((await board.read()).state, silenced('two'))
  })

  test(`${name}: a report of many alarms is cut, not refused`, async (context) => {
    const { board } = await opened(context)
    const { firing } = reportOf('a')
    const many = Array.from({ length: 500 }, (_, index) => ({ ...firing[0]!, id: `alarm-${index}` }))
    const [report] = await board.report({ ...reportOf('a'), firing: many })
    const kept = report?.firing.length ?? 0
    assert.ok(kept > 20 && kept < 500, String(kept))
  })
}
