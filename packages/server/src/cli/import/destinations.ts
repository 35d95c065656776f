// Where an import goes: to each server that is named, or to the one of this configuration; only when none runs, to the stores in DATA_DIR.
import { AdminError } from '@mangaassist/client/admin'
import type { AdminClient } from '@mangaassist/client/admin'
import type { FaqEntry, Product } from '@mangaassist/bookseller/catalogue/catalogue'
import type { ProductOffer, OfferChange } from '@mangaassist/bookseller/catalogue/offer'
import { systemClock } from '#adapters/system/clock.ts'
import { openStoredCatalogue } from '#adapters/sqlite/product-store/stored-products.ts'
import { loadConfig } from '#config/load-config.ts'
import { eachOfPages } from '#lib/collections/each-of-pages.ts'
import { oneLine } from '#lib/text/readable.ts'
import type { ProductOutline } from '#ports/product-store/port.ts'
import { openApp } from '#wiring/profiles/open-app.ts'
import type { Admin } from '#wiring/profiles/open-app.ts'
import { adminApi } from '../server/admin-api.ts'
import { isAlive, usualUrl } from '../server/find-server.ts'
import type { Terminal } from '../command.ts'

export type ImportedRows =
  | { readonly kind: 'catalogue'; readonly rows: readonly Product[] }
  | { readonly kind: 'offers'; readonly rows: readonly OfferChange[] }

export interface Destination {
  readonly name: string
  /** Where its catalogue came from; undefined when it has none. */
  source(): Promise<string | undefined>
  outlines(): AsyncIterable<ProductOutline>
  begin(kind: ImportedRows['kind'], source: string, reason: string): Promise<string>
  add(importId: string, from: number, batch: ImportedRows): Promise<void>
  /** Returns the new edition. */
  commit(importId: string, how: { faq?: readonly FaqEntry[]; allowRemovals: boolean }): Promise<string>
  discard(importId: string): Promise<void>
}

export interface Destinations extends AsyncDisposable {
  readonly all: readonly Destination[]
}

const BY = 'command line'
const PAGE_OUTLINES = 1000
const TRIES_MAX = 4
const RETRY_MS = 1000

export async function openDestinations(
  terminal: Terminal,
  { isDryRun, servers }: { readonly servers: readonly string[]; readonly isDryRun: boolean },
): Promise<Destinations> {
  const { env, workspaceRoot } = terminal
  const { server } = await loadConfig({ env, workspaceRoot, clock: systemClock() })
  const usual = usualUrl(server)
  const isServed = servers.length > 0 || (await isAlive(usual))
  const urls = servers.length > 0 ? servers : isServed ? [usual] : []
  if (urls.length > 0)
    return { all: urls.map((url) => overApi(url, adminApi(url, env))), [Symbol.asyncDispose]: async () => {} }
  if (isDryRun) return stored(server.dataDir)
  const opened = await openApp({ env, workspaceRoot })
  return {
    all: [onStores(server.dataDir, opened.app.admin)],
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

function overApi(name: string, api: AdminClient): Destination {
  return {
    name,
    source: async () => (await api.catalogue()).source ?? undefined,
    outlines: () =>
      eachOfPages(PAGE_OUTLINES, async (limit, after: ProductOutline | undefined) => {
        const query = { limit, ...(after === undefined ? {} : { after: after.id }) }
        const { data } = await patiently(() => api.catalogueOutlines(query))
        return data.map(({ facts, id, offer }) => ({ id, facts, offer: offer as ProductOffer }))
      }),
    begin: async (kind, source, reason) => (await api.beginImport({ kind, source, reason })).importId,
    async add(importId, from, { rows }) {
      await patiently(() => api.addImportRows(importId, { from, rows: [...rows] }))
    },
    async commit(importId, { allowRemovals, faq }) {
      const line = await api.commitImport(importId, { allowRemovals, ...(faq === undefined ? {} : { faq: [...faq] }) })
      return editionIn(line)
    },
    discard: async (importId) => void (await api.discardImport(importId)),
  }
}

/** A batch may be sent again: the server counts it once. */
async function patiently<Value>(call: () => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call()
    } catch (error) {
      const isPassing = error instanceof AdminError && ['RATE_LIMITED', 'TIMED_OUT', 'UNREACHABLE'].includes(error.code)
      if (!isPassing || tries === TRIES_MAX) throw error
      await systemClock().sleep(error.retryAfterMs ?? RETRY_MS * tries)
    }
  }
}

function onStores(dataDir: string, admin: Admin): Destination {
  return {
    name: dataDir,
    source: async () => (await admin.catalogue()).source ?? undefined,
    outlines: () =>
      eachOfPages(PAGE_OUTLINES, (limit, after: ProductOutline | undefined) => admin.outlines(after?.id ?? '', limit)),
    begin: async (kind, source, reason) =>
      (await admin.beginImport(kind, source, { by: BY, reason: oneLine(reason) })).importId,
    add: async (importId, from, batch) => void (await admin.addImportRows({ id: importId, by: BY }, from, batch)),
    commit: async (importId, how) => editionIn(await admin.commitImport({ id: importId, by: BY }, how)),
    discard: async (importId) => void (await admin.discardImport({ id: importId, by: BY })),
  }
}

const editionIn = ({ after }: { readonly after: unknown }): string => (after as { readonly edition: string }).edition

/** For a dry run where no server runs: nothing is locked or written. */
function stored(dataDir: string): Destinations {
  const opened = openStoredCatalogue(dataDir)
  const readOnly = () => Promise.reject(new Error('a dry run writes nothing'))
  const destination: Destination = {
    name: dataDir,
    source: async () => (await opened?.products.edition())?.source,
    outlines: () =>
      eachOfPages(
        PAGE_OUTLINES,
        async (limit, after: ProductOutline | undefined) =>
          (await opened?.products.outlines(after?.id ?? '', limit)) ?? [],
      ),
    begin: readOnly,
    add: readOnly,
    commit: readOnly,
    discard: readOnly,
  }
  return { all: [destination], [Symbol.asyncDispose]: async () => opened?.[Symbol.dispose]() }
}
