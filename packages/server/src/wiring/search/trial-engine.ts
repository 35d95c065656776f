// The configured OpenSearch with a catalogue of its own, for `evaluate`: written under names beside those of the shop, and removed
// afterwards. Nothing that a server uses is touched.
import { openSearchEngine } from '#adapters/opensearch/search-engine/search-engine.ts'
import { openSearchSteps, removeAll } from '#adapters/opensearch/setup/steps.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { systemRandom } from '#adapters/system/random.ts'
import type { Config } from '#config/config.ts'
import { NodeLane } from '#domain/lane/node-lane.ts'
import { dependencyPolicy } from '#domain/lane/policy-for.ts'
import { EngineFailure } from '#ports/search-engine/failure.ts'
import type { Search } from '#ports/search/port.ts'
import { NO_TELEMETRY } from '#ports/telemetry/plain-scope.ts'
import { createEngineSearch } from '#resilience/search/engine-search.ts'
import type { Environment } from '../models/model-secrets.ts'
import type { EngineContent } from '../profiles/look-up.ts'
import { openConfiguredOpenSearch } from './open-search-engine.ts'

export interface TrialEngine extends AsyncDisposable {
  open(over: EngineContent): Promise<Search & Disposable>
  /** How many searches the engine chose the products of, and how many it did not. */
  answers(): { readonly answered: number; readonly others: number }
}

const CALL_MS = 10_000

/** Throws a TypeError without an address. */
export async function openTrialEngine(config: Config, env: Environment): Promise<TrialEngine> {
  const { opensearch } = config
  if (opensearch.node === undefined) throw new TypeError('opensearch.node (MANGA_OPENSEARCH__NODE) is not set.')
  const clock = systemClock()
  const random = systemRandom()
  const own = { ...opensearch, index: `${opensearch.index}-evaluation` }
  const { client, names } = await openConfiguredOpenSearch({ opensearch: own }, { clock, env })
  let answered = 0
  let others = 0
  const count = (_name: string, fields: { readonly outcome?: unknown } = {}) => {
    if (fields.outcome === 'answered') answered += 1
    else others += 1
  }

  return {
    async open(over) {
      for (const step of await openSearchSteps({ client, names, dimensions: over.vectors.dimensions }))
        if (step.state !== 'present') await step.apply?.()
      const policy = dependencyPolicy(config, 'opensearch')
      const search = createEngineSearch({
        ...over,
        engine: openSearchEngine({ client, names, callMs: CALL_MS, clock }),
        lane: new NodeLane({ name: 'opensearch', policy, now: () => clock.now(), float: () => random.float() }),
        callMs: CALL_MS,
        clock,
        telemetry: { ...NO_TELEMETRY, count },
      })
      await search.refresh()
      const { edition, reason = 'it is not searched' } = search.status()
      if (edition !== 'current') throw new EngineFailure('refused', `the catalogue could not be written: ${reason}`)
      return search
    },
    answers: () => ({ answered, others }),
    async [Symbol.asyncDispose]() {
      await removeAll({ client, names })
      client[Symbol.dispose]()
    },
  }
}
