// The bundled scenarios in small: few nodes and short, with the same seed each time. Virtual time has no noise, so their
// figures are assertions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promiseDrain } from '@mangaassist/server/adapters/system/promise-drain'
import { defaults } from '@mangaassist/server/config/config'
import { readCatalogue, readFaq } from '@mangaassist/server/wiring/bundled-data'
import type { FleetRun, PolicyName } from '../src/fleet/fleet-run.ts'
import { policies } from '../src/policies/policies.ts'
import { bundledScenarioNames, loadFleetScenario } from '../src/scenario/bundled.ts'
import type { FleetScenario } from '../src/scenario/scenario.ts'
import { runFleet } from '../src/world/run-fleet.ts'
import { openShop } from '../src/world/shop.ts'

const [{ products }, faq] = await Promise.all([readCatalogue(), readFaq()])
const shop = await openShop(products, faq)
const NODES = 2
/** People who send twice, leave or press stop are not what these figures are about. */
const CALM = { doubleTapShare: 0, disconnectShare: 0, deviceSwitchShare: 0, stopShare: 0 }

function run(scenario: FleetScenario, policy: PolicyName): Promise<FleetRun> {
  const people = { ...scenario.people, ...CALM }
  const small = { ...scenario, nodes: NODES, people }
  return runFleet({ scenario: small, policy: policies[policy], config: defaults, seed: 1, shop, drain: promiseDrain() })
}

const QUIET_S = 20

// Before its faults a scenario is its arrivals, its models and its settings: one run is enough for all that share them.
const quiet = Map.groupBy(bundledScenarioNames(), (name) => {
  const { arrivals, ladder, settings } = loadFleetScenario(name)
  return JSON.stringify([arrivals.perSecond, ladder, settings])
})
for (const names of quiet.values()) {
  test(`without faults at least 99 % are served in time: ${names.join(', ')}`, async () => {
    const { arrivals, ...scenario } = loadFleetScenario(names[0] ?? '')
    const { breaches, figures } = await run(
      { ...scenario, arrivals: { ...arrivals, shape: [] }, durationS: QUIET_S, faults: [] },
      'ours',
    )
    assert.deepEqual(breaches, [])
    assert.ok(figures.goodput >= 0.99, `${figures.goodput}`)
    assert.ok(figures.attempts <= figures.arrivals * 1.08, `${figures.attempts} calls, ${figures.arrivals} arrivals`)
  })
}
