// Handles requests to the simulator: the vendors' apis, the list of models, and the control api under `/_sim`.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { answerAttempt } from './answer-attempt.ts'
import type { AttemptParts } from './answer-attempt.ts'
import { controlApi } from './control-api.ts'
import type { Control } from './control-api.ts'
import { parseJson } from './call.ts'
import { readCall, routeOf } from './read-call.ts'

/** Larger than the context window of any model in UTF-8. */
const BODY_BYTES_MAX = 32 * 1024 * 1024

/** The names that OpenAI and AWS use. */
const REQUEST_ID_HEADERS = ['x-request-id', 'x-amzn-requestid']

export interface HandlerParts extends AttemptParts {
  readonly control: Control
}

export function httpHandler(parts: HandlerParts): RequestListener {
  let calls = 0
  return (request, response) => {
    calls += 1
    // Vendors name every request in a header of theirs, which their support asks for.
    for (const header of REQUEST_ID_HEADERS) response.setHeader(header, `sim-${calls}`)
    handle(parts, request, response).catch((error: unknown) => sendJson(response, 500, { message: String(error) }))
  }
}

async function handle(parts: HandlerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://simulator')
  if (request.method === 'GET' && pathname === '/v1/models') return sendJson(response, 200, modelList(parts))
  const text = await readBody(request)
  if (text === undefined) return sendJson(response, 413, { message: 'The body is too large.' })
  const body = parseJson(text)
  if (pathname.startsWith('/_sim/')) {
    const { status, answer } = controlApi(parts.control, `${request.method} ${pathname}`, body)
    return sendJson(response, status, answer)
  }
  const route = request.method === 'POST' ? routeOf(pathname) : undefined
  if (route === undefined) return sendJson(response, 404, { message: `Unknown request ${request.method} ${pathname}.` })
  await answerAttempt(parts, readCall(route, body, request.headers), response)
}

function modelList({ clock, models = ['simulated-model'] }: HandlerParts) {
  const created = Math.floor(clock.now() / 1000)
  return { object: 'list', data: models.map((id) => ({ id, object: 'model', created, owned_by: 'simulator' })) }
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  // A client that disconnected during its request gets no response.
  if (response.headersSent || response.destroyed) return void response.destroy()
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
