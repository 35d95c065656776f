// The catalogue in SQLite, by editions. The next edition is written in small commits beside the current one, so that a server answers meanwhile; one row says which edition is current. Rows of other editions, also those of
// an import that was killed, are removed in small commits.
import type { FaqEntry, Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { changedOffer, partsOf } from '@mangaassist/bookseller/catalogue/offer'
import type { ProductOffer, OfferChange, ProductFacts } from '@mangaassist/bookseller/catalogue/offer'
import { BoundedMap } from '#lib/collections/bounded-map.ts'
import { combined, digestOf, editionDigests, NO_DIGEST, offerDigest } from '#domain/catalogue/digests.ts'
import type { PartDigests } from '#domain/catalogue/digests.ts'
import type { Edition, NextEdition, ProductStore, Published } from '#ports/product-store/port.ts'
import type { Database } from '../files/database.ts'

/** Products in one commit: some ten milliseconds, for which an answer may have to wait. */
const BATCH_PRODUCTS = 20

/** Parsed products that are cached: some five megabytes, and all of a small catalogue. */
const CACHED_MAX = 600

const SELECT = `
  FROM edition_products JOIN edition_offers USING (version, id)
  WHERE version = (SELECT version FROM current_edition) AND id > ? ORDER BY id LIMIT ?`
const PAGE = `SELECT facts, offer ${SELECT}`
const OUTLINES = `SELECT id, edition_products.digest AS digest, offer ${SELECT}`
const OFFER_NOW = `
  SELECT version, offer FROM edition_offers WHERE version = (SELECT version FROM current_edition) AND id = ?`
const FACTS = 'SELECT facts FROM edition_products WHERE version = ? AND id = ?'
const COUNT = 'SELECT count(*) AS products FROM edition_offers WHERE version = (SELECT version FROM current_edition)'
const PUT_PRODUCT = 'INSERT INTO edition_products (version, id, facts, digest) VALUES (?, ?, ?, ?)'
const PUT_OFFER = 'INSERT INTO edition_offers (version, id, offer, digest) VALUES (?, ?, ?, ?)'
const CHANGE_OFFER = 'UPDATE edition_offers SET offer = ?, digest = ? WHERE version = ? AND id = ?'
const OFFER = 'SELECT offer, digest FROM edition_offers WHERE version = ? AND id = ?'
const REMOVALS = `
  SELECT count(*) AS removals FROM edition_offers AS before
  WHERE version = (SELECT version FROM current_edition)
    AND NOT EXISTS (SELECT 1 FROM edition_offers WHERE version = ? AND id = before.id)`
const OLDER = 'SELECT version, id FROM edition_products WHERE version < ? LIMIT ?'
const NEWER = 'SELECT version, id FROM edition_products WHERE version > ? LIMIT ?'
const NEWEST = 'SELECT max(version) AS version FROM edition_products'

interface Row {
  readonly facts: string
  readonly offer: string
}

interface OutlineRow {
  readonly id: string
  readonly digest: string
  readonly offer: string
}

interface Current extends PartDigests {
  readonly version: number
  readonly offers: number
  readonly source: string
}

export function sqliteProductStore({ database }: { readonly database: Database }): ProductStore {
  let purging = Promise.resolve()
  /** The edition that is being written. */
  let unfinished: symbol | undefined
  const factsOf = cachedFacts(database)

  function current(): Current | undefined {
    const row = database.statement('SELECT * FROM current_edition').get()
    if (row === undefined) return undefined
    return {
      version: Number(row['version']),
      offers: Number(row['offers']),
      source: String(row['source']),
      productsDigest: String(row['products_digest']),
      offersDigest: String(row['offers_digest']),
      faqDigest: String(row['faq_digest']),
    }
  }

  function faq(): readonly FaqEntry[] | undefined {
    const row = database.statement('SELECT entries FROM imported_faq').get()
    return row === undefined ? undefined : (JSON.parse(String(row['entries'])) as readonly FaqEntry[])
  }

  /** Inside a write. */
  function makeCurrent(edition: Omit<Current, 'faqDigest'>, imported: Published['faq']): Edition {
    if (imported !== undefined) {
      database.statement('INSERT OR REPLACE INTO imported_faq VALUES (1, ?)').run(JSON.stringify(imported))
    }
    const { offers, offersDigest, productsDigest, source, version } = edition
    const faqDigest = digestOf(faq() ?? null)
    const put = 'INSERT OR REPLACE INTO current_edition VALUES (1, ?, ?, ?, ?, ?, ?)'
    database.statement(put).run(version, offers, source, productsDigest, offersDigest, faqDigest)
    return editionOf({ ...edition, faqDigest })
  }

  /** Removes what is not of the current edition; a failure leaves rows for the next time. */
  function purge(): Promise<void> {
    purging = purging
      .then(async () => {
        while (await database.write(() => purgeBatch(database, current()?.version ?? 0)));
      })
      .catch(() => {})
    return purging
  }

  async function begin(): Promise<NextEdition> {
    const own = Symbol('edition')
    unfinished = own
    await purge()
    const version = 1 + Math.max(current()?.version ?? 0, Number(database.statement(NEWEST).get()?.['version'] ?? 0))
    let digests = { products: NO_DIGEST, offers: NO_DIGEST }
    return {
      async add(products) {
        for (let from = 0; from < products.length; from += BATCH_PRODUCTS) {
          // A later edition may have the same version.
          if (unfinished !== own) throw new Error('another edition was begun after this one')
          const batch = products.slice(from, from + BATCH_PRODUCTS)
          digests = await database.write(() => addBatch(database, { version, digests }, batch))
        }
      },
      async removals() {
        return Number(database.statement(REMOVALS).get(version)?.['removals'])
      },
      async publish({ faq: imported, source }) {
        const next = { version, offers: 0, source, productsDigest: digests.products, offersDigest: digests.offers }
        if (unfinished !== own) throw new Error('another edition was begun after this one')
        const edition = await database.write(() => makeCurrent(next, imported))
        unfinished = undefined
        void purge()
        return edition
      },
      async discard() {
        if (unfinished !== own) return
        unfinished = undefined
        await purge()
      },
    }
  }

  return {
    async byIds(ids) {
      return ids.flatMap((id) => {
        const row = database.statement(OFFER_NOW).get(id)
        if (row === undefined) return []
        const offer = JSON.parse(String(row['offer'])) as ProductOffer
        return [{ ...factsOf(Number(row['version']), id), ...offer }]
      })
    },
    async page(afterId, limit) {
      const rows = database.statement(PAGE).all(afterId, limit) as unknown as readonly Row[]
      return rows.map(toProduct)
    },
    async outlines(afterId, limit) {
      const rows = database.statement(OUTLINES).all(afterId, limit) as unknown as readonly OutlineRow[]
      return rows.map(({ digest, id, offer }) => ({
        id,
        facts: digest,
        offer: JSON.parse(offer) as ProductOffer,
      }))
    },
    async count() {
      return Number(database.statement(COUNT).get()?.['products'])
    },
    async replaceAll(products, source) {
      const next = await begin()
      await next.add(products)
      await next.publish({ source })
    },
    async edition() {
      const known = current()
      return known === undefined ? undefined : editionOf(known)
    },
    async faq() {
      return faq()
    },
    begin,
    async changeOffers(changes, { faq: imported, source }) {
      return database.write(() => {
        const before = current()
        if (before === undefined) throw new Error('there is no catalogue yet')
        let { offersDigest } = before
        for (const change of changes)
          offersDigest = changeOffer(database, before.version, { change, digest: offersDigest })
        return makeCurrent({ ...before, offers: before.offers + 1, source, offersDigest }, imported)
      })
    },
  }
}

function editionOf({ offers, source, version, ...digests }: Current): Edition {
  return { version, offers, source, ...editionDigests(digests) }
}

function toProduct({ facts, offer }: Row): Product {
  return { ...(JSON.parse(facts) as ProductFacts), ...(JSON.parse(offer) as ProductOffer) }
}

/** The facts of a product never change within an edition; a search reads a hundred products, and often the same ones. */
function cachedFacts(database: Database): (version: number, id: string) => ProductFacts {
  const cached = new BoundedMap<string, ProductFacts>(CACHED_MAX)
  let of = 0
  return (version, id) => {
    if (of !== version) cached.clear()
    of = version
    const known = cached.get(id)
    if (known !== undefined) return known
    const row = database.statement(FACTS).get(version, id)
    const facts = deepFreeze(JSON.parse(String(row?.['facts'])) as ProductFacts)
    cached.set(id, facts)
    return facts
  }
}

/** The callers share the parts of a cached product. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}

interface Digests {
  readonly products: string
  readonly offers: string
}

function addBatch(
  database: Database,
  { digests, version }: { readonly digests: Digests; readonly version: number },
  batch: readonly Product[],
): Digests {
  let { offers, products } = digests
  for (const product of batch) {
    const { facts, offer } = partsOf(product)
    const [ofFacts, ofOffer] = [digestOf(facts), offerDigest(product.id, offer)]
    database.statement(PUT_PRODUCT).run(version, product.id, JSON.stringify(facts), ofFacts)
    database.statement(PUT_OFFER).run(version, product.id, JSON.stringify(offer), ofOffer)
    products = combined(products, ofFacts)
    offers = combined(offers, ofOffer)
  }
  return { products, offers }
}

/** Returns the digest of all offers after the change. */
function changeOffer(
  database: Database,
  version: number,
  { change, digest }: { readonly change: OfferChange; readonly digest: string },
): string {
  const row = database.statement(OFFER).get(version, change.id)
  if (row === undefined) return digest
  const offer = changedOffer(JSON.parse(String(row['offer'])) as ProductOffer, change)
  const next = offerDigest(change.id, offer)
  database.statement(CHANGE_OFFER).run(JSON.stringify(offer), next, version, change.id)
  return combined(combined(digest, String(row['digest'])), next)
}

function purgeBatch(database: Database, version: number): boolean {
  // Two queries by the primary key: one for both sides would read all rows of the current edition.
  const older = database.statement(OLDER).all(version, BATCH_PRODUCTS)
  const stale = older.length > 0 ? older : database.statement(NEWER).all(version, BATCH_PRODUCTS)
  for (const row of stale) {
    const [of, id] = [Number(row['version']), String(row['id'])]
    database.statement('DELETE FROM edition_products WHERE version = ? AND id = ?').run(of, id)
    database.statement('DELETE FROM edition_offers WHERE version = ? AND id = ?').run(of, id)
  }
  return stale.length > 0
}
