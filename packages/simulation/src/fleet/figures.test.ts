// Computes figures from hand-written seconds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare, figuresOf } from './figures.ts'
import type { FigureParts } from './figures.ts'
import type { Figures, Second } from './fleet-run.ts'

const PARTS: FigureParts = { faults: { fromMs: 2000, toMs: 4000 }, firstWordsMs: [], microUsd: 0 }

function second(over: Partial<Second> = {}): Second {
  const arrivals = over.arrivals ?? 10
  return {
    arrivals,
    attempts: arrivals,
    failedAttempts: 0,
    causedAttempts: over.attempts ?? arrivals,
    good: arrivals,
    goodOfFirst: arrivals,
    answered: arrivals,
    ends: {},
    waiting: 0,
    inFlight: 0,
    lanes: {},
    nodes: 1,
    ...over,
  }
}

const well = (count: number) => Array.from({ length: count }, () => second())
const ill = (count: number, over: Partial<Second> = {}) =>
  Array.from({ length: count }, () => second({ good: 2, goodOfFirst: 1, ...over }))

test('totals cover the whole run, goodput and mean amplification only the time of the faults', () => {
  const seconds = [...well(2), ...ill(2, { attempts: 25, failedAttempts: 20, answered: 9 }), ...well(6)]
  const figures = figuresOf(seconds, { ...PARTS, microUsd: 1234 })
  assert.deepEqual(figures, {
    arrivals: 100,
    attempts: 130,
    failedAttempts: 40,
    amplification: { mean: 2.5, peak: 2.5, peakOfArrivals: 2.5 },
    goodput: 0.2,
    recoveryMs: 0,
    unanswered: 2,
    firstWordMs: { p50: 0, p95: 0, p99: 0 },
    microUsd: 1234,
  })
})

test('the peak is the worst second from the first fault to one minute after the last', () => {
  const seconds = well(70)
  seconds[3] = second({ attempts: 20 })
  seconds[63] = second({ attempts: 30 })
  seconds[64] = second({ attempts: 90 })
  seconds[1] = second({ attempts: 90 })
  assert.equal(figuresOf(seconds, PARTS).amplification.peak, 3)
})

test('calls also count in the second of the arrival that caused them: a draining queue is no peak, retries are', () => {
  const seconds = well(10)
  // Two calls wait for the next second; everybody who arrives in the second after is tried three times, late.
  seconds[3] = second({ attempts: 8, causedAttempts: 10 })
  seconds[4] = second({ attempts: 12, causedAttempts: 30 })
  seconds[5] = second({ attempts: 30, causedAttempts: 10 })
  const drained = seconds.with(4, second({ attempts: 12, causedAttempts: 10 })).with(5, second())
  const peaks = (of: readonly Second[]) => {
    const { peak, peakOfArrivals } = figuresOf(of, PARTS).amplification
    return [peak, peakOfArrivals]
  }
  assert.deepEqual(
    [peaks(seconds), peaks(drained)],
    [
      [3, 3],
      [1.2, 1],
    ],
  )
})

test('seconds with few arrivals are merged with the next one, the remainder at the end with the last one', () => {
  const few = (arrivals: number, attempts: number) => second({ arrivals, attempts })
  const peakOf = (...seconds: Second[]) =>
    figuresOf(seconds, { ...PARTS, faults: { fromMs: 0, toMs: 1000 } }).amplification.peak
  assert.equal(peakOf(few(1, 10), few(9, 10)), 2)
  assert.equal(peakOf(few(10, 10), few(0, 10)), 2)
  assert.equal(peakOf(few(2, 6)), 3)
  assert.equal(peakOf(few(0, 6)), 0)
})

test('a span that ends within a second includes that whole second', () => {
  const seconds = [...well(2), ...ill(2), ...well(6)]
  const figures = figuresOf(seconds, { ...PARTS, faults: { fromMs: 2500, toMs: 3100 } })
  assert.equal(figures.goodput, 0.2)
  assert.equal(figures.recoveryMs, 900)
})

test('recovery is the start of the first five consecutive seconds that the first model served well together', () => {
  const recovery = (...after: Second[]) => figuresOf([...well(2), ...ill(2), ...after], PARTS).recoveryMs
  assert.equal(recovery(...ill(3), ...well(5)), 3000)
  assert.equal(recovery(...well(4), ...ill(1), ...well(5)), 5000)
  assert.equal(recovery(...well(4)), null)
  assert.equal(recovery(...ill(60)), null)
  const byAnother = second({ good: 10, goodOfFirst: 5 })
  assert.equal(recovery(byAnother, byAnother, ...well(5)), 1000)
  const oneHedged = second({ good: 10, goodOfFirst: 8 })
  assert.equal(recovery(oneHedged, ...well(4)), 0)
  assert.equal(recovery(...Array.from({ length: 5 }, () => second({ goodOfFirst: 9 }))), 0)
})

test('seconds without arrivals do not prove recovery', () => {
  const idle = Array.from({ length: 9 }, () => second({ arrivals: 0 }))
  const recovery = (...after: Second[]) => figuresOf([...well(2), ...ill(2), ...after], PARTS).recoveryMs
  assert.equal(recovery(...idle), null)
  assert.equal(recovery(...idle.slice(5), second()), 0)
})

test('percentiles of the first word use the nearest rank and need no sorted input', () => {
  const firstWordsMs = Array.from({ length: 200 }, (_, index) => 200 - index)
  assert.deepEqual(figuresOf(well(10), { ...PARTS, firstWordsMs }).firstWordMs, { p50: 100, p95: 190, p99: 198 })
  assert.deepEqual(figuresOf(well(10), { ...PARTS, firstWordsMs: [7] }).firstWordMs, { p50: 7, p95: 7, p99: 7 })
})

test('a run without arrivals has figures, none of them NaN', () => {
  const figures = figuresOf([], PARTS)
  assert.deepEqual(
    [figures.goodput, figures.amplification, figures.recoveryMs],
    [1, { mean: 0, peak: 0, peakOfArrivals: 0 }, null],
  )
})

test('runs are compared figure by figure: median and worst', () => {
  const figures = figuresOf(well(10), PARTS)
  const run = (goodput: number, recoveryMs: number | null, peak: number): { figures: Figures } => ({
    figures: { ...figures, goodput, recoveryMs, amplification: { mean: 1, peak, peakOfArrivals: peak } },
  })
  const three = compare([run(0.9, 3000, 2), run(0.5, null, 1), run(0.7, 1000, 4)])
  assert.deepEqual([three.median.goodput, three.median.recoveryMs, three.median.amplification.peak], [0.7, 3000, 2])
  assert.deepEqual([three.worst.goodput, three.worst.recoveryMs, three.worst.amplification.peak], [0.5, null, 4])
  const two = compare([run(0.4, 1000, 1), run(0.6, 2000, 3)])
  assert.deepEqual([two.median.goodput, two.median.recoveryMs, two.worst.recoveryMs], [0.5, 1500, 2000])
  assert.equal(compare([run(1, null, 1), run(1, null, 1)]).median.recoveryMs, null)
  assert.throws(() => compare([]), /no runs/)
})
