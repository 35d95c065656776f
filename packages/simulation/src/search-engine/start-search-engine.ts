// A stand-in for OpenSearch over plain HTTP on loopback: it checks requests by the rules of the documentation, stores documents, and
// answers searches by BM25 and exact neighbours, so that quality can be measured. Started in process by tests, and by
// `mangaassist search-engine` for a local fleet. It is no OpenSearch: kuromoji is approximated, and nothing is on disk.
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Clock } from '@mangaassist/server/ports/clock/port'
import { isAllowed } from './engine-auth.ts'
import type { EngineAuth } from './engine-auth.ts'
import { EngineFaults } from './engine-faults.ts'
import type { EngineFault } from './engine-faults.ts'
import { answerRequest, verbOf } from './engine-routes.ts'
import type { EngineRequest } from './engine-routes.ts'
import { EngineState } from './engine-state.ts'
import { EngineRefusal } from './refusal.ts'

export interface SearchEngineOptions {
  readonly clock: Pick<Clock, 'after'>
  /** Default 0: any free port. */
  readonly port?: number
  /** Default: everyone may do everything. */
  readonly auth?: EngineAuth
  /** Behaves as a vector collection of Serverless. */
  readonly isServerless?: boolean
  readonly version?: string
  readonly plugins?: readonly string[]
}

export interface SearchEngineStandIn extends AsyncDisposable {
  readonly url: string
  readonly state: EngineState
  /** `PUT /shop-v1-abc`, in the order of arrival. */
  requests(): readonly string[]
  faults(...faults: readonly EngineFault[]): void
  heal(): void
  close(): Promise<void>
}

const PLUGINS = ['analysis-kuromoji', 'opensearch-knn', 'opensearch-neural-search']
const VERSION = '3.3.0'

export async function startSearchEngine(options: SearchEngineOptions): Promise<SearchEngineStandIn> {
  const { auth = { kind: 'none' }, clock, isServerless = false, plugins = PLUGINS, version = VERSION } = options
  const state = new EngineState({ plugins, isServerless })
  const faults = new EngineFaults()
  const requests: string[] = []
  const parts = { state, version, plugins, isServerless, refusedDocument: () => faults.refusedDocument() }

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await requestOf(message)
    if (request.path[0] === '_sim') return control(request, faults, response)
    requests.push(`${request.method} /${request.path.join('/')}`)
    const fault = faults.next(verbOf(request))
    if (fault?.kind === 'slow') await new Promise<void>((resolve) => void clock.after(fault.ms, resolve))
    if (fault?.kind === 'cut') return void message.socket.destroy()
    const refused = isAllowed(auth, { ...request, headers: message.headers })
    if (refused !== undefined) return send(response, refused.status, refused.body)
    if (fault?.kind === 'status')
      return send(response, fault.status, new EngineRefusal(fault.status, 'injected_fault', 'injected').body)
    const { body = {}, status = 200 } = answerRequest(request, parts)
    if (fault?.kind === 'truncated') return truncated(response, body)
    send(response, status, body)
  }

  const server = createServer((message, response) => {
    answer(message, response).catch((error: unknown) => {
      if (error instanceof EngineRefusal) return send(response, error.status, error.body)
      send(response, 500, { error: { type: 'internal', reason: String(error) }, status: 500 })
    })
  })
  const close = () => closeServer(server)
  return {
    url: await listen(server, options.port ?? 0),
    state,
    requests: () => requests,
    faults: (...more) => faults.add(more),
    heal: () => faults.clear(),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function requestOf(message: IncomingMessage): Promise<EngineRequest> {
  const { pathname, searchParams } = new URL(message.url ?? '/', 'http://stand-in')
  return {
    method: message.method ?? 'GET',
    path: pathname
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent),
    parameters: searchParams,
    body: await text(message),
  }
}

/** Faults of a stand-in that is a process of its own. */
function control({ body, method }: EngineRequest, faults: EngineFaults, response: ServerResponse): void {
  if (method === 'POST') faults.add([JSON.parse(body) as EngineFault].flat())
  else if (method === 'DELETE') faults.clear()
  send(response, 200, { faults: faults.list() })
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body))
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', 'content-length': bytes.length })
  response.end(bytes)
}

/** Promises more than it sends. */
function truncated(response: ServerResponse, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body))
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length })
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
}

async function listen(server: Server, port: number): Promise<string> {
  const { promise, reject, resolve } = Promise.withResolvers<void>()
  server.once('error', reject).listen(port, '127.0.0.1', resolve)
  await promise
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function closeServer(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  server.closeAllConnections()
  return promise
}
