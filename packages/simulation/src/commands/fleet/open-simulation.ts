// The fleet simulator over the bundled catalogue, FAQ and prices. Opened once for any number of independent runs. Used
// by `mangaassist fleet` and by the benchmark of all scenarios.
import { promiseDrain } from '@mangaassist/server/adapters/system/promise-drain'
import { defaults } from '@mangaassist/server/config/config'
import type { FleetRun, PolicyName } from '../../fleet/fleet-run.ts'
import { policies } from '../../policies/policies.ts'
import type { FleetScenario } from '../../scenario/scenario.ts'
import { runFleet } from '../../world/run-fleet.ts'
import type { RunFleetOptions } from '../../world/run-fleet.ts'
import { openShop } from '../../world/shop.ts'
import { readCatalogue, readFaq } from '@mangaassist/server/wiring/bundled-data'
import { readModelBook } from '@mangaassist/server/wiring/models/model-facts'

interface Simulated {
  readonly scenario: FleetScenario
  readonly policy: PolicyName
  readonly seed: number
  readonly onSecond?: (doneS: number) => void
  readonly onVisit?: NonNullable<RunFleetOptions['onVisit']>
}

type Simulate = (simulated: Simulated) => Promise<FleetRun>

export async function openSimulation(): Promise<Simulate> {
  const [{ products }, faq, book] = await Promise.all([readCatalogue(), readFaq(), readModelBook()])
  const shop = await openShop(products, faq)
  return ({ policy, ...simulated }) =>
    runFleet({
      ...simulated,
      policy: policies[policy],
      // The defaults, not this machine's configuration: a seed must give the same run everywhere.
      config: defaults,
      shop,
      factsOf: (id) => book.factsOf({ provider: 'bedrock', id }),
      drain: promiseDrain(),
    })
}
