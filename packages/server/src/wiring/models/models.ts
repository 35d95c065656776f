// Opens the configured models as implementations of the model port, each by its vendor.
import type { Config } from '#config/config.ts'
import { CONNECTIONS_MAX } from '#domain/lane/lanes-of.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Model } from '#ports/model/port.ts'
import type { StartSample } from '#ports/sample-store/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { StartError } from '../start-error.ts'
import type { ModelBook } from './model-facts.ts'
import type { Environment } from './model-secrets.ts'
import type { ModelConfig } from './vendor.ts'
import { VENDORS } from './vendors.ts'

export interface ModelWiring {
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly env: Environment
  readonly readBook: () => Promise<ModelBook>
  /** The sampler of a model, by its configured name; if absent or undefined, the model is not sampled. */
  readonly samplerOf?: (name: string) => StartSample | undefined
}

const CONNECT_MS = 5000

export async function wireModels(config: Config, parts: ModelWiring): Promise<ReadonlyMap<string, Model>> {
  const entries = Object.entries(config.models).map(
    async ([name, model]) => [name, await modelOf(config, parts, { name, model })] as const,
  )
  return new Map(await Promise.all(entries))
}

async function modelOf(
  { deadlines }: Config,
  { clock, telemetry, env, readBook, samplerOf }: ModelWiring,
  { name, model }: { readonly name: string; readonly model: ModelConfig },
): Promise<Model> {
  const vendor = VENDORS[model.provider]
  if (vendor.kind === 'built-in') return vendor.open(model, { clock })
  const facts = (await readBook()).factsOf(model)
  // The check at start-up reports this with more detail; here it only prevents a guessed price.
  if (facts === undefined || model.id === undefined) throw new StartError(`models.${name} has no id or no price`)
  let undecodable = 0
  const opened = await vendor.open({
    name,
    model,
    vendor,
    env,
    id: model.id,
    facts,
    clock,
    limits: {
      connectMs: CONNECT_MS,
      firstByteMs: model.firstTokenMs ?? deadlines.firstTokenMs,
      stallMs: model.stallMs ?? deadlines.stallMs,
      connectionsMax: model.connectionsMax ?? CONNECTIONS_MAX,
    },
    onAnomaly: (anomaly) => {
      if (anomaly === 'undecodable-event') undecodable += 1
      telemetry.count('model_anomalies_total', { model: name, anomaly })
    },
    startSample: samplerOf?.(name),
  })
  return { ...opened, undecodableEvents: () => undecodable }
}
