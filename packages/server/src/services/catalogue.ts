// Imports of the catalogue while the server runs: rows arrive in batches, are written beside the current edition, and take its
// place in one step at the commit. One import at a time; a new one discards an unfinished one. The commit is a line of the audit.
import type { FaqEntry, Product } from '@mangaassist/bookseller/catalogue/catalogue'
import type { OfferChange } from '@mangaassist/bookseller/catalogue/offer'
import type { CurrentFaq } from '#domain/catalogue/current-faq.ts'
import { isBundled } from '#domain/catalogue/sources.ts'
import { Refusal } from '#domain/refusal.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { AdminStore } from '#ports/admin-store/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Edition, NextEdition, ProductOutline, ProductStore } from '#ports/product-store/port.ts'
import type { Random } from '#ports/random/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { AuditLine, Author } from './admin.ts'

export interface CatalogueQueriesParts {
  readonly products: ProductStore
  readonly faq: CurrentFaq
  readonly admin: AdminStore
  readonly clock: Clock
  readonly random: Random
  readonly telemetry: Telemetry
  /** Called after each commit. */
  readonly published: () => Promise<void>
}

export type ImportRows =
  | { readonly kind: 'catalogue'; readonly rows: readonly Product[] }
  | { readonly kind: 'offers'; readonly rows: readonly OfferChange[] }

export interface CatalogueView {
  readonly edition: string | null
  readonly source: string | null
  readonly products: number
  readonly faq: number
}

export interface CommitOptions {
  readonly faq?: readonly FaqEntry[]
  readonly allowRemovals?: boolean
}

/** An import, and who asks for it. */
export interface ImportOf {
  readonly id: string
  readonly by: string
}

interface Import {
  readonly id: string
  readonly source: string
  readonly author: Author
  rows: number
  readonly into:
    | { readonly kind: 'catalogue'; readonly next: NextEdition }
    | { readonly kind: 'offers'; readonly changes: OfferChange[] }
  /** A batch is being written, or the commit is made. */
  isBusy: boolean
}

/** An import that removes a larger share is more likely an incomplete file. */
const REMOVED_SHARE_MAX = 0.5

export function createCatalogueQueries(parts: CatalogueQueriesParts) {
  const { admin, clock, faq, products, random, telemetry } = parts
  let current: Import | undefined

  /** An import belongs to the operator who began it: its line of the audit names no one else. */
  function importOf({ by, id }: ImportOf): Import {
    if (current?.id !== id || current.author.by !== by)
      throw new Refusal('NOT_FOUND', { details: { field: 'importId' } })
    if (current.isBusy) throw refused('importId', 'the import is busy: send one request after the other')
    return current
  }

  async function exclusively<Value>(run: Import, work: () => Promise<Value>): Promise<Value> {
    run.isBusy = true
    try {
      return await work()
    } finally {
      run.isBusy = false
    }
  }

  async function add({ into }: Import, batch: ImportRows): Promise<void> {
    if (into.kind === 'catalogue' && batch.kind === 'catalogue') return into.next.add(batch.rows)
    if (into.kind === 'offers' && batch.kind === 'offers') {
      const known = new Set((await products.byIds(batch.rows.map(({ id }) => id))).map(({ id }) => id))
      const unknown = batch.rows.find(({ id }) => !known.has(id))
      if (unknown !== undefined) throw refused('rows', `there is no product ${unknown.id}`)
      into.changes.push(...batch.rows)
      return undefined
    }
    throw refused('rows', `the import takes ${into.kind}`)
  }

  async function publish({ into, source }: Import, options: CommitOptions): Promise<Edition> {
    const how = { source, ...(options.faq === undefined ? {} : { faq: options.faq }) }
    if (into.kind === 'offers') return products.changeOffers(into.changes, how)
    const [before, removals] = [await products.count(), await into.next.removals()]
    // The bundled catalogue is an example, which a shop's own replaces.
    const isExample = isBundled((await products.edition())?.source ?? '')
    if (removals > before * REMOVED_SHARE_MAX && options.allowRemovals !== true && !isExample)
      throw refused('allowRemovals', `the import would remove ${removals} of ${before} products`)
    return into.next.publish(how)
  }

  return {
    async catalogue(): Promise<CatalogueView> {
      const edition = await products.edition()
      return {
        edition: edition?.digest ?? null,
        source: edition?.source ?? null,
        products: await products.count(),
        faq: faq.entries().length,
      }
    },

    outlines: (after: string, limit: number): Promise<readonly ProductOutline[]> => products.outlines(after, limit),

    async beginImport(kind: ImportRows['kind'], source: string, author: Author): Promise<{ importId: string }> {
      if (current?.isBusy === true) throw refused('kind', 'another import is being written')
      const into = kind === 'catalogue' ? { kind, next: await products.begin() } : { kind, changes: [] }
      current = { id: random.id('import'), source, author, rows: 0, into, isBusy: false }
      return { importId: current.id }
    },

    /** The kind of import that takes rows under this id. */
    importKind: (of: ImportOf): ImportRows['kind'] => importOf(of).into.kind,

    async addImportRows(of: ImportOf, from: number, batch: ImportRows): Promise<{ rows: number }> {
      const run = importOf(of)
      // The reply to a batch was lost, and the batch was sent again.
      if (from + batch.rows.length === run.rows) return { rows: run.rows }
      if (from !== run.rows) throw refused('from', `${run.rows} rows have arrived`)
      await exclusively(run, () => add(run, batch))
      run.rows += batch.rows.length
      return { rows: run.rows }
    },

    async commitImport(of: ImportOf, options: CommitOptions): Promise<AuditLine> {
      const run = importOf(of)
      const before = await products.edition()
      const edition = await exclusively(run, () => publish(run, options))
      current = undefined
      if (options.faq !== undefined) faq.replace(options.faq)
      const action = run.into.kind === 'catalogue' ? 'catalogue-imported' : 'offers-imported'
      const entry = await admin.note({
        at: clock.now(),
        ...run.author,
        action,
        subject: 'catalogue',
        before: before === undefined ? null : { edition: before.digest, source: before.source },
        after: { edition: edition.digest, source: edition.source, rows: run.rows },
      })
      telemetry.count('admin_changed_total', { action })
      telemetry.log('info', 'admin.changed', { action, subject: 'catalogue', number: entry.number, by: entry.by })
      await parts.published()
      return { ...entry, at: isoTime(entry.at) }
    },

    async discardImport(of: ImportOf): Promise<{ rows: number }> {
      const { into, rows } = importOf(of)
      current = undefined
      if (into.kind === 'catalogue') await into.next.discard()
      return { rows }
    },
  }
}

function refused(field: string, reason: string): Refusal {
  return new Refusal('INVALID_REQUEST', { details: { field, reason } })
}
