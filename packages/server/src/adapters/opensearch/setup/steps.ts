// What OpenSearch needs before a catalogue can be indexed: the index template and the search pipeline. Each step says whether it is
// there as this version writes it; applying one that is present changes nothing. A server starts without them and uses its own index. Indexes and the alias are made by the servers.
import { isDeepStrictEqual } from 'node:util'
import type { Types } from '@opensearch-project/opensearch'
import type { SetupStep } from '#domain/setup-step.ts'
import { NEVER } from '#lib/async/never.ts'
import type { OpenSearchClient } from '../client/client.ts'
import { indexTemplate, SEARCH_PIPELINE } from '../search-engine/template.ts'
import type { EngineNames } from '../search-engine/template.ts'

export interface OpenSearchSetupParts {
  readonly client: OpenSearchClient
  readonly names: EngineNames
  /** The length of the vectors. */
  readonly dimensions: number
}

type Pipeline = Types.SearchPipeline_Common.SearchPipelineStructure

const LIMIT = { ms: 15_000, signal: NEVER }

/** Only reads. Rejects with an EngineFailure. */
export async function openSearchSteps(parts: OpenSearchSetupParts): Promise<readonly SetupStep[]> {
  return [await templateStep(parts), await pipelineStep(parts)]
}

async function templateStep({ client, dimensions, names }: OpenSearchSetupParts): Promise<SetupStep> {
  const name = names.template
  const wanted = indexTemplate(names, { dimensions, isServerless: client.isServerless })
  const found = await client.find(LIMIT, (to, options) => to.indices.getIndexTemplate({ name }, options))
  const current = found?.index_templates[0]?.index_template
  return {
    what: `index template ${name}`,
    detail: `Japanese (kuromoji) and English analysis, vectors of ${dimensions} dimensions, for the indexes ${names.prefix}*`,
    state: current === undefined ? 'missing' : isSame(wanted, current) ? 'present' : 'differs',
    isOptional: true,
    async apply() {
      const body = wanted as object
      await client.call(LIMIT, (to, options) => to.indices.putIndexTemplate({ name, body }, options))
    },
  }
}

async function pipelineStep({ client, names }: OpenSearchSetupParts): Promise<SetupStep> {
  const id = names.pipeline
  const found = await client.find(LIMIT, (to, options) => to.searchPipeline.get({ id }, options))
  const current = (found as Record<string, unknown> | undefined)?.[id]
  return {
    what: `search pipeline ${id}`,
    detail: 'brings the scores of a hybrid query to one scale',
    state: current === undefined ? 'missing' : isSame(SEARCH_PIPELINE, current) ? 'present' : 'differs',
    isOptional: true,
    async apply() {
      const body = structuredClone(SEARCH_PIPELINE) as unknown as Pipeline
      await client.call(LIMIT, (to, options) => to.searchPipeline.put({ id, body }, options))
    },
  }
}

/**
 * Whether everything that is wanted is there. OpenSearch adds defaults, and returns numbers and truths of settings as texts, so only
 * what is wanted is compared.
 */
function isSame(wanted: unknown, given: unknown): boolean {
  if (Array.isArray(wanted)) return Array.isArray(given) && isDeepStrictEqual(wanted.map(plain), given.map(plain))
  if (typeof wanted !== 'object' || wanted === null) return plain(wanted) === plain(given)
  if (typeof given !== 'object' || given === null) return false
  return Object.entries(wanted).every(([name, value]) => isSame(value, (given as Record<string, unknown>)[name]))
}

const plain = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value

/** Removes what the steps made, and the indexes of the names. */
export async function removeAll({ client, names }: Omit<OpenSearchSetupParts, 'dimensions'>): Promise<void> {
  const all = await client.find(LIMIT, (to, options) => to.indices.getMapping({ index: `${names.prefix}*` }, options))
  for (const index of Object.keys(all ?? {}))
    await client.find(LIMIT, (to, options) => to.indices.delete({ index }, options))
  const { pipeline: id, template: name } = names
  await client.find(LIMIT, (to, options) => to.indices.deleteIndexTemplate({ name }, options))
  await client.find(LIMIT, (to, options) => to.searchPipeline.delete({ id }, options))
}
