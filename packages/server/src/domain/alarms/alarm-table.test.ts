// The table of alarms: its rows are sound, and each alarm fires and is resolved in virtual time over figures of its own condition.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MetricsRegistry } from '#adapters/system/metrics.ts'
import { drivenFigures } from '#fixtures/alarms/drive-figures.ts'
import { metricCatalogue } from '../telemetry/catalogue.ts'
import type { MetricEntry } from '../telemetry/entry.ts'
import { alarmTable } from './alarm-table.ts'
import { alarmsWith, selectionsOf } from './alarm.ts'
import { AlarmEvaluator } from './evaluator.ts'

const EVERY_MS = 5000
const catalogue: Readonly<Record<string, MetricEntry>> = metricCatalogue

for (const alarm of alarmTable) {
  test(`${alarm.id} reads metrics and labels that exist, and is complete`, () => {
    assert.match(alarm.id, /^[a-z]+(-[a-z0-9]+)*$/)
    assert.ok(alarm.title.ja !== '' && alarm.title.en !== '' && !alarm.title.en.endsWith('.'))
    for (const selection of selectionsOf(alarm.condition)) {
      const { metric, where = {} } = selection
      const entry = catalogue[metric]
      assert.ok(entry !== undefined, metric)
      const kinds =
        alarm.condition.kind === 'gauge' || alarm.condition.kind === 'used' ? ['gauge'] : ['counter', 'histogram']
      assert.ok(kinds.includes(entry.kind), metric)
      for (const label of [...Object.keys(where), ...alarm.by])
        // The whole of a ratio may lack a label that only its part has.
        assert.ok(
          label in entry.labels || selection !== selectionsOf(alarm.condition)[0],
          `${metric} has no label ${label}`,
        )
      for (const [label, filter] of Object.entries(where)) {
        const bound = entry.labels[label]
        const values = 'not' in filter ? filter.not : filter
        if (bound !== undefined && !('valuesMax' in bound))
          for (const value of values) assert.ok(bound.map(String).includes(value), `${metric} ${label} ${value}`)
      }
      if ('over' in selection && selection.over !== undefined)
        assert.ok(entry.kind === 'histogram' && entry.buckets.includes(selection.over), 'a limit of the buckets')
    }
  })

  test(`${alarm.id} fires while its condition holds, not before, and is resolved afterwards`, () => {
    const evaluator = new AlarmEvaluator([alarm], 0)
    const figures = drivenFigures()
    let now = 0
    const round = () => evaluator.evaluate((now += EVERY_MS), figures)
    for (let rounds = 0; rounds < 10; rounds += 1) {
      figures.well(alarm)
      assert.deepEqual(round(), [])
    }
    const troubledAt = now
    let fired = round()
    while (fired.length === 0 && now - troubledAt <= alarm.forMs + 60_000) {
      figures.trouble(alarm)
      fired = round()
    }
    const [firing] = fired
    assert.equal(firing?.id, alarm.id)
    assert.ok(now - troubledAt >= alarm.forMs)
    assert.deepEqual(Object.keys(firing?.series[0]?.labels ?? {}), [...alarm.by])
    assert.ok((firing?.series[0]?.value ?? 0) > 0)
    const wellAt = now
    // A day is longer than any window.
    while (fired.length > 0 && now - wellAt <= 86_400_000) {
      figures.well(alarm)
      fired = round()
    }
    assert.deepEqual(fired, [])
    assert.ok(now - wellAt >= alarm.clearMs)
  })
}

test('a model that is asked to continue a text and begins another does not refuse our requests', () => {
  const alarm = alarmTable.find(({ id }) => id === 'model-errors') ?? assert.fail('it exists')
  const firedBy = (outcome: string) => {
    const figures = new MetricsRegistry()
    const evaluator = new AlarmEvaluator([alarm], 0)
    evaluator.evaluate(EVERY_MS, figures)
    for (let calls = 0; calls < 40; calls += 1) figures.count('model_attempts_total', { model: 'primary', outcome })
    return evaluator.evaluate(2 * EVERY_MS, figures).length
  }
  assert.deepEqual([firedBy('invalid'), firedBy('misfit')], [1, 0])
})

test('a shop switches an alarm off, or changes its threshold, time, window and severity', () => {
  const rules = {
    'lane-down': { enabled: false },
    'server-errors': { above: 0.5, forMs: 0, windowMs: 60_000, severity: 'info' },
  } as const
  const alarms = alarmsWith(alarmTable, rules)
  assert.equal(alarms.length, alarmTable.length - 1)
  const changed = alarms.find(({ id }) => id === 'server-errors')
  assert.ok(changed?.condition.kind === 'ratio')
  assert.deepEqual(
    [changed.condition.above, changed.condition.windowMs, changed.forMs, changed.severity],
    [0.5, 60_000, 0, 'info'],
  )
})
