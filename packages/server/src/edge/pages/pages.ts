// The built pages: the storefront, one document for all its addresses, the operator's console, and the widget that other sites
// load. The storefront's document creates a guest, so that its first concurrent calls come from one guest; a file, which caches
// may share, never does, and neither does the console: an operator is no shopper.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import statics from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Routes } from '../http/route-parts.ts'

/** Addresses of the storefront, all with the same document. */
const STOREFRONT = ['/', '/series/:id', '/series/:id/', '/support', '/support/'] as const
/** Addresses of the console, all with the same document. */
const CONSOLE = ['/console', '/console/*'] as const
/** API paths, whose NOT_FOUND is JSON also in a browser. */
const FOR_PROGRAMS = /^\/(?:api|v1|ws)(?:[/?]|$)/
/** Files that any site may load. */
const FOR_EVERYONE = /[\\/](?:widget\.js|assets[\\/][^\\/]+)(?:\.br|\.gz)?$/

export interface DocumentParts {
  readonly webRoot: string
  /** Makes sure that the reader has an identity. */
  readonly greet: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

export type SendDocument = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Sends the storefront's document, and creates a guest when the reader has no identity yet. */
export function documentSender({ greet, webRoot }: DocumentParts): SendDocument {
  return async (request, reply) => {
    // The default; when the response sets a cookie, which differs by reader, `greet` replaces this header.
    reply.header('cache-control', 'private, no-cache')
    if (wantsPage(request) && request.headers.authorization === undefined) await greet(request, reply)
    // Read each time, because the pages may have been rebuilt.
    const document = await readFile(join(webRoot, 'index.html'))
    return reply.type('text/html; charset=utf-8').send(document)
  }
}

export interface PagesParts {
  readonly webRoot: string
  readonly sendDocument: SendDocument
}

export async function servePages(http: Routes, { sendDocument, webRoot }: PagesParts): Promise<void> {
  if (!existsSync(webRoot)) return
  await http.register(statics, {
    root: webRoot,
    cacheControl: false,
    index: false,
    preCompressed: true,
    setHeaders: fileHeaders,
  })
  for (const url of STOREFRONT) http.route({ method: ['GET', 'HEAD'], url, handler: sendDocument })
  for (const url of CONSOLE) http.route({ method: ['GET', 'HEAD'], url, handler: consoleSender(webRoot) })
}

function consoleSender(webRoot: string): SendDocument {
  return async (_request, reply) => {
    // No page may frame the console, the shop's own included: a click in a frame could be a click on an action.
    const policy = String(reply.getHeader('content-security-policy') ?? '')
    const document = await readFile(join(webRoot, 'console.html'))
    return reply
      .header('cache-control', 'no-store')
      .header('content-security-policy', policy.replace(/frame-ancestors [^;]*/, `frame-ancestors 'none'`))
      .header('referrer-policy', 'no-referrer')
      .header('x-robots-tag', 'noindex')
      .type('text/html; charset=utf-8')
      .send(document)
  }
}

/** Whether an unknown address is answered with a page rather than JSON. */
export function wantsMissingPage(webRoot: string, request: FastifyRequest): boolean {
  const isReader = (request.method === 'GET' || request.method === 'HEAD') && wantsPage(request)
  return isReader && !FOR_PROGRAMS.test(request.url) && existsSync(join(webRoot, 'index.html'))
}

function wantsPage(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/html') === true
}

function fileHeaders(reply: FastifyReply, path: string): void {
  // Names under assets/ contain a hash of the content; other names stay while their content changes.
  reply.header('cache-control', /[\\/]assets[\\/]/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (!FOR_EVERYONE.test(path)) return
  reply.header('cross-origin-resource-policy', 'cross-origin').header('access-control-allow-origin', '*')
  // Browsers reject it beside `*`.
  reply.removeHeader('access-control-allow-credentials')
}
