// What a call of a model uses: the fleet simulator measures the prompts of the shop that comes with it. How long a call lasts is the
// simulator's assumption for the two models of the reference design.
import { promiseDrain } from '../../packages/server/src/adapters/system/promise-drain.ts'
import { defaults } from '../../packages/server/src/config/config.ts'
import { CONNECTIONS_MAX } from '../../packages/server/src/domain/lane/lanes-of.ts'
import { readCatalogue, readFaq } from '../../packages/server/src/wiring/bundled-data.ts'
import { usualServiceMs } from '../../packages/simulation/src/provider/capacity.ts'
import { USUAL_HABITS } from '../../packages/simulation/src/provider/habits.ts'
import { completeScenario } from '../../packages/simulation/src/scenario/scenario.ts'
import { usualCall } from '../../packages/simulation/src/world/run-fleet.ts'
import { openShop } from '../../packages/simulation/src/world/shop.ts'
import type { CallUse } from './plan.ts'

export async function measureCall(): Promise<CallUse> {
  const [{ products }, faq] = await Promise.all([readCatalogue(), readFaq()])
  const scenario = completeScenario({
    name: 'peak',
    about: 'The models of the reference design.',
    nodes: 1,
    arrivals: { perSecond: 1 },
    durationS: 1,
  })
  const shop = await openShop(products, faq)
  const tokens = await usualCall(scenario, { config: defaults, drain: promiseDrain(), shop })
  const models = scenario.ladder.map(({ name, size }) => ({
    name,
    callMs: usualServiceMs(size, tokens),
    connectionsMax: CONNECTIONS_MAX,
  }))
  const { quotaBurstMs } = USUAL_HABITS
  return { call: tokens, models, runningMax: defaults.turns.runningMax, quotaBurstMs }
}
