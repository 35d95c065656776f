// The pace of a lane whose provider refuses calls for load: cut to what was granted, raised while nothing is refused, and lifted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyCell } from './cells.ts'
import type { Cell } from './cells.ts'
import type { LaneCounts } from './counts.ts'
import { nextPace, paceDefaults, startsOf } from './pace.ts'
import type { Pace } from './pace.ts'

const TICK_MS = 500
const settings = { pace: paceDefaults, tickMs: TICK_MS }
const counted = (cells: readonly Cell[]): LaneCounts => ({
  cells,
  inFlight: 0,
  bucket: 25,
  failuresRunning: 0,
  successesRunning: 0,
  probes: { epoch: 1, taken: 0, passed: 0, failed: 0, lost: 0 },
})

/** A provider with a quota of so many calls a second, asked for as many as come and the pace lets through. */
function run(quota: (atMs: number) => number, comingPerSecond: number, forMs: number): readonly (Pace | null)[] {
  let pace: Pace | null = null
  let [credit, coming] = [0, 0]
  const cells: Cell[] = []
  const paces: (Pace | null)[] = []
  for (let now = 0; now < forMs; now += TICK_MS) {
    coming += (comingPerSecond * TICK_MS) / 1000
    credit = Math.min(2, credit + (quota(now) * TICK_MS) / 1000)
    const starts = Math.floor(Math.min(coming, pace === null ? Infinity : startsOf(pace)))
    coming = Math.min(coming - starts, comingPerSecond)
    const served = Math.min(starts, Math.floor(credit))
    credit -= served
    cells.push({ ...emptyCell(now), firsts: starts, successes: served, overloads: starts - served })
    pace = nextPace(pace, counted(cells), { now: now + TICK_MS - 1, since: 0, isQuick: true, settings })
    paces.push(pace)
  }
  return paces
}

test('a lane that is refused nothing, or a few calls, has no pace', () => {
  assert.ok(run((atMs) => (atMs < 0 ? 0 : 200), 3, 10_000).every((pace) => pace === null))
  const few = counted([{ ...emptyCell(0), firsts: 30, successes: 28, overloads: 2 }])
  assert.equal(nextPace(null, few, { now: 400, since: 0, isQuick: true, settings }), null)
})

test('the pace settles near the quota, whatever comes', () => {
  const last = run(() => 4, 30, 30_000).slice(-20)
  for (const pace of last) assert.ok(pace !== null && pace.perSecond > 3 && pace.perSecond < 8, `${pace?.perSecond}`)
})

test('a quota that returns is found within seconds, and a pace that holds back nothing is lifted', () => {
  const returns = 10_000
  const paces = run((now) => (now < returns ? 2 : 1000), 3, 40_000)
  assert.ok(paces.slice(4, 20).some((pace) => pace !== null))
  assert.equal(paces.at(-1), null)
})

test('the pace does not rise while the first words come later than usual: the calls wait at the provider', () => {
  const pace: Pace = { perSecond: 5, starts: 0, cutAt: 0, feltAt: 9500, rises: 4 }
  const used = counted([9000, 9500].map((at) => ({ ...emptyCell(at), firsts: 3, successes: 3 })))
  const after = (isQuick: boolean) =>
    nextPace(pace, used, { now: 10_000 - 1, since: 0, isQuick, settings })?.perSecond ?? 0
  assert.deepEqual([after(false) === 5, after(true) > 5], [true, true])
})

test('a fraction of a call is kept for the next tick', () => {
  const slow: Pace = { perSecond: 1, starts: 0.5, cutAt: 0, feltAt: 1000, rises: 0 }
  const next = nextPace(slow, counted([]), { now: 1400, since: 0, isQuick: true, settings })
  assert.deepEqual([startsOf(slow), next === null ? undefined : startsOf(next)], [0, 1])
})

test('a dependency without a quota has no pace', () => {
  const refused = counted([{ ...emptyCell(0), firsts: 30, overloads: 30 }])
  assert.equal(
    nextPace(null, refused, { now: 400, since: 0, isQuick: true, settings: { pace: null, tickMs: TICK_MS } }),
    null,
  )
})
