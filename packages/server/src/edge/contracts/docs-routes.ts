// The contracts: as documents for programs, and as one page for people that reads the documents; and a page to try the settings of
// the chat. What is in `docs` is sent as it is; the pages need nothing from elsewhere and no build. All of it is fixed when the server
// starts: a reader who has it gets 304, and no document is written again for each request.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Routes } from '../http/route-parts.ts'
import { hrefIn, LANGUAGES } from '../storefront/addresses.ts'
import { PLAYGROUND_PATH, playgroundPage } from './playground-page.ts'
import type { JsonObject } from './schema-book.ts'

const FILES = [
  { url: '/docs', name: 'docs.html', type: 'text/html' },
  { url: '/docs/docs.css', name: 'docs.css', type: 'text/css' },
  { url: '/docs/docs.js', name: 'docs.js', type: 'text/javascript' },
  { url: '/docs/render.js', name: 'render.js', type: 'text/javascript' },
  { url: '/docs/playground.css', name: 'playground.css', type: 'text/css' },
  { url: '/docs/playground.js', name: 'playground.js', type: 'text/javascript' },
] as const

export async function docsRoutes(
  http: Routes,
  { asyncApi, openApi }: { readonly openApi: JsonObject; readonly asyncApi: JsonObject },
): Promise<void> {
  const json = (document: JsonObject) => ({ type: 'application/json', content: JSON.stringify(document) })
  fixedRoute(http, '/openapi.json', json(openApi))
  fixedRoute(http, '/asyncapi.json', json(asyncApi))
  for (const { name, type, url } of FILES)
    fixedRoute(http, url, { type, content: await readFile(join(import.meta.dirname, 'docs', name)) })
  for (const language of LANGUAGES)
    fixedRoute(http, hrefIn(language, PLAYGROUND_PATH), { type: 'text/html', content: playgroundPage(language) })
  http.get('/docs/', (_request, reply) => reply.redirect('/docs', 308))
}

function fixedRoute(
  http: Routes,
  url: string,
  { content, type }: { readonly type: string; readonly content: string | Buffer },
): void {
  const bytes = Buffer.from(content)
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  http.get(url, (request, reply) => {
    reply.header('cache-control', 'no-cache').header('etag', etag)
    // A proxy that compresses makes the tag a weak one.
    const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
    return known?.includes(etag) === true ? reply.code(304).send() : reply.type(`${type}; charset=utf-8`).send(bytes)
  })
}
