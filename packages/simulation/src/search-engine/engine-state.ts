// The state of the search engine: indexes, aliases, index templates and search pipelines.
import { asObject, badMapping, EngineRefusal, illegal, noIndex, only } from './refusal.ts'
import type { Json } from './refusal.ts'
import { StoredIndex } from './stored-index.ts'

const INDEX_NAME = /^[a-z0-9][a-z0-9._-]{0,254}$/u
const TEMPLATE_KEYS = ['index_patterns', 'template', 'priority', 'version', 'composed_of', '_meta', 'data_stream']
const PIPELINE_KEYS = [
  'description',
  'version',
  'request_processors',
  'response_processors',
  'phase_results_processors',
]
const NORMALISATIONS = { whole: ['min_max', 'l2', 'z_score'], serverless: ['min_max', 'l2'] } as const
const COMBINATIONS = ['arithmetic_mean', 'geometric_mean', 'harmonic_mean']

export interface EngineStateOptions {
  readonly plugins: readonly string[]
  readonly isServerless: boolean
}

export class EngineState {
  readonly indexes = new Map<string, StoredIndex>()
  /** The indexes of each alias. */
  readonly aliases = new Map<string, Set<string>>()
  readonly templates = new Map<string, Json>()
  readonly pipelines = new Map<string, Json>()
  readonly #plugins: readonly string[]
  readonly #isServerless: boolean

  constructor({ isServerless, plugins }: EngineStateOptions) {
    this.#plugins = plugins
    this.#isServerless = isServerless
  }

  putTemplate(name: string, given: Json): void {
    only(given, TEMPLATE_KEYS, (key) => illegal(`[index_template] unknown field [${key}]`))
    const { index_patterns: patterns, template = {} } = given
    if (!Array.isArray(patterns) || patterns.length === 0) throw illegal('index patterns are missing')
    // A template whose indexes could not be created is refused.
    this.#made(asObject(template, 'template'))
    this.templates.set(name, given)
  }

  putPipeline(name: string, given: Json): void {
    only(given, PIPELINE_KEYS, (key) =>
      illegal(`pipeline [${name}] doesn't support one or more provided configuration parameters [${key}]`),
    )
    for (const processor of (given['phase_results_processors'] ?? []) as readonly Json[]) {
      const [kind, how] = Object.entries(processor)[0] ?? []
      if (kind !== 'normalization-processor' || !this.#plugins.includes('opensearch-neural-search'))
        throw illegal(`Invalid processor type ${kind}`)
      const { combination = {}, normalization = {} } = asObject(how, kind)
      const allowed = NORMALISATIONS[this.#isServerless ? 'serverless' : 'whole'] as readonly unknown[]
      const { technique = 'min_max' } = asObject(normalization, 'normalization')
      if (!allowed.includes(technique)) throw illegal(`provided normalization technique is not supported`)
      const { technique: mean = 'arithmetic_mean' } = asObject(combination, 'combination')
      if (!COMBINATIONS.includes(String(mean))) throw illegal('provided combination technique is not supported')
    }
    this.pipelines.set(name, given)
  }

  createIndex(name: string, body: Json): void {
    if (!INDEX_NAME.test(name))
      throw new EngineRefusal(400, 'invalid_index_name_exception', `Invalid index name [${name}]`)
    if (this.indexes.has(name))
      throw new EngineRefusal(400, 'resource_already_exists_exception', `index [${name}] already exists`)
    if (this.aliases.has(name))
      throw new EngineRefusal(400, 'invalid_index_name_exception', `[${name}] already exists as alias`)
    only(body, ['settings', 'mappings', 'aliases'], (key) => illegal(`unknown key [${key}] for create index`))
    const template = asObject(this.#templateFor(name)?.['template'] ?? {}, 'template')
    const mappings = {
      ...asObject(template['mappings'] ?? {}, 'mappings'),
      ...asObject(body['mappings'] ?? {}, 'mappings'),
    }
    this.indexes.set(name, this.#made({ settings: { ...asObject(template['settings'] ?? {}, 'settings') }, mappings }))
  }

  #templateFor(index: string): Json | undefined {
    const fitting = [...this.templates.values()].filter(({ index_patterns: patterns }) =>
      (patterns as readonly string[]).some((pattern) => isLike(index, pattern)),
    )
    return fitting.sort((a, b) => Number(b['priority'] ?? 0) - Number(a['priority'] ?? 0))[0]
  }

  #made(template: Json): StoredIndex {
    const settings = asObject(template['settings'] ?? {}, 'settings')
    const own = asObject(settings['index'] ?? {}, 'settings.index')
    if (this.#isServerless && ['number_of_shards', 'number_of_replicas', 'refresh_interval'].some((key) => key in own))
      throw illegal('the setting is not supported by OpenSearch Serverless')
    return new StoredIndex({
      settings,
      mappings: asObject(template['mappings'] ?? {}, 'mappings'),
      plugins: this.#plugins,
    })
  }

  putMapping(name: string, body: Json): void {
    const index = this.index(name)
    only(body, ['_meta', 'dynamic', 'properties'], (key) =>
      badMapping(`Root mapping definition has unsupported parameters: [${key}]`),
    )
    if (body['properties'] !== undefined) throw illegal('the fields of an index cannot be changed here')
    index.mappings = { ...index.mappings, ...body }
  }

  deleteIndex(name: string): void {
    if (!this.indexes.delete(name)) throw noIndex(name)
    for (const [alias, of] of this.aliases) if (of.delete(name) && of.size === 0) this.aliases.delete(alias)
  }

  /** An index by its own name. */
  index(name: string): StoredIndex {
    const found = this.indexes.get(name)
    if (found === undefined) throw noIndex(name)
    return found
  }

  /** An index by its own name or by an alias. */
  resolve(name: string): { readonly name: string; readonly index: StoredIndex } {
    const [own = name, ...more] = this.aliases.get(name) ?? []
    if (more.length > 0) throw illegal('this stand-in searches one index at a time')
    return { name: own, index: this.index(own) }
  }

  matching(pattern: string): readonly string[] {
    return [...this.indexes.keys()].filter((name) => isLike(name, pattern))
  }

  /** All actions, or none. */
  updateAliases(body: Json): void {
    only(body, ['actions'], (key) => illegal(`[aliases] unknown field [${key}]`))
    const next = new Map([...this.aliases].map(([alias, of]) => [alias, new Set(of)]))
    const actions = (body['actions'] ?? []) as readonly Json[]
    if (actions.length === 0)
      throw new EngineRefusal(400, 'action_request_validation_exception', 'Must specify at least one alias action')
    for (const action of actions) {
      const [kind, given] = Object.entries(action)[0] ?? []
      const { alias, index, must_exist: mustExist = true } = asObject(given, 'action')
      const of = next.get(String(alias)) ?? new Set<string>()
      if (kind === 'add') next.set(String(alias), of.add(this.#known(String(index))))
      else if (kind === 'remove') {
        this.#known(String(index))
        if (!of.delete(String(index)) && mustExist === true)
          throw new EngineRefusal(404, 'aliases_not_found_exception', `aliases [${String(alias)}] missing`)
        if (of.size === 0) next.delete(String(alias))
      } else throw illegal(`[aliases] unknown action [${kind}]`)
    }
    this.aliases.clear()
    for (const [alias, of] of next) this.aliases.set(alias, of)
  }

  #known(index: string): string {
    this.index(index)
    return index
  }
}

const isLike = (name: string, pattern: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/gu, String.raw`\$&`).replaceAll('*', '.*')}$`, 'u').test(name)
