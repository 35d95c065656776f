// The bundled scenarios.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundledScenarioNames, loadFleetScenario } from './bundled.ts'
import { faultSpan, timelineOf } from './timeline.ts'

test('every bundled scenario is valid, is named after its file, and has quiet time before and after its faults', () => {
  assert.ok(bundledScenarioNames().length >= 14)
  for (const name of bundledScenarioNames()) {
    const scenario = loadFleetScenario(name)
    const { fromMs, toMs } = faultSpan(scenario)
    assert.equal(scenario.name, name)
    assert.match(scenario.about, /^[^.]+\.$/, name)
    // A day has its faults at their hours.
    if (name === 'day') continue
    // Before the release hour a prewarm needs a minute.
    assert.equal(fromMs, name === 'release-hour' ? 75_000 : 15_000, name)
    // A provider that does not forget takes minutes.
    assert.equal(scenario.durationS * 1000 - toMs, name === 'retry-storm' ? 120_000 : 60_000, name)
    assert.ok(timelineOf(scenario).length >= 2, name)
  }
})

test('the default scenario is two minutes of throttling on fifty nodes', () => {
  const { nodes, arrivals, faults } = loadFleetScenario('throttle')
  assert.deepEqual([nodes, arrivals.perSecond], [50, 25])
  assert.deepEqual(faults, [{ kind: 'throttle', atS: 15, forS: 120, target: 'primary', share: 0.16 }])
})

test('the error for an unknown name lists the existing ones', () => {
  assert.throws(() => loadFleetScenario('throtle'), /Did you mean throttle\?/)
  assert.throws(() => loadFleetScenario('/no/such/file.yaml'), /one of blip, brownout, /)
})
