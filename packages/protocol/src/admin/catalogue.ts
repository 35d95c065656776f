// The catalogue of a node: its edition, and the import of a new one in batches.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Reason } from './common.ts'

export const CatalogueView = Type.Object({
  edition: Type.Union([Type.String(), Type.Null()], {
    description: 'A digest of products, prices, stock and FAQ: the same on every node that has the same; null for none',
  }),
  source: Type.Union([Type.String(), Type.Null()], { description: 'Where it came from' }),
  products: Type.Integer(),
  faq: Type.Integer({ description: 'Entries of the FAQ' }),
})
export type CatalogueView = Static<typeof CatalogueView>

export const OutlineQuery = Type.Object({
  after: Type.Optional(Type.String({ maxLength: 128, description: 'The `metadata.next` of the previous page' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 1000 })),
})
export type OutlineQuery = Static<typeof OutlineQuery>

export const OutlineView = Type.Object({
  id: Type.String(),
  facts: Type.String({ description: 'A digest of the product without price, stock and dates' }),
  offer: Type.Unknown({ description: 'Price, stock, offers of single volumes and release dates' }),
})
export type OutlineView = Static<typeof OutlineView>

export const ImportKind = Type.Enum(['catalogue', 'offers'])
export type ImportKind = Static<typeof ImportKind>

export const ImportRequest = Type.Object({
  kind: Type.Unsafe<ImportKind>({
    ...ImportKind,
    description: '`catalogue` replaces all products; `offers` changes prices, stock, dates and the FAQ',
  }),
  source: Type.String({ minLength: 1, maxLength: 256, description: 'Where the rows come from, such as a file name' }),
  reason: Reason,
})
export type ImportRequest = Static<typeof ImportRequest>

export const ImportView = Type.Object({ importId: Type.String() })
export type ImportView = Static<typeof ImportView>

export const ImportParams = Type.Object({ importId: Type.String({ minLength: 1, maxLength: 128 }) })

export const ImportRows = Type.Object({
  from: Type.Integer({
    minimum: 0,
    description: 'How many rows were sent before; a batch that is sent again counts once',
  }),
  rows: Type.Array(Type.Unknown(), {
    minItems: 1,
    maxItems: 1000,
    description: 'Products, or changes of offers; docs/catalogue.md describes their fields',
  }),
})
export type ImportRows = Static<typeof ImportRows>

export const ImportProgress = Type.Object({ rows: Type.Integer() })
export type ImportProgress = Static<typeof ImportProgress>

export const ImportCommit = Type.Object({
  faq: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 5000, description: 'Replaces the FAQ' })),
  allowRemovals: Type.Optional(
    Type.Boolean({ description: 'Needed when the import removes more than half of the products' }),
  ),
})
export type ImportCommit = Static<typeof ImportCommit>
