// Evaluation in time: debounce, hysteresis, burn rates in two windows, quantiles, several series, and bounded memory.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MetricsRegistry } from '#adapters/system/metrics.ts'
import { alarmTable } from './alarm-table.ts'
import type { Alarm } from './alarm.ts'
import { AlarmEvaluator, REPORTED_SERIES_MAX } from './evaluator.ts'
import type { SeriesFigure } from './figures.ts'
import { History } from './history.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const EVERY_MS = 5000
const rowOf = (id: string): Alarm => alarmTable.find((alarm) => alarm.id === id)!

function gauge(alarm: Alarm) {
  let figures: readonly SeriesFigure[] = []
  const evaluator = new AlarmEvaluator([alarm], 0)
  return (now: number, values: Readonly<Record<string, number>>) => {
    figures = Object.entries(values).map(([lane, value]) => ({ labels: { lane }, value }))
    return evaluator.evaluate(now, { figures: () => figures })
  }
}

test('circuits that open for 2 to 7 seconds at a time fire by the time since the first opening', () => {
  // As in an outage of 80 s: the circuit is half-open again and again, and the lane never serves.
  const at = gauge(rowOf('lane-down'))
  let firedAt = 0
  for (let second = 0; second <= 80; second += 5) {
    const firing = at(second * 1000, { primary: second, economy: Math.max(0, second - 3) })
    if (firing.length > 0 && firedAt === 0) firedAt = second
  }
  assert.equal(firedAt, 65)
  assert.equal(at(85_000, { primary: 0, economy: 0 }).length, 1, 'a moment of service does not resolve it')
  assert.equal(at(120_000, { primary: 0, economy: 0 }).length, 0)
})

test('a figure about its threshold makes one alarm: each return ends the wait for the resolve', () => {
  const at = gauge(rowOf('lane-down'))
  at(0, { primary: 61 })
  for (let now = EVERY_MS; now < 10 * MINUTE_MS; now += EVERY_MS)
    assert.equal(at(now, { primary: (now / EVERY_MS) % 4 === 0 ? 61 : 59 }).length, 1)
})

test('a condition that does not hold without a break for the time of the alarm does not fire', () => {
  const at = gauge({ ...rowOf('lane-down'), forMs: MINUTE_MS })
  for (let now = 0; now < 5 * MINUTE_MS; now += EVERY_MS)
    assert.equal(at(now, { primary: now % 50_000 === 0 ? 0 : 70 }).length, 0)
})

test('many lanes are one alarm with the first of them, and how many more; series that vanish are resolved', () => {
  const at = gauge(rowOf('lane-down'))
  const lanes = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`lane-${index}`, 70]))
  const [firing] = at(0, lanes)
  assert.deepEqual([firing?.series.length, firing?.more], [REPORTED_SERIES_MAX, 30 - REPORTED_SERIES_MAX])
  at(EVERY_MS, {})
  assert.deepEqual(at(2 * MINUTE_MS, {}), [])
})

/** Calls of a model, `failed` of every hundred, each round. */
function calls(alarm: Alarm) {
  const metrics = new MetricsRegistry()
  const evaluator = new AlarmEvaluator([alarm], 0)
  let now = 0
  return (forMs: number, failed: number, perRound = 10) => {
    let firing = false
    for (const until = now + forMs; now < until;) {
      now += EVERY_MS
      for (let call = 0; call < perRound; call += 1) {
        const isBad = (now / EVERY_MS + call) % 100 < failed
        metrics.count('model_attempts_total', { model: 'primary', outcome: isBad ? 'unavailable' : 'end' })
      }
      firing = evaluator.evaluate(now, metrics).length > 0
    }
    return firing
  }
}

test('a burn rate fires when both windows burn, not by a short spike, and ends soon after the cause', () => {
  const during = calls(rowOf('model-burn'))
  assert.equal(during(HOUR_MS, 0), false)
  // A minute of failures is much of the last five minutes, and little of the hour.
  assert.equal(during(MINUTE_MS, 100), false)
  assert.equal(during(10 * MINUTE_MS, 0), false)
  assert.equal(during(20 * MINUTE_MS, 50), true)
  assert.equal(during(40 * MINUTE_MS, 0), false)
})

test('a slow burn is found in six hours, and a share within the service level never', () => {
  const slow = calls(rowOf('model-burn'))
  assert.equal(slow(6 * HOUR_MS, 5, 5), true)
  const allowed = calls(rowOf('model-burn'))
  assert.equal(allowed(HOUR_MS, 0), false)
  assert.equal(allowed(6 * HOUR_MS, 0.4), false)
})

test('a quantile is that of the window, and needs enough observations', () => {
  const alarm: Alarm = {
    ...rowOf('first-words-burn'),
    condition: {
      kind: 'quantile',
      of: { metric: 'turn_first_word_seconds' },
      quantile: 0.95,
      windowMs: 5 * MINUTE_MS,
      above: 20,
      volumeMin: 20,
    },
  }
  const metrics = new MetricsRegistry()
  const evaluator = new AlarmEvaluator([alarm], 0)
  const seen = (count: number, seconds: number) => {
    for (let time = 0; time < count; time += 1) metrics.observe('turn_first_word_seconds', seconds, { tier: 'primary' })
  }
  seen(10, 25)
  assert.deepEqual(evaluator.evaluate(EVERY_MS, metrics), [])
  seen(10, 25)
  const [firing] = evaluator.evaluate(2 * EVERY_MS, metrics)
  assert.equal(firing?.series[0]?.value, 25.9)
  seen(1000, 0.2)
  assert.equal(evaluator.evaluate(3 * EVERY_MS, metrics).length, 1)
  assert.deepEqual(evaluator.evaluate(3 * MINUTE_MS, metrics), [])
})

test('a window holds about sixty samples, whatever its length', () => {
  const history = new History([5 * MINUTE_MS, 6 * HOUR_MS], { at: 0, width: 1 })
  for (let now = EVERY_MS; now <= 24 * HOUR_MS; now += EVERY_MS) history.add(now, [now])
  assert.ok(history.samples <= 130, String(history.samples))
  const [five] = history.increase(5 * MINUTE_MS)
  const [six] = history.increase(6 * HOUR_MS)
  assert.ok((five ?? 0) >= 5 * MINUTE_MS && (five ?? 0) < 5.2 * MINUTE_MS)
  assert.ok((six ?? 0) >= 6 * HOUR_MS && (six ?? 0) < 6.2 * HOUR_MS)
})
