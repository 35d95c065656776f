// Whole scenarios that take a minute of CPU or more: a day, and the release hour with the capacity of its hint.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSimulation } from '../../src/commands/fleet/open-simulation.ts'
import type { Second } from '../../src/fleet/fleet-run.ts'
import { loadFleetScenario } from '../../src/scenario/bundled.ts'
import { faultsAt } from '../../src/scenario/timeline.ts'

const simulate = await openSimulation()
const SEED = 1

/** After an incident its recovery belongs to it. */
const RECOVERY_S = 60

function servedOf(seconds: readonly Second[]): number {
  const sum = (field: 'arrivals' | 'good') => seconds.reduce((total, second) => total + second[field], 0)
  return sum('good') / sum('arrivals')
}

test('a day serves 99 % outside of its incidents, through its deploys and the release, and everybody gets an answer', async () => {
  const scenario = loadFleetScenario('day')
  const { breaches, figures, seconds } = await simulate({ scenario, policy: 'ours', seed: SEED })
  const incidents = { ...scenario, faults: scenario.faults.filter(({ kind }) => kind !== 'deploy') }
  const isWell = (second: number) =>
    Array.from({ length: RECOVERY_S + 1 }, (_, ago) => faultsAt(incidents, (second - ago) * 1000)).flat().length === 0
  const well = seconds.filter((_, second) => isWell(second))
  assert.deepEqual(breaches, [])
  assert.equal(figures.unanswered, 0)
  assert.ok(incidents.faults.length === 2 && well.length > 1300)
  assert.ok(servedOf(well) >= 0.99, `${servedOf(well)}`)
})

test('the release hour serves 99 % with the nodes and the quota that its run asks for', async () => {
  const scenario = loadFleetScenario('release-hour')
  const { figures, hint } = await simulate({ scenario, policy: 'ours', seed: SEED })
  const ladder = scenario.ladder.map(({ size, ...model }) => {
    const { callsInFlight: slots = 0, tokensPerMinute = 0 } = hint.models.find(({ name }) => name === model.name) ?? {}
    return { ...model, size: { ...size, slots, tokensPerMinute } }
  })
  const hinted = await simulate({ scenario: { ...scenario, nodes: hint.nodes, ladder }, policy: 'ours', seed: SEED })
  assert.ok(figures.goodput < 0.9, `${figures.goodput} without the hint`)
  assert.ok(hinted.figures.goodput >= 0.99, `${hinted.figures.goodput} with the hint`)
})
