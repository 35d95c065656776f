// The contracts: as documents for programs, and as one page for people that reads the documents; and a page to try the settings of
// the chat. What is in `docs` is sent as it is; the pages need nothing from elsewhere and no build.
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
  http.get('/openapi.json', () => openApi)
  http.get('/asyncapi.json', () => asyncApi)
  for (const { name, type, url } of FILES) {
    const content = await readFile(join(import.meta.dirname, 'docs', name))
    http.get(url, (_request, reply) =>
      reply.header('cache-control', 'no-cache').type(`${type}; charset=utf-8`).send(content),
    )
  }
  for (const language of LANGUAGES) {
    const content = playgroundPage(language)
    http.get(hrefIn(language, PLAYGROUND_PATH), (_request, reply) =>
      reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(content),
    )
  }
  http.get('/docs/', (_request, reply) => reply.redirect('/docs', 308))
}
