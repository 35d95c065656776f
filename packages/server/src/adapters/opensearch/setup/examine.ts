// Examines a real OpenSearch for `doctor`: version, plugins, the alias, and the rights of a server. Nothing is changed:
// a right to write is tried by requests that OpenSearch must refuse for another reason, such as creating an index that exists.
// OpenSearch checks rights only in requests that are valid otherwise.
import { NEVER } from '#lib/async/never.ts'
import { EngineFailure } from '#ports/search-engine/failure.ts'
import type { OpenSearchCall, OpenSearchClient } from '../client/client.ts'
import { PLUGINS_NEEDED, VERSION_MIN } from '../search-engine/template.ts'
import type { OpenSearchSetupParts } from './steps.ts'

export interface Examined {
  readonly check: string
  /** `warning`: it will be made by a server. `wrong`: the servers use their own indexes until it is mended. */
  readonly state: 'ok' | 'warning' | 'wrong'
  readonly detail: string
  readonly fix?: string
}

type ExaminedParts = Pick<OpenSearchSetupParts, 'client' | 'names'>

const LIMIT = { ms: 10_000, signal: NEVER }
/** The name of no edition and of no document. */
const TRIED = 'doctor-only-asks'
/** The rights that can only be tried on an index that is there; a collection accepts no condition on a document. */
const NEEDED = ['create an index', 'write documents'] as const

const UNANSWERED: ReadonlySet<string> = new Set(['unreachable', 'late', 'overload'])

type Check = (parts: ExaminedParts) => Promise<Examined>

/** Never rejects. A check that fails does not keep the others from being made, unless OpenSearch does not answer. */
export async function examineOpenSearch(parts: ExaminedParts): Promise<readonly Examined[]> {
  const software: Readonly<Record<string, Check>> = parts.client.isServerless
    ? {}
    : { OpenSearch: examineVersion, 'OpenSearch plugins': examinePlugins }
  const checks = { ...software, [`alias ${parts.names.alias}`]: examineAlias, 'rights at OpenSearch': examineRights }
  const found: Examined[] = []
  const failures: Examined[] = []
  for (const [check, examine] of Object.entries<Check>(checks)) {
    try {
      found.push(await examine(parts))
    } catch (error) {
      if (isUnanswered(error)) return [failed('OpenSearch', error)]
      found.push(failed(check, error))
      failures.push(failed('OpenSearch', error))
    }
  }
  return failures.length === found.length ? failures.slice(0, 1) : found
}

const isUnanswered = (error: unknown): boolean => error instanceof EngineFailure && UNANSWERED.has(error.kind)
const isDenied = (status: number | undefined): boolean => status === 401 || status === 403

function failed(check: string, error: unknown): Examined {
  if (!(error instanceof EngineFailure)) return { check, state: 'wrong', detail: String(error) }
  return { check, state: 'wrong', detail: error.message, fix: fixOfFailure(error) }
}

/** What an operator does about it. */
export function fixOfFailure({ status }: EngineFailure): string {
  return isDenied(status)
    ? 'Check opensearch.auth, service and region, the credentials, and what they may do: setup --dry-run prints it.'
    : 'Start it, or change opensearch.node. Until then each node answers from its own index.'
}

async function examineVersion({ client }: ExaminedParts): Promise<Examined> {
  const check = 'OpenSearch'
  const { version } = await client.call(LIMIT, (to, options) => to.info({}, options))
  const number = version.number ?? ''
  const [major = 0, minor = 0] = number.split('.').map(Number)
  const isOld = major < VERSION_MIN[0] || (major === VERSION_MIN[0] && minor < VERSION_MIN[1])
  if (!isOld) return { check, state: 'ok', detail: `version ${number}` }
  return { check, state: 'wrong', detail: number, fix: `Use version ${VERSION_MIN.join('.')} or newer.` }
}

async function examinePlugins({ client }: ExaminedParts): Promise<Examined> {
  const check = 'OpenSearch plugins'
  const listed = await client.call(LIMIT, (to, options) => to.cat.plugins({ format: 'json' }, options))
  const installed = new Set((listed as readonly { readonly component?: string }[]).map(({ component }) => component))
  const missing = PLUGINS_NEEDED.filter((plugin) => !installed.has(plugin))
  if (missing.length === 0) return { check, state: 'ok', detail: PLUGINS_NEEDED.join(', ') }
  const fix = `On every node: bin/opensearch-plugin install ${missing.join(' ')}; then restart it.`
  return { check, state: 'wrong', detail: `missing: ${missing.join(', ')}`, fix }
}

async function indexInUse({ client, names }: ExaminedParts): Promise<string | undefined> {
  const found = await client.find(LIMIT, (to, options) => to.indices.getAlias({ name: names.alias }, options))
  return Object.keys(found ?? {})[0]
}

async function examineAlias(parts: ExaminedParts): Promise<Examined> {
  const { client, names } = parts
  const check = `alias ${names.alias}`
  const index = await indexInUse(parts)
  const fix = 'A running server writes its catalogue there, and then the alias.'
  if (index === undefined) return { check, state: 'warning', detail: 'missing', fix }
  const { count } = await client.call(LIMIT, (to, options) => to.count({ index: names.alias }, options))
  return { check, state: 'ok', detail: `${index}, ${count} series` }
}

type Tries = Readonly<Record<string, OpenSearchCall<unknown>>>

/** Requests that change nothing whatever the rights are. */
function triesOf({ client, names }: ExaminedParts, index: string | undefined): Tries {
  const { alias, pipeline: id, template: name } = names
  const absent = names.indexOf(TRIED)
  const actions = [{ remove: { index: absent, alias, must_exist: false } }]
  // No document has this number, so the condition is never met.
  const unmet = { _index: index, _id: TRIED, if_seq_no: Number.MAX_SAFE_INTEGER, if_primary_term: 1 }
  const ofIndex = (to: string): Tries => ({
    'create an index': (at, options) => at.indices.create({ index: to }, options),
    ...(client.isServerless
      ? {}
      : { 'write documents': (at, options) => at.bulk({ body: [{ index: unmet }, {}] }, options) }),
  })
  return {
    'read the index template': (to, options) => to.indices.getIndexTemplate({ name }, options),
    'read the search pipeline': (to, options) => to.searchPipeline.get({ id }, options),
    search: (to, options) => to.search({ index: alias, body: { size: 0 } }, options),
    'change a mapping': (to, options) => to.indices.putMapping({ index: absent, body: { _meta: {} } }, options),
    'remove an index': (to, options) => to.indices.delete({ index: absent }, options),
    'move the alias': (to, options) => to.indices.updateAliases({ body: { actions } }, options),
    ...(index === undefined ? {} : ofIndex(index)),
  }
}

async function examineRights(parts: ExaminedParts): Promise<Examined> {
  const { client, names } = parts
  const index = await indexInUse(parts)
  const tries = triesOf(parts, index)
  const denied: string[] = []
  for (const [right, ask] of Object.entries(tries)) if (await isRefused(client, ask)) denied.push(right)
  const check = 'rights at OpenSearch'
  const tried = Object.keys(tries)
  const untried = NEEDED.filter((right) => !tried.includes(right))
  const fix = `Allow them for ${names.prefix}* and ${names.alias}; setup --dry-run prints the policy.`
  if (denied.length > 0) return { check, state: 'wrong', detail: `denied: ${denied.join(', ')}`, fix }
  const detail = [tried.join(', '), ...(untried.length === 0 ? [] : [`not tried: ${untried.join(', ')}`])].join('; ')
  if (index !== undefined) return { check, state: 'ok', detail }
  return { check, state: 'warning', detail, fix: 'Run doctor again when a server has written its catalogue.' }
}

/** Whether the request was denied; any other refusal means that it was allowed. */
async function isRefused(client: OpenSearchClient, ask: OpenSearchCall<unknown>): Promise<boolean> {
  try {
    const body = (await client.call(LIMIT, ask)) as { readonly items?: readonly Readonly<Record<string, Item>>[] }
    return body.items?.some((item) => Object.values(item).some(({ status }) => isDenied(status))) === true
  } catch (error) {
    if (!(error instanceof EngineFailure) || isUnanswered(error)) throw error
    return isDenied(error.status)
  }
}

interface Item {
  readonly status?: number
}
