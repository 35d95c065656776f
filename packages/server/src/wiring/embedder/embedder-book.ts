// The facts about embedding models in data/embedders.yaml, with the overrides of the configuration.
import { join } from 'node:path'
import Type from 'typebox'
import type { Static } from 'typebox'
import type { Config } from '#config/config.ts'
import { bundled } from '#config/installation.ts'
import { nearest } from '#lib/text/nearest.ts'
import { readYamlList } from '../bundled-data.ts'

const Entry = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    dimensions: Type.Integer({ minimum: 8 }),
    dimensionsAllowed: Type.Optional(Type.Array(Type.Integer({ minimum: 8 }), { minItems: 1 })),
    price: Type.Number({ minimum: 0 }),
    priceDate: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
  },
  { additionalProperties: false },
)
type Entry = Static<typeof Entry>

export type EmbedderConfig = NonNullable<Config['search']['embedder']>

const MICRO = 1_000_000
/** The prefix of a Bedrock inference profile. */
const PROFILE = /^(global|us|us-gov|eu|apac|jp|au|ca|sa)\./

export interface EmbedderBook {
  find(id: string): Entry | undefined
  /** The id that was probably meant. */
  nearestTo(id: string): string | undefined
}

export async function readEmbedderBook(): Promise<EmbedderBook> {
  const entries = (await readYamlList(join(bundled.data, 'embedders.yaml'), Entry)) as readonly Entry[]
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return {
    find: (id) => byId.get(id) ?? byId.get(id.replace(PROFILE, '')),
    nearestTo: (id) => nearest(id, [...byId.keys()]),
  }
}

/** Undefined when neither the file nor the configuration has them. */
export function embedderFacts(
  book: EmbedderBook,
  { id = '', dimensions, price }: EmbedderConfig,
): { readonly dimensions: number; readonly inputMicroUsdPerMillion: number } | undefined {
  const entry = book.find(id)
  const length = dimensions ?? entry?.dimensions
  const usd = price ?? entry?.price
  if (length === undefined || usd === undefined) return undefined
  return { dimensions: length, inputMicroUsdPerMillion: Math.round(usd * MICRO) }
}
