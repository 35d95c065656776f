// Examines a real OpenSearch for `doctor`: version, plugins, the alias, and the rights of a server. Nothing is changed:
// a right to write is tried by requests that OpenSearch must refuse for another reason, such as creating an index that exists.
import { NEVER } from '#lib/async/never.ts'
import { EngineFailure } from '#ports/search-engine/failure.ts'
import type { OpenSearchCall } from '../client/client.ts'
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
const DENIED: ReadonlySet<number> = new Set([401, 403])

/** Never rejects. */
export async function examineOpenSearch(parts: ExaminedParts): Promise<readonly Examined[]> {
  try {
    const software = parts.client.isServerless ? [] : await examineSoftware(parts)
    return [...software, await examineAlias(parts), ...(await examineRights(parts))]
  } catch (error) {
    return [ofFailure(error)]
  }
}

function ofFailure(error: unknown): Examined {
  const check = 'OpenSearch'
  if (!(error instanceof EngineFailure)) return { check, state: 'wrong', detail: String(error) }
  const { message: detail, status } = error
  const fix =
    status === 401 || status === 403
      ? 'Check opensearch.auth, service and region, the credentials, and what they may do: setup --dry-run prints it.'
      : 'Start it, or change opensearch.node. Until then each node answers from its own index.'
  return { check, state: 'wrong', detail, fix }
}

async function examineSoftware({ client }: ExaminedParts): Promise<readonly Examined[]> {
  const { version } = await client.call(LIMIT, (to, options) => to.info({}, options))
  const number = version.number ?? ''
  const [major = 0, minor = 0] = number.split('.').map(Number)
  const isOld = major < VERSION_MIN[0] || (major === VERSION_MIN[0] && minor < VERSION_MIN[1])
  const server: Examined = isOld
    ? { check: 'OpenSearch', state: 'wrong', detail: number, fix: `Use version ${VERSION_MIN.join('.')} or newer.` }
    : { check: 'OpenSearch', state: 'ok', detail: `version ${number}` }
  const listed = await client.call(LIMIT, (to, options) => to.cat.plugins({ format: 'json' }, options))
  const installed = new Set((listed as readonly { readonly component?: string }[]).map(({ component }) => component))
  const missing = PLUGINS_NEEDED.filter((plugin) => !installed.has(plugin))
  const check = 'OpenSearch plugins'
  if (missing.length === 0) return [server, { check, state: 'ok', detail: PLUGINS_NEEDED.join(', ') }]
  const fix = `On every node: bin/opensearch-plugin install ${missing.join(' ')}; then restart it.`
  return [server, { check, state: 'wrong', detail: `missing: ${missing.join(', ')}`, fix }]
}

async function examineAlias({ client, names }: ExaminedParts): Promise<Examined> {
  const check = `alias ${names.alias}`
  const found = await client.find(LIMIT, (to, options) => to.indices.getAlias({ name: names.alias }, options))
  const [index] = Object.keys(found ?? {})
  const fix = 'A running server writes its catalogue there, and then the alias.'
  if (index === undefined) return { check, state: 'warning', detail: 'missing', fix }
  const { count } = await client.call(LIMIT, (to, options) => to.count({ index: names.alias }, options))
  return { check, state: 'ok', detail: `${index}, ${count} series` }
}

async function examineRights({ client, names }: ExaminedParts): Promise<readonly Examined[]> {
  const found = await client.find(LIMIT, (to, options) => to.indices.getAlias({ name: names.alias }, options))
  const [index] = Object.keys(found ?? {})
  const absent = names.indexOf('doctor-only-asks')
  const tries: Readonly<Record<string, OpenSearchCall<unknown>>> = {
    ...(index === undefined
      ? {}
      : {
          search: (to, options) => to.search({ index: names.alias, body: { size: 0 } }, options),
          'create an index': (to, options) => to.indices.create({ index }, options),
        }),
    'remove an index': (to, options) => to.indices.delete({ index: absent }, options),
    'move the alias': (to, options) => to.indices.updateAliases({ body: { actions: [] } }, options),
  }
  const denied: string[] = []
  for (const [right, ask] of Object.entries(tries)) {
    const error = await client.call(LIMIT, ask).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (error instanceof EngineFailure && DENIED.has(error.status ?? 0)) denied.push(right)
  }
  const check = 'rights at OpenSearch'
  if (denied.length === 0) return [{ check, state: 'ok', detail: Object.keys(tries).join(', ') }]
  const fix = `Allow them for ${names.prefix}* and ${names.alias}; setup --dry-run prints the policy.`
  return [{ check, state: 'wrong', detail: `denied: ${denied.join(', ')}`, fix }]
}
