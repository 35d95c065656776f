// The limit of calls in flight: when it is cut, raised and removed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { emptyCell } from './cells.ts'
import { sumOf } from './cells.ts'
import type { Cell } from './cells.ts'
import type { LaneCounts } from './counts.ts'
import { goodInFlight, goodWaitMs, nextLimit } from './in-flight-limit.ts'
import { laneDefaults } from './settings.ts'
import type { Closed } from './state.ts'

const NOW = 100_000
const settings = laneDefaults.limit
const at = (ms: number, over: Partial<Cell>): Cell => ({ ...emptyCell(ms), ...over })
const counted = (...cells: readonly Cell[]): LaneCounts => ({
  cells,
  inFlight: 0,
  bucket: 25,
  failuresRunning: 0,
  successesRunning: 0,
  probes: { epoch: 1, taken: 0, passed: 0, failed: 0, lost: 0 },
})
const phase = (over: Partial<Closed> = {}): Closed => ({
  kind: 'closed',
  since: 0,
  openedMs: 0,
  goodInFlight: 0,
  goodWaitMs: 0,
  limit: 100,
  pace: null,
  unsaturatedSince: NOW,
  cutAt: 0,
  ...over,
})
const limitAfter = (closed: Closed, ...cells: readonly Cell[]) =>
  nextLimit(closed, counted(...cells), { now: NOW, settings, isPaced: false }).limit

test('an overload ratio above half cuts the limit by much, above a tenth by little, and a smaller one not at all', () => {
  const used = { inFlightPeak: 100 }
  assert.equal(limitAfter(phase(), at(NOW - 500, { ...used, overloads: 51, successes: 49 })), 60)
  assert.equal(limitAfter(phase(), at(NOW - 500, { ...used, overloads: 11, successes: 89 })), 85)
  assert.equal(limitAfter(phase(), at(NOW - 500, { ...used, overloads: 5, successes: 95 })), 100)
})

test('a lane without a limit gets one from its usual number in flight, not from the accumulated calls', () => {
  const piled = at(NOW - 500, { inFlightPeak: 400, overloads: 60, successes: 40 })
  assert.equal(limitAfter(phase({ limit: null, goodInFlight: 100 }), piled), 60)
  assert.equal(limitAfter(phase({ limit: null }), piled), 240)
})

test('one burst of overloads causes one cut', () => {
  const burst = counted(at(NOW - 500, { inFlightPeak: 100, overloads: 60, successes: 40 }))
  const cut = { ...phase(), ...nextLimit(phase(), burst, { now: NOW, settings, isPaced: false }) }
  const after = { ...cut, ...nextLimit(cut, burst, { now: NOW + 500, settings, isPaced: false }) }
  assert.deepEqual([cut.limit, after.limit], [60, 60])
})

test('the limit grows only while it is well used and the lane healthy, and slowly above the usual number', () => {
  const used = at(NOW - 500, { inFlightPeak: 90, successes: 100 })
  assert.equal(limitAfter(phase({ goodInFlight: 200 }), used), 115)
  assert.equal(limitAfter(phase({ goodInFlight: 50 }), used), 103)
  assert.equal(limitAfter(phase(), at(NOW - 500, { inFlightPeak: 50, successes: 100 })), 100)
  assert.equal(limitAfter(phase(), at(NOW - 500, { inFlightPeak: 90, successes: 90, faults: 10 })), 100)
})

const waiting = (ms: number, over: Partial<Cell> = {}) =>
  at(NOW - 3000, { inFlightPeak: 90, successes: 60, waitedMs: 60 * ms, ...over })

test('the limit does not grow while the first words take longer than usual', () => {
  const usual = { goodWaitMs: 600 }
  assert.equal(limitAfter(phase(usual), waiting(950)), 103)
  assert.equal(limitAfter(phase(usual), waiting(1100)), 100)
})

test('silent calls cut the limit of a model where they are more than a healthy one has; its refusals cut its pace instead', () => {
  const paced = (cell: Partial<Cell>) =>
    nextLimit(phase({ limit: null }), counted(at(NOW - 500, { inFlightPeak: 50, ...cell })), {
      now: NOW,
      settings,
      isPaced: true,
    }).limit
  assert.equal(paced({ silents: 2, successes: 8 }), null)
  assert.equal(paced({ silents: 5, successes: 45 }), null)
  assert.equal(paced({ silents: 10, successes: 40 }), 42)
  assert.equal(paced({ silents: 30, successes: 20 }), 30)
  assert.equal(paced({ overloads: 30, successes: 20 }), null)
})

/** Two seconds in which calls begin, some are answered after `waitMs`, and the others are silent. */
const halfSilent = (waitMs: number, answered = 3) =>
  [2000, 1500, 1000, 500].map((ago) =>
    at(NOW - ago, {
      firsts: 6,
      inFlightPeak: 40,
      silents: 6 - answered,
      successes: answered,
      waitedMs: answered * waitMs,
    }),
  )

test('silent calls do not cut the limit of a model that answers the others as soon as usual, and do not keep it from growing', () => {
  const usual = { goodWaitMs: 700, limit: 45 }
  const after = (closed: Closed, cells: readonly Cell[]) =>
    nextLimit(closed, counted(...cells), { now: NOW, settings, isPaced: true }).limit
  assert.equal(after(phase({ ...usual, limit: null }), halfSilent(700)), null)
  assert.equal(after(phase(usual), halfSilent(700)), 46)
  // Later than usual, or hardly any: they wait behind others.
  assert.equal(after(phase(usual), halfSilent(1300)), 34)
  assert.equal(after(phase(usual), halfSilent(700, 1)), 24)
  // Nothing is known of the model.
  assert.equal(after(phase({ limit: null }), halfSilent(700)), 34)
})

test('calls that a pace holds back do not raise the limit', () => {
  const pace = { perSecond: 5, starts: 0, cutAt: NOW, feltAt: NOW, rises: 0 }
  const idle = at(NOW - 500, { inFlightPeak: 10, successes: 50, shed: 30 })
  const limitOf = (over: Partial<Closed>) =>
    nextLimit(phase({ limit: 40, ...over }), counted(idle), { now: NOW, settings, isPaced: true }).limit
  assert.equal(limitOf({ pace }), 40)
  assert.equal(limitOf({}), 41)
})

test('the backlog at the provider is subtracted, and measured again only after it can have changed', () => {
  const usual = { goodWaitMs: 500, limit: 90 }
  // Twenty answers a second that wait two seconds too long are forty calls in the provider's queue.
  assert.equal(limitAfter(phase(usual), waiting(3000)), 50)
  assert.equal(limitAfter(phase({ ...usual, limit: null }), waiting(3000)), 50)
  assert.equal(limitAfter(phase({ ...usual, cutAt: NOW - 2000 }), waiting(3000)), 90)
  assert.equal(limitAfter(phase(usual), waiting(9000)), settings.floor)
})

test('a model that always takes long is not treated as overloaded', () => {
  assert.equal(limitAfter(phase({ goodWaitMs: 9000, limit: null }), waiting(12_000)), null)
})

test('a new lane of which no usual wait is known is not limited for the first words of its first calls', () => {
  assert.equal(limitAfter(phase({ limit: null }), waiting(1200)), null)
  assert.equal(limitAfter(phase({ limit: null, goodWaitMs: 300 }), waiting(1200)), 78)
})

test('the usual wait adapts quickly to shorter waits, slowly to longer ones, and not to a backlog', () => {
  const learned = (usual: number, ms: number, limit: number | null = null) =>
    goodWaitMs(phase({ goodWaitMs: usual, goodInFlight: 60, limit }), sumOf([waiting(ms)]), settings)
  assert.equal(learned(0, 700), 700)
  assert.equal(learned(1000, 500), 850)
  assert.equal(learned(1000, 5000), 1002)
  assert.equal(learned(1000, 5000, 50), 1000)
  assert.equal(learned(1000, 5000, 15), 1002)
  assert.equal(goodWaitMs(phase({ goodWaitMs: 700 }), sumOf([]), settings), 700)
})

test('the limit is removed after half a minute without effect', () => {
  const idle = at(NOW - 500, { inFlightPeak: 10, successes: 10 })
  assert.equal(limitAfter(phase({ unsaturatedSince: NOW - 29_999 }), idle), 100)
  assert.equal(limitAfter(phase({ unsaturatedSince: NOW - 30_000 }), idle), null)
})

test('one failure among few calls causes no cut', () => {
  assert.equal(limitAfter(phase({ limit: null }), at(NOW - 500, { inFlightPeak: 2, overloads: 2, successes: 1 })), null)
})

test('the limit never falls below its floor', () => {
  const anyCell = fc.record({
    overloads: fc.nat(200),
    successes: fc.nat(200),
    waitedMs: fc.nat(1_000_000),
    inFlightPeak: fc.nat(500),
    shed: fc.nat(9),
  })
  fc.assert(
    fc.property(fc.array(anyCell, { maxLength: 40 }), (happened) => {
      const closed = { ...phase({ limit: null }) }
      for (const [index, over] of happened.entries()) {
        const now = NOW + index * 500
        Object.assign(closed, nextLimit(closed, counted(at(now - 500, over)), { now, settings, isPaced: false }))
        assert.ok(closed.limit === null || closed.limit >= settings.floor)
      }
    }),
  )
})

test('the usual number in flight is the median of the healthy cells, so that a few seconds of accumulation do not change it', () => {
  const usual = Array.from({ length: 20 }, (_, index) => at(index * 500, { successes: 50, inFlightPeak: 100 }))
  const piling = Array.from({ length: 8 }, (_, index) => at(10_000 + index * 500, { successes: 9, inFlightPeak: 400 }))
  assert.equal(goodInFlight(counted(...usual, ...piling)), 100)
  assert.equal(goodInFlight(counted(at(0, { faults: 9, inFlightPeak: 9 }))), 0)
})
