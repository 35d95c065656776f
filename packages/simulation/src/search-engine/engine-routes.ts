// The paths and methods of OpenSearch that we use. Any other is refused as OpenSearch refuses it: no handler.
import { answerSearch } from './search-request.ts'
import { analyzersOf } from './analysis.ts'
import type { EngineState } from './engine-state.ts'
import { asObject, EngineRefusal, illegal, only, parsing } from './refusal.ts'
import type { Json } from './refusal.ts'

export interface EngineRequest {
  readonly method: string
  readonly path: readonly string[]
  readonly parameters: URLSearchParams
  readonly body: string
}

export interface EngineAnswer {
  readonly status?: number
  readonly body?: unknown
}

export interface RouteParts {
  readonly state: EngineState
  readonly version: string
  readonly plugins: readonly string[]
  readonly isServerless: boolean
  /** The statuses of documents that a bulk request must not write; undefined: it is written. */
  readonly refusedDocument: () => number | undefined
}

/** What kind of request it is, for faults. */
export type EngineVerb = 'search' | 'bulk' | 'index' | 'other'

export function verbOf({ path }: Pick<EngineRequest, 'path'>): EngineVerb {
  const last = path.at(-1) ?? ''
  if (last === '_search') return 'search'
  if (last === '_bulk') return 'bulk'
  return path.length === 1 && !last.startsWith('_') ? 'index' : 'other'
}

export function answerRequest(request: EngineRequest, parts: RouteParts): EngineAnswer {
  const [first = '', second, third] = request.path
  if (request.path.length === 0) return root(request, parts)
  switch (first) {
    case '_cat':
      return cat(request, parts)
    case '_index_template':
      return template(request, parts, second ?? '')
    case '_search':
      return second === 'pipeline' ? pipeline(request, parts, third ?? '') : noHandler(request)
    case '_aliases':
      parts.state.updateAliases(jsonOf(request))
      return ACKNOWLEDGED
    case '_bulk':
      return bulk(request, parts)
    case '_alias':
      return alias(parts, second ?? '')
    default:
      return first.startsWith('_') ? noHandler(request) : ofIndex(request, parts)
  }
}

const ACKNOWLEDGED: EngineAnswer = { body: { acknowledged: true } }

function noHandler({ method, path }: EngineRequest): never {
  throw illegal(`no handler found for uri [/${path.join('/')}] and method [${method}]`)
}

function root(request: EngineRequest, { isServerless, version }: RouteParts): EngineAnswer {
  if (isServerless)
    throw new EngineRefusal(404, 'not_found', 'this operation is not supported by OpenSearch Serverless')
  if (request.method !== 'GET' && request.method !== 'HEAD') noHandler(request)
  return {
    body: { name: 'stand-in', cluster_name: 'stand-in', version: { distribution: 'opensearch', number: version } },
  }
}

function cat(request: EngineRequest, { isServerless, plugins, version }: RouteParts): EngineAnswer {
  if (isServerless || request.path[1] !== 'plugins') noHandler(request)
  return { body: plugins.map((component) => ({ name: 'stand-in', component, version })) }
}

function template(request: EngineRequest, { state }: RouteParts, name: string): EngineAnswer {
  if (request.method === 'PUT' || request.method === 'POST') {
    state.putTemplate(name, jsonOf(request))
    return ACKNOWLEDGED
  }
  const found = state.templates.get(name)
  if (found === undefined)
    throw new EngineRefusal(404, 'resource_not_found_exception', `index template matching [${name}] not found`)
  if (request.method === 'DELETE') return (state.templates.delete(name), ACKNOWLEDGED)
  return { body: { index_templates: [{ name, index_template: found }] } }
}

function pipeline(request: EngineRequest, { state }: RouteParts, name: string): EngineAnswer {
  if (request.method === 'PUT') {
    state.putPipeline(name, jsonOf(request))
    return ACKNOWLEDGED
  }
  const found = state.pipelines.get(name)
  if (found === undefined) return { status: 404, body: {} }
  if (request.method === 'DELETE') return (state.pipelines.delete(name), ACKNOWLEDGED)
  return { body: { [name]: found } }
}

function alias({ state }: RouteParts, name: string): EngineAnswer {
  const of = state.aliases.get(name)
  if (of === undefined) return { status: 404, body: { error: `alias [${name}] missing`, status: 404 } }
  return { body: Object.fromEntries(Array.from(of, (index) => [index, { aliases: { [name]: {} } }])) }
}

function ofIndex(request: EngineRequest, parts: RouteParts): EngineAnswer {
  const { method, path } = request
  const { state } = parts
  const [name = '', verb] = path
  switch (verb) {
    case undefined:
      return wholeIndex(request, parts, name)
    case '_mapping':
      if (method === 'PUT' || method === 'POST') return (state.putMapping(name, jsonOf(request)), ACKNOWLEDGED)
      return mappings(parts, name)
    case '_bulk':
      return bulk(request, parts, name)
    case '_refresh':
      if (parts.isServerless) noHandler(request)
      state.index(name).refresh()
      return { body: { _shards: { total: 1, successful: 1, failed: 0 } } }
    case '_count': {
      const { index } = state.resolve(name)
      return { body: { count: index.documents.length, _shards: { total: 1, successful: 1, skipped: 0, failed: 0 } } }
    }
    case '_search':
      return search(request, parts, name)
    case '_analyze':
      return analyze(request, parts, name)
    default:
      return noHandler(request)
  }
}

function wholeIndex(request: EngineRequest, { state }: RouteParts, name: string): EngineAnswer {
  switch (request.method) {
    case 'PUT':
      state.createIndex(name, request.body === '' ? {} : jsonOf(request))
      return { body: { acknowledged: true, shards_acknowledged: true, index: name } }
    case 'DELETE':
      state.deleteIndex(name)
      return ACKNOWLEDGED
    case 'HEAD':
      return { status: state.indexes.has(name) || state.aliases.has(name) ? 200 : 404 }
    default: {
      const { settings, mappings: given } = state.index(name)
      return { body: { [name]: { aliases: {}, mappings: given, settings } } }
    }
  }
}

function mappings({ state }: RouteParts, pattern: string): EngineAnswer {
  const names = pattern.includes('*') ? state.matching(pattern) : [state.resolve(pattern).name]
  return { body: Object.fromEntries(names.map((name) => [name, { mappings: state.index(name).mappings }])) }
}

function search(request: EngineRequest, { plugins, state }: RouteParts, name: string): EngineAnswer {
  const { parameters } = request
  const allowed = ['search_pipeline', 'include_named_queries_score', 'timeout', 'preference', 'request_cache']
  const unknown = [...parameters.keys()].find((key) => !allowed.includes(key))
  if (unknown !== undefined) throw illegal(`request [/${name}/_search] contains unrecognized parameter: [${unknown}]`)
  const wanted = parameters.get('search_pipeline')
  const found = wanted === null ? undefined : state.pipelines.get(wanted)
  if (wanted !== null && found === undefined) throw illegal(`Pipeline ${wanted} is not defined`)
  const withNamedScores = parameters.get('include_named_queries_score') === 'true'
  const searched = { ...state.resolve(name), plugins, pipeline: found, withNamedScores }
  return { body: answerSearch(request.body === '' ? {} : jsonOf(request), searched) }
}

function bulk(
  request: EngineRequest,
  { isServerless, refusedDocument, state }: RouteParts,
  path?: string,
): EngineAnswer {
  if (request.method !== 'POST' && (request.method !== 'PUT' || isServerless)) noHandler(request)
  if (!request.body.endsWith('\n')) throw illegal(String.raw`The bulk request must be terminated by a newline [\n]`)
  const lines = request.body.split('\n').slice(0, -1)
  if (lines.length === 0) throw parsing('request body is required')
  const items: unknown[] = []
  for (let at = 0; at < lines.length; at += 2) {
    const action = asObject(parse(lines[at]!), 'action')
    only(action, ['index'], (key) => illegal(`this stand-in does not know the action [${key}]`))
    const { _id: id, _index: name = path, if_seq_no: condition } = asObject(action['index'], 'action [index]')
    if (isServerless && id !== undefined)
      throw illegal('Document ID is not supported in create/index operation request')
    if (typeof name !== 'string') throw illegal('Validation Failed: 1: index is missing;')
    const write = () => {
      // Documents have no numbers here, so none meets a condition on its number.
      if (condition !== undefined) throw new EngineRefusal(409, 'version_conflict_engine_exception', 'version conflict')
      return state.index(name).write(id as string | undefined, asObject(parse(lines[at + 1] ?? ''), 'source'))
    }
    items.push({ index: written(write, { name, refused: refusedDocument() }) })
    // Serverless shows what was written after a while; here at once.
    if (isServerless) state.index(name).refresh()
  }
  return { body: { took: 1, errors: items.some((item) => JSON.stringify(item).includes('"error"')), items } }
}

function written(
  write: () => string,
  { name, refused }: { readonly name: string; readonly refused: number | undefined },
) {
  if (refused !== undefined)
    return { _index: name, status: refused, error: { type: 'rejected_execution_exception', reason: 'rejected' } }
  try {
    return { _index: name, _id: write(), status: 201, result: 'created' }
  } catch (error) {
    if (!(error instanceof EngineRefusal)) throw error
    return { _index: name, status: error.status, error: { type: error.type, reason: error.message } }
  }
}

function analyze(request: EngineRequest, { plugins, state }: RouteParts, name: string): EngineAnswer {
  const { analyzer, text } = jsonOf(request)
  const own = asObject(state.resolve(name).index.settings['index'] ?? {}, 'index')
  const found = analyzersOf(asObject(own['analysis'] ?? {}, 'analysis'), plugins).get(String(analyzer))
  if (found === undefined) throw illegal(`failed to find analyzer [${String(analyzer)}]`)
  return { body: { tokens: found(String(text)).map((token, position) => ({ token, position })) } }
}

function jsonOf({ body }: EngineRequest): Json {
  return asObject(parse(body), 'body')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new EngineRefusal(400, 'json_parse_exception', 'the body is not JSON')
  }
}
