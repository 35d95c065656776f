// The built files: scripts, styles, the widget that other sites load, and the operator's console. None of them creates a guest: caches may
// share a file, and an operator is no shopper. `edge/storefront` makes the documents of the storefront.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import statics from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Routes } from '../http/route-parts.ts'

/** Addresses of the console, all with the same document. */
const CONSOLE = ['/console', '/console/*'] as const
/** API paths, whose NOT_FOUND is JSON also in a browser. */
const FOR_PROGRAMS = /^\/(?:api|v1|ws)(?:[/?]|$)/
/** Documents, plain and compressed: each has a route, with its own headers, and is not served as a file. */
const DOCUMENT = /\.html(?:\.br|\.gz)?$/i
/** Files that any site may load. */
const FOR_EVERYONE = /[\\/](?:widget\.js|widget\.json|(?:assets|widget)[\\/][^\\/]+)(?:\.br|\.gz)?$/
/** Names that contain a hash of the content; other names stay while their content changes. */
const HASHED = /[\\/](?:assets[\\/][^\\/]+|widget[\\/](?:[\da-f]{16}|[\w.]+-[\w-]{8})\.js(?:\.map)?)(?:\.br|\.gz)?$/

export async function servePages(http: Routes, webRoot: string): Promise<void> {
  if (!existsSync(webRoot)) return
  await http.register(statics, {
    root: webRoot,
    cacheControl: false,
    index: false,
    preCompressed: true,
    allowedPath: (path) => !DOCUMENT.test(path),
    setHeaders: fileHeaders,
  })
  http.route({ method: ['GET', 'HEAD'], url: '/widget/frame', handler: frameSender(webRoot) })
  for (const url of CONSOLE) http.route({ method: ['GET', 'HEAD'], url, handler: consoleSender(webRoot) })
}

/** The chat in a frame. The policy of every page lets the shop's own pages frame it, and no other. */
function frameSender(webRoot: string): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  return async (_request, reply) => {
    const document = await readFile(join(webRoot, 'widget-frame.html'))
    return reply
      .header('cache-control', 'no-cache')
      .header('x-robots-tag', 'noindex')
      .type('text/html; charset=utf-8')
      .send(document)
  }
}

function consoleSender(webRoot: string): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
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
  reply.header('cache-control', HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (!FOR_EVERYONE.test(path)) return
  reply.header('cross-origin-resource-policy', 'cross-origin').header('access-control-allow-origin', '*')
  // Browsers reject it beside `*`.
  reply.removeHeader('access-control-allow-credentials')
}
