// Writes the next edition beside the current one. It takes effect when the pointer is moved to it, which happens only while no later
// edition was begun: of two importers at most one publishes.
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { partsOf } from '@mangaassist/bookseller/catalogue/offer'
import { combined, digestOf, NO_DIGEST, offerDigest } from '#domain/catalogue/digests.ts'
import { eachOfPages } from '#lib/collections/each-of-pages.ts'
import type { NextEdition, ProductOutline } from '#ports/product-store/port.ts'
import { firstOffer } from './offer-item.ts'
import { packedFacts } from './packed-facts.ts'
import { begunPart, editionName, endedParts, removePart, writeFaq } from './parts.ts'
import { writePaced } from './paced.ts'
import { editionOf, movePointer, readPointer } from './pointer.ts'
import type { CurrentEdition, FaqPlace, ProductTable } from './pointer.ts'
import { snapshotOf } from './snapshot.ts'
import { factsKey } from './table.ts'

const PAGE_OUTLINES = 500

export async function beginEdition(parts: ProductTable): Promise<NextEdition> {
  const key = editionName(parts)
  await movePointer(parts, (pointer) =>
    pointer.next === key
      ? { kind: 'done', result: undefined }
      : {
          kind: 'move',
          to: { ...pointer, next: key },
          alongside: [{ Put: begunPart(parts, key) }, ...endedParts(parts, [pointer.next])],
          result: undefined,
        },
  )
  const ids = new Set<string>()
  let isPublished = false
  let digests = { productsDigest: NO_DIGEST, offersDigest: NO_DIGEST }
  return {
    async add(products) {
      const repeated = products.find(({ id }, at) => ids.has(id) || products.findIndex((one) => one.id === id) < at)
      if (repeated !== undefined) throw new Error(`${repeated.id} is already in the next edition`)
      const written = products.map((product) => itemsOf(key, product))
      await writePaced(parts, written.map(({ offer }) => ({ ...offer }))) // prettier-ignore
      await writePaced(parts, written.map(({ facts }) => facts)) // prettier-ignore
      for (const { id } of products) ids.add(id)
      digests = written.reduce(
        (whole, { ofFacts, ofOffer }) => ({
          productsDigest: combined(whole.productsDigest, ofFacts),
          offersDigest: combined(whole.offersDigest, ofOffer),
        }),
        digests,
      )
    },
    async removals() {
      const { current } = await readPointer(parts)
      if (current === undefined) return 0
      const before = snapshotOf(parts, current)
      const outlines = eachOfPages(PAGE_OUTLINES, (limit, after: ProductOutline | undefined) =>
        before.outlines(after?.id ?? '', limit),
      )
      let removed = 0
      for await (const { id } of outlines) if (!ids.has(id)) removed += 1
      return removed
    },
    async publish({ faq, source }) {
      const place = faq === undefined ? undefined : await writeFaq(parts, faq)
      const edition = await publishEdition(parts, { key, source, count: ids.size, ...digests }, place)
      isPublished = true
      return edition
    },
    async discard() {
      const isGone = await movePointer(parts, ({ next, ...pointer }) =>
        next === key
          ? { kind: 'move', to: pointer, result: true }
          : { kind: 'done', result: next === undefined && pointer.current?.key !== key },
      )
      // What a later import has discarded is removed with the other remains.
      if (isGone && !isPublished) await removePart(parts, key)
    },
  }
}

function itemsOf(key: string, product: Product) {
  const { facts, offer } = partsOf(product)
  const ofFacts = digestOf(facts)
  return {
    ofFacts,
    ofOffer: offerDigest(product.id, offer),
    offer: firstOffer(key, product.id, { facts: ofFacts, offer }),
    facts: { ...factsKey(key, product.id), facts: packedFacts(facts) },
  }
}

function publishEdition(
  parts: ProductTable,
  written: Pick<CurrentEdition, 'key' | 'source' | 'count' | 'productsDigest' | 'offersDigest'>,
  imported: FaqPlace | undefined,
) {
  return movePointer(parts, ({ current: before, next }) => {
    if (before?.key === written.key) return { kind: 'done', result: editionOf(before) }
    if (next !== written.key) throw new Error('another edition was begun after this one')
    const current: CurrentEdition = {
      ...written,
      version: (before?.version ?? 0) + 1,
      offers: 0,
      offersBegun: 0,
      abandoned: [],
      faq: imported ?? before?.faq,
    }
    const ended = endedParts(parts, [before?.key, imported === undefined ? undefined : before?.faq?.key])
    return { kind: 'move', to: { current }, alongside: ended, result: editionOf(current) }
  })
}
