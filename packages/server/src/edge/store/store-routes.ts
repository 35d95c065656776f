// The storefront's data: the catalogue, one series, and the FAQ, in the reader's language.
import {
  FaqItem,
  FaqMetadata,
  Language,
  ProductDetail,
  ProductItem,
  ProductSort,
  ProductsMetadata,
  PublicationStatus,
  successEnvelope,
} from '@mangaassist/protocol'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { preferredLanguage, writtenLanguage } from '../http/accept-language.ts'
import { answers, envelopes } from '../http/envelope.ts'
import { goneSignal } from '../http/route-parts.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'

const ReaderLanguage = Type.Optional(
  Type.Unsafe<Language>({
    ...Language,
    description: 'Language of names and texts; default: that of `Accept-Language`',
  }),
)
const Key = (description: string) => Type.Optional(Type.String({ maxLength: 64, description }))
const Yen = (description: string) => Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000, description }))
const ProductsQuery = Type.Object({
  q: Type.Optional(
    Type.String({ maxLength: 500, description: 'Search words in Japanese or English; without them, all series' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10 })),
  after: Type.Optional(Type.String({ maxLength: 128, description: 'The `metadata.next` of the previous page' })),
  genre: Key('A genre’s key, such as `slice-of-life`'),
  demographic: Key('`shounen`, `shoujo`, `seinen`, `josei` or `kodomo`'),
  status: Type.Optional(PublicationStatus),
  inStock: Type.Optional(Type.Boolean({ description: 'Only series in stock' })),
  priceMax: Yen('The highest price of one volume, in yen'),
  totalMax: Yen('The highest price of all volumes together, in yen'),
  volumesMax: Type.Optional(Type.Integer({ minimum: 1, maximum: 9999, description: 'The most volumes' })),
  age: Type.Optional(Type.Integer({ minimum: 0, maximum: 120, description: 'Suitable for a reader of this age' })),
  sort: Type.Optional(
    Type.Unsafe<ProductSort>({
      ...ProductSort,
      description:
        'Default: the best match first, without `q` the order of ids. `popular`: named most often as similar to other series; `new`: the series that began last; `title`: by reading; `price` and `length`: the lowest first',
    }),
  ),
  language: Type.Optional(
    Type.Unsafe<Language>({
      ...Language,
      description: 'Language of names; default: that of `q`, else of `Accept-Language`',
    }),
  ),
})
const PRODUCTS_DEFAULT = 10

const listProducts = {
  schema: {
    operationId: 'listProducts',
    summary: 'Search or browse the catalogue',
    description:
      'With `q`, the best matches come first; without it, all series in the order of their ids; `sort` chooses another order. All filters apply; a fact that the shop does not know matches none. `metadata.total` counts the matches. If `metadata.next` is present, pass it as `after` for the next page.',
    querystring: ProductsQuery,
    response: { 200: successEnvelope(Type.Array(ProductItem), ProductsMetadata) },
  },
  config: { errors: ['INVALID_REQUEST', 'MAINTENANCE'] },
} satisfies RouteDescription

const getProduct = {
  schema: {
    operationId: 'getProduct',
    summary: 'One series, and similar ones',
    params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 128 }) }),
    querystring: Type.Object({ language: ReaderLanguage }),
    response: answers(ProductDetail),
  },
  config: { errors: ['INVALID_REQUEST', 'NOT_FOUND'] },
} satisfies RouteDescription

const getFaq = {
  schema: {
    operationId: 'getFaq',
    summary: 'The FAQ by topic, and the shop’s contact',
    querystring: Type.Object({ language: ReaderLanguage }),
    response: { 200: successEnvelope(Type.Array(FaqItem), FaqMetadata) },
  },
  config: { errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

export function storeRoutes(api: Routes, { app, clock }: Pick<HttpParts, 'app' | 'clock'>): void {
  const { page, success } = envelopes(clock)

  const searched = { ...listProducts, preValidation: async (request: FastifyRequest) => leaveOutEmpty(request) }
  api.get('/api/products', searched, async (request, reply) => {
    const { after = '', language: _, limit = PRODUCTS_DEFAULT, q = '', sort, ...filters } = request.query
    const order = sort === undefined ? {} : { sort }
    const query = { text: q, language: readerLanguage(request, q), limit, after, filters, ...order }
    const { items, next, total } = await app.products(query, goneSignal(reply.raw))
    const { metadata, ...rest } = page([...items], next)
    return { ...rest, metadata: { ...metadata, total } }
  })

  api.get('/api/products/:id', getProduct, async (request, reply) =>
    success(await app.product(request.params.id, readerLanguage(request), goneSignal(reply.raw))),
  )

  api.get('/api/faq', getFaq, (request) => {
    const { contact, items } = app.faq(readerLanguage(request))
    const { metadata, ...rest } = success([...items])
    return { ...rest, metadata: { ...metadata, contact } }
  })
}

/** Removes empty fields, which a form also sends. */
function leaveOutEmpty(request: FastifyRequest): void {
  const given = Object.entries(request.query as Record<string, unknown>).filter(([, value]) => value !== '')
  request.query = Object.fromEntries(given)
}

function readerLanguage(request: FastifyRequest, text?: string): Language {
  const { language } = request.query as { language?: Language }
  return writtenLanguage({ language, message: text }) ?? preferredLanguage(request.headers['accept-language'])
}
