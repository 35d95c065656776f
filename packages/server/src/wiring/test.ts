// Every port in memory: what stage tests and the virtual world run on. The durable ones can be shared between
// several apps, which is how a simulated node dies and another reads what it left.
import { memoryAdminStore } from '#adapters/memory/admin-store.ts'
import { learnEmbedder } from '#adapters/embedded/embedder.ts'
import { memoryAnswerCache } from '#adapters/memory/answer-cache.ts'
import { memoryDeferredStore } from '#adapters/memory/deferred-store.ts'
import { memoryEstimatorStore } from '#adapters/memory/estimator-store.ts'
import { memoryLanes } from '#adapters/memory/lanes.ts'
import { memoryLedger } from '#adapters/memory/ledger.ts'
import { memoryProductStore } from '#adapters/memory/product-store.ts'
import { memoryRateChunks } from '#adapters/memory/rate-chunks.ts'
import { memorySearch } from '#adapters/memory/search.ts'
import { memorySessionStore } from '#adapters/memory/session-store.ts'
import { memorySharedState } from '#adapters/memory/budgets.ts'
import { memorySpendChunks } from '#adapters/memory/spend-chunks.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { memoryTurnLog } from '#adapters/memory/turn-log.ts'
import type { Ports } from '#app/app.ts'
import { defaults } from '#config/config.ts'
import type { Config } from '#config/config.ts'
import type { FaqEntry, Product } from '#domain/catalogue/catalogue.ts'
import { laneLeaseMs, lanePolicies } from '#domain/lane/lanes-of.ts'
import type { Chance } from '#ports/chance/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Lanes } from '#ports/lanes/port.ts'
import type { Model } from '#ports/model/port.ts'

export interface TestWiring {
  readonly clock: Clock
  readonly chance: Chance
  readonly products: readonly Product[]
  readonly faq: readonly FaqEntry[]
  readonly model: Model
  /** Whose models have lanes; by default `testConfig`. */
  readonly config?: Config
}

/** The defaults, with the embedded tier on the ladder, as `load-config` makes them when nothing is configured. */
export const testConfig: Config = { ...defaults, models: { embedded: { provider: 'embedded' } }, ladder: ['embedded'] }

export async function wireTest({
  clock,
  chance,
  products,
  faq,
  model,
  config = testConfig,
}: TestWiring): Promise<Ports> {
  const shelves = memoryProductStore()
  await shelves.replaceAll(products, 'test')
  return {
    clock,
    chance,
    sessions: memorySessionStore({ clock }),
    turnLog: memoryTurnLog({ clock }),
    state: memorySharedState({ clock }),
    rateChunks: memoryRateChunks({ clock }),
    spendChunks: memorySpendChunks({ clock }),
    ledger: memoryLedger(),
    estimators: memoryEstimatorStore(),
    admin: memoryAdminStore(),
    products: shelves,
    search: memorySearch({ products: shelves, faq, learn: learnEmbedder }),
    faq,
    models: new Map([['embedded', model]]),
    telemetry: memoryTelemetry(),
    lanes: testLanes({ clock, chance }, config),
    answers: memoryAnswerCache({ clock, limits: config.answers }),
    deferred: memoryDeferredStore({ clock, limits: config.deferred }),
  }
}

export function testLanes(parts: Pick<TestWiring, 'clock' | 'chance'>, config: Config): Lanes {
  return memoryLanes({ ...parts, policies: lanePolicies(config), leaseMs: laneLeaseMs(config) })
}
