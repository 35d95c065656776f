// What clients learn about the lanes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LaneView } from '#domain/lane/lane-view.ts'
import { laneOf } from '#domain/lane/lanes-of.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { lanePressure } from './lane-pressure.ts'

test('the best lane decides: closed, recovering, open', async () => {
  const { lanes } = await testPorts()
  const view = await lanes.peek(laneOf(testConfig, 'embedded'))
  const as = (...phases: readonly LaneView['phase'][]) => lanePressure(phases.map((phase) => ({ ...view, phase })))
  assert.equal(as('closed', 'open'), 'none')
  assert.equal(as('open', 'half-open'), 'slow')
  assert.equal(as('recovering'), 'slow')
  assert.equal(as('open', 'open'), 'pause')
  const forced = { ...view, operator: { action: 'force-open', by: 'test', at: 0 } } as const
  assert.equal(lanePressure([forced]), 'pause')
  assert.equal(lanePressure([]), 'none')
})
