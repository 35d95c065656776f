// The facts about models in data/models.yaml, with the overrides of the configuration. The only place that converts prices to
// integer micro-dollars.
import { join } from 'node:path'
import Type from 'typebox'
import type { Static } from 'typebox'
import type { Config } from '#config/config.ts'
import type { ModelFacts } from '#domain/model/model-facts.ts'
import type { Price } from '#domain/budget/money.ts'
import { bundled } from '#config/installation.ts'
import { PROVIDERS } from '#config/schema/model.ts'
import { nearest } from '#lib/text/nearest.ts'
import { readYamlList } from '../bundled-data.ts'

const Entry = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    vendor: Type.Enum(PROVIDERS),
    contextWindow: Type.Integer({ minimum: 1 }),
    maxOutput: Type.Integer({ minimum: 1 }),
    price: Type.Array(Type.Number({ minimum: 0 }), { minItems: 2, maxItems: 2 }),
    priceDate: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    trailingAssistant: Type.Boolean(),
    temperature: Type.Boolean(),
    tokenizer: Type.String({ minLength: 1 }),
  },
  { additionalProperties: false },
)
type Entry = Static<typeof Entry>
type ModelConfig = Config['models'][string]

/** The prefix of a Bedrock inference profile; after it comes the id of the model. */
const PROFILE = /^(global|us|us-gov|eu|apac|jp|au|ca|sa)\./
const MICRO = 1_000_000
/** The facts of an unknown model: limits that most models have, and parameters that none refuses. */
const UNKNOWN = {
  contextTokensMax: 32_768,
  outputTokensMax: 4096,
  trailingAssistant: false,
  temperature: true,
  tokenizer: 'unknown',
} as const

export interface ModelBook {
  /** Undefined when the model has no price, neither in the file nor in the configuration. */
  factsOf(model: ModelConfig): ModelFacts | undefined
  /** The id that was probably meant. */
  nearestTo(id: string): string | undefined
  /** Every model of data/models.yaml, in its order. */
  readonly known: readonly KnownModel[]
}

/** A model with its price in USD per million tokens, input and output, and the date of that price. */
export type KnownModel = Pick<Entry, 'id' | 'vendor' | 'price' | 'priceDate'>

export async function readModelBook(): Promise<ModelBook> {
  return modelBook((await readYamlList(join(bundled.data, 'models.yaml'), Entry)) as readonly Entry[])
}

function modelBook(entries: readonly Entry[]): ModelBook {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const find = (id: string) => byId.get(id) ?? byId.get(id.replace(PROFILE, ''))
  return {
    factsOf(model) {
      const entry = find(model.id ?? '')
      const price = model.price ?? entry?.price
      if (price === undefined) return undefined
      const known = entry === undefined ? UNKNOWN : factsIn(entry)
      return {
        ...known,
        price: priceOf(price),
        ...(model.contextWindow === undefined ? {} : { contextTokensMax: model.contextWindow }),
        ...(model.maxOutput === undefined ? {} : { outputTokensMax: model.maxOutput }),
      }
    },
    nearestTo: (id) => nearest(id, [...byId.keys()]),
    known: entries,
  }
}

function factsIn({ contextWindow, maxOutput, trailingAssistant, temperature, tokenizer }: Entry) {
  return { contextTokensMax: contextWindow, outputTokensMax: maxOutput, trailingAssistant, temperature, tokenizer }
}

function priceOf([input = 0, output = 0]: readonly number[]): Price {
  return {
    inputMicroUsdPerMillion: Math.round(input * MICRO),
    outputMicroUsdPerMillion: Math.round(output * MICRO),
  }
}
