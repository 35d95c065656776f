// The built pages: the storefront, whose every address is one document that finds its own way, and the widget that
// other sites load. A page comes with a guest, so that its first calls, which run side by side, come from one and not
// from several.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import statics from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Routes } from './route-parts.ts'

/** Addresses of the storefront besides `/`: all are the same document. */
const STOREFRONT = ['/series/:id', '/series/:id/', '/support', '/support/'] as const
/** Paths of programs, whose NOT_FOUND is JSON also for someone who looks with a browser. */
const FOR_PROGRAMS = /^\/(?:api|v1|ws)(?:[/?]|$)/
/** What a page of any site may load. */
const FOR_EVERYONE = /[\\/](?:widget\.js|assets[\\/][^\\/]+)(?:\.br|\.gz)?$/

export interface PagesParts {
  readonly webRoot: string
  /** Sees to it that the reader is known from here on. */
  readonly greet: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

export async function servePages(http: Routes, { greet, webRoot }: PagesParts): Promise<void> {
  if (!existsSync(webRoot)) return
  await http.register(async (pages) => {
    pages.addHook('onRequest', async (request, reply) => {
      if (wantsPage(request) && request.headers.authorization === undefined) await greet(request, reply)
    })
    await pages.register(statics, { root: webRoot, cacheControl: false, preCompressed: true, setHeaders: pageHeaders })
    for (const url of STOREFRONT)
      pages.route({ method: ['GET', 'HEAD'], url, handler: (_request, reply) => sendDocument(webRoot, reply) })
  })
}

/** Whether someone who asked for nothing that there is should see so on a page rather than read it as JSON. */
export function wantsMissingPage(webRoot: string, request: FastifyRequest): boolean {
  const isReader = (request.method === 'GET' || request.method === 'HEAD') && wantsPage(request)
  return isReader && !FOR_PROGRAMS.test(request.url) && existsSync(join(webRoot, 'index.html'))
}

export async function sendDocument(webRoot: string, reply: FastifyReply): Promise<FastifyReply> {
  // Read each time: the pages may have been built again since.
  const document = await readFile(join(webRoot, 'index.html'))
  return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(document)
}

function wantsPage(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/html') === true
}

function pageHeaders(reply: FastifyReply, path: string): void {
  // The builder puts a hash of the content into the names under assets/; every other name stays and changes.
  reply.header('cache-control', /[\\/]assets[\\/]/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (!FOR_EVERYONE.test(path)) return
  reply.header('cross-origin-resource-policy', 'cross-origin').header('access-control-allow-origin', '*')
  // Beside `*` a browser takes it for a mistake.
  reply.removeHeader('access-control-allow-credentials')
}
