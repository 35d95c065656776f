// Assembles the health of models, lanes and the embedder: probes of the models at intervals, `/readyz`, and `/metrics`.
import type { Config } from '#config/config.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Embeddings } from '#ports/embedder/embeddings.ts'
import type { Random } from '#ports/random/port.ts'
import type { EngineSearch } from '#ports/search/engine-search.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { MakeHouseCall } from '#turn/house-calls/house-call.ts'
import { appGauges } from './gauges.ts'
import type { Figures, Gauges } from './gauges.ts'
import { embedderHealth } from './embedder-health.ts'
import { laneHealth } from './lane-health.ts'
import { searchHealth } from './search-health.ts'
import { createModelProbes } from './model-probes.ts'
import type { ModelProbes, ModelProbesParts } from './model-probes.ts'

export interface HealthParts {
  readonly clock: Clock
  readonly random: Random
  readonly telemetry: Telemetry
  readonly config: Pick<Config, 'probe'>
  readonly houseCall: MakeHouseCall
  readonly rungs: ModelProbesParts['rungs']
  readonly figures: Figures
  readonly embeddings?: Pick<Embeddings, 'status' | 'model'> | undefined
  readonly engineSearch?: Pick<EngineSearch, 'status' | 'engine'> | undefined
}

type PartHealth =
  | ReturnType<ModelProbes['health']>[string]
  | ReturnType<typeof laneHealth>[string]
  | ReturnType<typeof embedderHealth>[string]
  | ReturnType<typeof searchHealth>[string]

export interface Health extends Pick<ModelProbes, 'start' | 'stop'> {
  /** The state of each model by its last probe (`model:…`), of each lane by its last tick (`lane:…`), of the embedder and of the search. */
  report(): Readonly<Record<string, PartHealth>>
  /** Registers the app's gauges. */
  exportGauges(gauges: Gauges): void
}

export function createHealth(parts: HealthParts): Health {
  const { clock, random, telemetry, config, houseCall, rungs, figures } = parts
  // The built-in model has no provider whose format could change.
  const vendors = rungs.filter(({ tier }) => tier !== 'embedded')
  const probes = createModelProbes({ clock, random, telemetry, houseCall, rungs: vendors, config })
  return {
    start: probes.start,
    stop: probes.stop,
    report: () => ({
      ...probes.health(),
      ...laneHealth(figures.admin.seenLanes()),
      ...embedderHealth(parts.embeddings),
      ...searchHealth(parts.engineSearch),
    }),
    exportGauges: (gauges) => appGauges(figures, gauges),
  }
}
