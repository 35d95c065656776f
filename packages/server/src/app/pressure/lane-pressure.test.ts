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
  const as = (...phases: readonly LaneView['phase'][]) =>
    lanePressure(
      phases.map((phase) => ({ ...view, phase })),
      0,
    ).action
  assert.equal(as('closed', 'open'), 'none')
  assert.equal(as('open', 'recovering'), 'slow')
  assert.equal(as('open', 'half-open'), 'pause')
  assert.equal(as('recovering'), 'slow')
  assert.equal(as('open', 'open'), 'pause')
  const forced = { ...view, operator: { action: 'force-open', by: 'test', at: 0 } } as const
  assert.equal(lanePressure([forced], 0).action, 'pause')
  assert.equal(lanePressure([], 0).action, 'none')
})

test('a pause lasts as long as the circuit that may be asked first, and at least a second', async () => {
  const { lanes } = await testPorts()
  const view = { ...(await lanes.peek(laneOf(testConfig, 'embedded'))), phase: 'open' } as const
  const opening = (...at: readonly number[]) =>
    lanePressure(
      at.map((opensAt) => ({ ...view, opensAt })),
      10_000,
    ).holdMs
  assert.deepEqual([opening(12_500, 17_000), opening(10_100), opening(9000)], [2500, 1000, 1000])
})
