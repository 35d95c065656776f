// The storefront's routes. `PAGES` is the table of pages: each has an address in both languages and makes a `StorePage` of its data.
// A document creates a guest, so that its first concurrent calls come from one guest; a picture, which caches may share, never does.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#domain/refusal.ts'
import { NEVER_STORED } from '../identity/guest-cookie.ts'
import type { Identity } from '../identity/auth.ts'
import { identifyRequest } from '../identity/identify-request.ts'
import { addressed } from '../http/origin.ts'
import { goneSignal } from '../http/route-parts.ts'
import type { HttpParts, Routes } from '../http/route-parts.ts'
import { filtersOf, hrefIn, LANGUAGES, shelfPath, shelfQueryOf } from './addresses.ts'
import { decideLanguage, LANGUAGE_COOKIE } from './language-choice.ts'
import { commerceForms, commercePages } from './commerce/commerce-pages.ts'
import { readerOf } from './commerce/reader.ts'
import { formRoutes } from '../http/forms.ts'
import { homePage, PER_PAGE } from './pages/home.ts'
import { missingPage, shopUnavailablePage } from './pages/notes.ts'
import { seriesPage } from './pages/series.ts'
import { supportPage } from './pages/support.ts'
import { pictureRoutes } from './picture-routes.ts'
import { documentOf } from './rendering/document.ts'
import { sendText } from './rendering/send-text.ts'
import { contextOf, languageOfPath } from './store-context.ts'
import type { StoreContext, StorePage } from './store-page.ts'
import { robots, sitemap } from './sitemap.ts'

export type StorefrontParts = Pick<HttpParts, 'app' | 'config' | 'findNetwork' | 'identify' | 'random' | 'webRoot'>

interface PageRequest {
  readonly app: HttpParts['app']
  readonly context: StoreContext
  readonly params: Readonly<Record<string, string>>
  readonly search: URLSearchParams
  readonly signal: AbortSignal
}

/** Undefined: there is no such page. */
type MakePage = (request: PageRequest) => Promise<StorePage | undefined>

/** The Japanese path of each page; the English one has `/en` before it. */
const PAGES: Readonly<Record<string, MakePage>> = {
  '/': makeHome,
  '/series/:id': makeSeries,
  '/support': async ({ app, context, search }) =>
    supportPage(app.faq(context.language), (search.get('q') ?? '').trim().slice(0, QUERY_LENGTH_MAX), context),
}

const QUERY_LENGTH_MAX = 200
const PRIVATE = 'private, no-cache'
const FOR_MINUTES = 'public, max-age=600'

export interface PageExchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** The reader's, where it was asked for already. */
  readonly identity?: Identity
}

export type SendPage = (exchange: PageExchange, page: StorePage) => Promise<FastifyReply>

/** Sends the document of a page, and creates a guest when the reader has no identity yet. */
export function pageSender(parts: StorefrontParts): SendPage {
  const identityOf = async (request: FastifyRequest, reply: FastifyReply) =>
    wantsPage(request) && request.headers.authorization === undefined
      ? identifyRequest(parts, { request, reply })
      : undefined
  return async ({ identity: known, reply, request }, page) => {
    const identity = known ?? (await identityOf(request, reply))
    const reader = identity === undefined ? {} : { reader: await readerOf(parts, identity) }
    // Read each time, because the pages may have been rebuilt.
    const template = await readFile(join(parts.webRoot, 'index.html'), 'utf8')
    const context = { ...contextOf(request, languageOfPath(request.url), parts.config), ...reader }
    // A cookie differs by reader: no cache may keep it.
    const isShared = reply.getHeader('set-cookie') === undefined
    reply.header('cache-control', isShared ? PRIVATE : NEVER_STORED)
    reply.code(page.status ?? 200).type('text/html; charset=utf-8')
    return sendText(request, reply, documentOf(template, page, context))
  }
}

/** Sends the "not found" page. */
export function missingSender(parts: StorefrontParts): (exchange: PageExchange) => Promise<FastifyReply> {
  const send = pageSender(parts)
  return (exchange) =>
    send(exchange, missingPage(contextOf(exchange.request, languageOfPath(exchange.request.url), parts.config)))
}

export async function storefrontRoutes(http: Routes, parts: StorefrontParts): Promise<void> {
  if (!existsSync(parts.webRoot)) return
  const { app, config } = parts
  const send = pageSender(parts)
  const sendMissing = missingSender(parts)
  for (const [path, make] of Object.entries(PAGES))
    for (const language of LANGUAGES)
      for (const url of spellings(hrefIn(language, path)))
        http.route({
          method: ['GET', 'HEAD'],
          url,
          handler: async (request, reply) => {
            if (chooseLanguage(parts, request, reply)) return reply
            const context = contextOf(request, language, config)
            const { searchParams: search } = new URL(request.url, context.origin)
            const params = request.params as Record<string, string>
            const page = await made(make, { app, context, params, search, signal: goneSignal(reply.raw) })
            return page === undefined ? sendMissing({ request, reply }) : send({ request, reply }, page)
          },
        })
  commercePages(http, parts, { send, sendMissing })
  await formRoutes(http, (forms) => commerceForms(forms, parts))
  pictureRoutes(http, parts)
  crawlerRoutes(http, parts)
}

/** A reader gets a page also when the search or the catalogue is unavailable. */
async function made(make: MakePage, request: PageRequest): Promise<StorePage | undefined> {
  try {
    return await make(request)
  } catch (error) {
    if (error instanceof Refusal) return error.code === 'NOT_FOUND' ? undefined : shopUnavailablePage(request.context)
    throw error
  }
}

/** With and without a slash at the end. */
function spellings(path: string): readonly string[] {
  return path === '/' ? ['/'] : [path.replace(/\/$/, ''), `${path.replace(/\/$/, '')}/`]
}

/** Whether the reader was sent to the other language. */
function chooseLanguage({ config }: StorefrontParts, request: FastifyRequest, reply: FastifyReply): boolean {
  const { host, secure } = addressed(request.raw, config.server)
  const { cookie, redirect } = decideLanguage({
    language: languageOfPath(request.url),
    isHome: request.url === '/',
    headers: request.headers,
    chosen: request.cookies[LANGUAGE_COOKIE],
    host,
    secure,
  })
  if (cookie !== undefined) reply.header('set-cookie', cookie)
  if (redirect) void reply.header('cache-control', NEVER_STORED).redirect('/en/', 302)
  return redirect
}

async function makeHome({ app, context, search, signal }: PageRequest): Promise<StorePage | undefined> {
  const { language } = context
  const query = shelfQueryOf(search)
  const isFront = shelfPath(query) === '/'
  const sort = query.sort !== '' ? { sort: query.sort } : query.q === '' ? { sort: 'title' as const } : {}
  const [shelf, front] = await Promise.all([
    app.products(
      {
        text: query.q,
        language,
        limit: PER_PAGE,
        after: '',
        skip: (query.page - 1) * PER_PAGE,
        filters: filtersOf(query),
        ...sort,
      },
      signal,
    ),
    isFront ? app.front(language) : undefined,
  ])
  if (query.page > 1 && shelf.items.length === 0) return undefined
  return homePage({ query, shelf, front, today: app.shopDay() }, context)
}

async function makeSeries({ app, context, params, signal }: PageRequest): Promise<StorePage | undefined> {
  const series = await app.product(params['id'] ?? '', context.language, signal)
  return seriesPage(series, app.shopDay(), context)
}

function crawlerRoutes(http: Routes, { app, config }: StorefrontParts): void {
  const originOf = (request: FastifyRequest) => contextOf(request, 'ja', config).origin
  http.route({
    method: ['GET', 'HEAD'],
    url: '/sitemap.xml',
    handler: async (request, reply) => {
      reply.header('cache-control', FOR_MINUTES).type('application/xml; charset=utf-8')
      return sendText(request, reply, sitemap(originOf(request), await app.seriesIds()))
    },
  })
  http.route({
    method: ['GET', 'HEAD'],
    url: '/robots.txt',
    handler: async (request, reply) =>
      reply
        .header('cache-control', FOR_MINUTES)
        .type('text/plain; charset=utf-8')
        .send(robots(originOf(request))),
  })
}

function wantsPage(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/html') === true
}
