// The admin API for the catalogue of this node: its edition, and imports in batches. A batch is checked by the schema of its rows;
// the first row that does not fit is named.
import { FaqEntry, Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { OfferChange } from '@mangaassist/bookseller/catalogue/offer'
import {
  AuditLine,
  CatalogueView,
  ImportCommit,
  ImportParams,
  ImportProgress,
  ImportRequest,
  ImportRows,
  ImportView,
  OutlineQuery,
  OutlineView,
} from '@mangaassist/protocol/admin'
import Type from 'typebox'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { answers, answersInPages, envelopes } from '../http/envelope.ts'
import { invalid } from '../http/problem.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'
import { authorOf } from './author.ts'

/** The largest batch of rows, and the largest FAQ: only an operator may send so much. */
const BODY_BYTES_MAX = 4 * 1024 * 1024
const OUTLINES_DEFAULT = 1000
const errors = ['INVALID_REQUEST', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE'] as const

const getCatalogue = {
  schema: {
    operationId: 'adminCatalogue',
    summary: 'The edition of the catalogue on this node',
    description: 'Each node of a cluster has its own catalogue; `/readyz` says when their editions differ.',
    response: answers(CatalogueView),
  },
  config: { admin: true },
} satisfies RouteDescription

const listOutlines = {
  schema: {
    operationId: 'adminCatalogueOutlines',
    summary: 'All products of this node: price, stock, and a digest of the other facts',
    description:
      'An import compares its rows with them. In the order of ids; `metadata.next` is the `after` of the next page.',
    querystring: OutlineQuery,
    response: answersInPages(Type.Array(OutlineView)),
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

const beginImport = {
  schema: {
    operationId: 'adminBeginImport',
    summary: 'Begin an import into this node',
    description:
      'One at a time: an import that was not committed is discarded. The current catalogue is used until the commit.',
    body: ImportRequest,
    response: answers(ImportView),
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

const addRows = {
  schema: {
    operationId: 'adminAddImportRows',
    summary: 'Send the next rows of an import',
    params: ImportParams,
    body: ImportRows,
    response: answers(ImportProgress),
  },
  config: { admin: true, errors },
} satisfies RouteDescription

const commitImport = {
  schema: {
    operationId: 'adminCommitImport',
    summary: 'Let the imported rows take effect, in one step',
    description:
      'Refused with the field `allowRemovals` when more than half of the products would be removed, unless it is true.',
    params: ImportParams,
    body: ImportCommit,
    response: answers(AuditLine),
  },
  config: { admin: true, errors },
} satisfies RouteDescription

const discardImport = {
  schema: {
    operationId: 'adminDiscardImport',
    summary: 'Discard an import that was not committed',
    params: ImportParams,
    response: answers(ImportProgress),
  },
  config: { admin: true, errors: ['NOT_FOUND'] },
} satisfies RouteDescription

export function adminCatalogueRoutes(api: Routes, { app, clock }: Pick<HttpParts, 'app' | 'clock'>): void {
  const { page, success } = envelopes(clock)

  api.get('/api/admin/catalogue', getCatalogue, async () => success(await app.admin.catalogue()))

  api.get('/api/admin/catalogue/products', listOutlines, async ({ query }) => {
    const { after = '', limit = OUTLINES_DEFAULT } = query
    const outlines = await app.admin.outlines(after, limit)
    return page([...outlines], outlines.length === limit ? outlines.at(-1)?.id : undefined)
  })

  api.post('/api/admin/catalogue/imports', beginImport, async ({ admin, body }) =>
    success(await app.admin.beginImport(body.kind, body.source, authorOf(admin, body.reason))),
  )

  const large = { bodyLimit: BODY_BYTES_MAX }
  api.post('/api/admin/catalogue/imports/:importId/rows', { ...addRows, ...large }, async ({ admin, body, params }) => {
    const of = { id: params.importId, by: admin.name }
    const batch = rowsOf(app.admin.importKind(of), body.rows)
    return success(await app.admin.addImportRows(of, body.from, batch))
  })

  api.post(
    '/api/admin/catalogue/imports/:importId/commit',
    { ...commitImport, ...large },
    async ({ admin, body, params }) => {
      const { allowRemovals = false, faq } = body
      const entries = faq === undefined ? {} : { faq: checkedFaq(faq) }
      return success(
        await app.admin.commitImport({ id: params.importId, by: admin.name }, { allowRemovals, ...entries }),
      )
    },
  )

  api.delete('/api/admin/catalogue/imports/:importId', discardImport, async ({ admin, params }) =>
    success(await app.admin.discardImport({ id: params.importId, by: admin.name })),
  )
}

const checkedProducts = checker(Product, 'rows')
const checkedOffers = checker(OfferChange, 'rows')
const checkedFaq = checker(FaqEntry, 'faq')

function rowsOf(kind: 'catalogue' | 'offers', rows: readonly unknown[]) {
  return kind === 'catalogue' ? { kind, rows: checkedProducts(rows) } : { kind, rows: checkedOffers(rows) }
}

function checker<Schema extends TSchema>(schema: Schema, field: string) {
  const validator = Compile(schema)
  return (rows: readonly unknown[]): readonly Static<Schema>[] => {
    const at = rows.findIndex((row) => !validator.Check(row))
    if (at === -1) return rows as readonly Static<Schema>[]
    const [problem] = validator.Errors(rows[at])
    throw invalid(`${field}.${at}${problem?.instancePath.replaceAll('/', '.') ?? ''}`, problem?.message ?? 'is invalid')
  }
}
