// The built pages: the storefront, whose every address is one document that finds its own way, and the widget that
// other sites load. A document comes with a guest, so that its first calls, which run side by side, come from one and not
// from several; a file, which caches may share, never does.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import statics from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Routes } from '../http/route-parts.ts'

/** Addresses of the storefront: all are the same document. */
const STOREFRONT = ['/', '/series/:id', '/series/:id/', '/support', '/support/'] as const
/** Paths of programs, whose NOT_FOUND is JSON also for someone who looks with a browser. */
const FOR_PROGRAMS = /^\/(?:api|v1|ws)(?:[/?]|$)/
/** What a page of any site may load. */
const FOR_EVERYONE = /[\\/](?:widget\.js|assets[\\/][^\\/]+)(?:\.br|\.gz)?$/

export interface DocumentParts {
  readonly webRoot: string
  /** Makes sure that the reader is known from here on. */
  readonly greet: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

export type SendDocument = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Sends the storefront's document, with a guest for a reader who has none yet. */
export function documentSender({ greet, webRoot }: DocumentParts): SendDocument {
  return async (request, reply) => {
    // It differs by reader as soon as it sets a cookie, which `greet` then says of it.
    reply.header('cache-control', 'private, no-cache')
    if (wantsPage(request) && request.headers.authorization === undefined) await greet(request, reply)
    // Read each time: the pages may have been built again since.
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
}

/** Whether someone who asked for nothing that there is should see so on a page rather than read it as JSON. */
export function wantsMissingPage(webRoot: string, request: FastifyRequest): boolean {
  const isReader = (request.method === 'GET' || request.method === 'HEAD') && wantsPage(request)
  return isReader && !FOR_PROGRAMS.test(request.url) && existsSync(join(webRoot, 'index.html'))
}

function wantsPage(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/html') === true
}

function fileHeaders(reply: FastifyReply, path: string): void {
  // The builder puts a hash of the content into the names under assets/; every other name stays and changes.
  reply.header('cache-control', /[\\/]assets[\\/]/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (!FOR_EVERYONE.test(path)) return
  reply.header('cross-origin-resource-policy', 'cross-origin').header('access-control-allow-origin', '*')
  // Beside `*` a browser takes it for a mistake.
  reply.removeHeader('access-control-allow-credentials')
}
