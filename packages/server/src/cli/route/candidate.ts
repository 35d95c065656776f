// The settings that a replay routes by: those of a configuration, with the prices of its models. Where it has no vendor's model, the
// reference pair of data/models.yaml stands in, so that a shop can see what models would cost before it has any.
import { FREE } from '#domain/budget/money.ts'
import type { Price } from '#domain/budget/money.ts'
import { ladderNames } from '#domain/model/ladder-names.ts'
import type { ReplaySettings } from '#domain/routing/replay.ts'
import type { Configured } from '#wiring/configure.ts'
import { CommandError } from '../command.ts'

export interface Candidate extends ReplaySettings {
  /** The vendors' ids by configured name. */
  readonly models: Readonly<Record<string, string>>
  /** Whether the configuration has no vendor's model. */
  readonly isReference: boolean
}

type Models = Configured['config']['models']

const REFERENCE: Models = {
  primary: { provider: 'bedrock', id: 'anthropic.claude-3-sonnet-20240229-v1:0' },
  economy: { provider: 'bedrock', id: 'anthropic.claude-3-haiku-20240307-v1:0' },
}

export async function candidateOf({ config, readBook }: Configured): Promise<Candidate> {
  const isReference = Object.values(config.models).every(({ provider }) => provider === 'embedded')
  const models = isReference ? REFERENCE : config.models
  const ladder = isReference ? Object.keys(REFERENCE) : ladderNames(config)
  const { routing } = config
  const used = [...Object.values(routing.levels), ...routing.rules.map(({ use }) => use)]
  const missing = used.find((name) => !ladder.includes(name))
  if (missing !== undefined)
    throw new CommandError(`routing uses the model ${missing}, which is not on the ladder (${ladder.join(', ')}).`)
  const book = await readBook()
  const prices = new Map<string, Price>(
    Object.entries(models).map(([name, model]) => [name, book.factsOf(model)?.price ?? FREE]),
  )
  const names = new Map(ladder.toReversed().map((name) => [models[name]?.id ?? name, name]))
  return {
    routing,
    ladder,
    isReference,
    models: Object.fromEntries(ladder.map((name) => [name, models[name]?.id ?? name])),
    priceOf: (name) => prices.get(name) ?? FREE,
    nameOf: (modelId) => names.get(modelId),
  }
}
