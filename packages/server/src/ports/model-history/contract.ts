// The contract of the model history. `make` returns an empty one with a clock of its own; `reopen` returns another over the same data, as
// another node has it, or the same node after a restart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { LaneChange } from '#domain/model-history/lane-change.ts'
import { HISTORY_STEP_MS } from '#domain/model-history/model-meter.ts'
import type { CountedFault } from '#domain/model-history/model-meter.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import type { ManualClock } from '#fixtures/time/manual-clock.ts'
import { HISTORY_ENTRIES_MAX, HISTORY_KEEP_MS } from './port.ts'
import type { HistoryBatch, ModelHistory } from './port.ts'

export interface ModelHistoryUnderTest {
  readonly history: ModelHistory
  readonly reopen: () => Promise<ModelHistory>
}

const fault: CountedFault = {
  model: 'primary',
  outcome: 'throttled',
  status: 429,
  code: 'TooMany',
  message: 'Too many tokens: 12 of 10',
  count: 2,
  lastAt: 5,
  turnId: 'turn_1',
}
const change: LaneChange = {
  id: 'main 2 open',
  lane: 'main',
  at: 7,
  from: 'closed',
  to: 'open',
  why: 'failures',
  calls: 3,
  failures: 3,
}

export function modelHistoryContract(
  name: string,
  make: (context: TestContext, clock: ManualClock) => Promise<ModelHistoryUnderTest>,
): void {
  const opened = async (context: TestContext) => {
    const clock = manualClock()
    const at = Math.floor(clock.now() / HISTORY_STEP_MS) * HISTORY_STEP_MS
    const { history, reopen } = await make(context, clock)
    const batch = (id: string, given: Partial<HistoryBatch> = {}): HistoryBatch => ({
      id,
      at,
      counts: [],
      faults: [],
      changes: [],
      ...given,
    })
    return { at, batch, clock, history, other: await reopen(), end: at + HISTORY_STEP_MS }
  }

  test(`${name}: counts of all nodes are added, and a repeated batch is not`, async (context) => {
    const { at, batch, end, history, other } = await opened(context)
    assert.deepEqual(await history.read(0, end), [])
    const one = batch('a-1', { counts: [{ of: 'primary', counts: { calls: 2, 'first:3': 1 } }] })
    await history.add(one)
    await history.add(one)
    await other.add(batch('b-1', { counts: [{ of: 'primary', counts: { calls: 5 } }] }))
    await other.add(batch('b-2', { counts: [{ of: '', counts: { 'tier:primary': 1 } }] }))
    const [step] = await other.read(at, end)
    assert.equal(step?.at, at)
    const counts = new Map(step?.counts.map((counted) => [counted.of, counted.counts]))
    assert.deepEqual(counts.get('primary'), { calls: 7, 'first:3': 1 })
    assert.deepEqual(counts.get(''), { 'tier:primary': 1 })
  })

  test(`${name}: of equal faults the last words stay and the counts are added; of equal changes the first stays`, async (context) => {
    const { batch, end, history, other } = await opened(context)
    await history.add(batch('a-1', { faults: [fault], changes: [change] }))
    const later = { ...fault, message: 'Too many tokens: 99 of 10', count: 3, lastAt: 8, turnId: 'turn_2' }
    const { code: _, ...other429 } = { ...fault, count: 1 }
    await other.add(batch('b-1', { faults: [later, other429], changes: [{ ...change, at: 8 }] }))
    const [step] = await history.read(0, end)
    assert.deepEqual(step?.changes, [change])
    const byCount = step?.faults.toSorted((a, b) => b.count - a.count)
    assert.deepEqual(byCount, [{ ...later, count: 5 }, other429])
  })

  test(`${name}: steps are read by their beginning, oldest first, and expire`, async (context) => {
    const { at, batch, clock, end, history } = await opened(context)
    const counts = [{ of: 'primary', counts: { calls: 1 } }]
    await history.add(batch('a-1', { counts }))
    await clock.advance(HISTORY_STEP_MS)
    await history.add(batch('a-2', { at: end, counts }))
    const beginnings = async (from: number, to: number) => (await history.read(from, to)).map((step) => step.at)
    assert.deepEqual(await beginnings(0, end + 1), [at, end])
    assert.deepEqual(await beginnings(at, end), [at])
    assert.deepEqual(await beginnings(at + 1, end), [])
    await clock.advance(HISTORY_KEEP_MS)
    await history.add(batch('a-3', { at: at + HISTORY_KEEP_MS + HISTORY_STEP_MS, counts }))
    assert.equal((await beginnings(0, end)).length, 0)
  })

  test(`${name}: a full step takes no new entry, and still adds to known ones`, async (context) => {
    const { batch, end, history } = await opened(context)
    const many = Array.from({ length: HISTORY_ENTRIES_MAX }, (_, index) => [`n${index}`, 1] as const)
    await history.add(batch('a-1', { counts: [{ of: 'primary', counts: Object.fromEntries(many) }] }))
    await history.add(batch('a-2', { counts: [{ of: 'primary', counts: { n0: 1, more: 1 } }] }))
    const [step] = await history.read(0, end)
    assert.deepEqual([step?.counts[0]?.counts['n0'], step?.counts[0]?.counts['more']], [2, undefined])
  })
}
