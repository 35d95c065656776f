// Copies an edition of the shared catalogue into a node's own store, beside the one that the node answers from. What the node has
// already is not read again. Nothing takes effect unless all of it was read.
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { combined, digestOf, editionDigests, NO_DIGEST, offerDigest } from '#domain/catalogue/digests.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { eachOfPages } from '#lib/collections/each-of-pages.ts'
import type { Edition, ProductOutline, ProductStore, Published } from '#ports/product-store/port.ts'
import type { Snapshot } from '#ports/product-store/shared.ts'

const PAGE = 500
const COPIED_AT_ONCE = 100

export async function copyEdition(from: Snapshot, to: ProductStore): Promise<Edition> {
  const outlines = await allOutlines(from)
  const faq = await from.faq()
  const published = { source: from.edition.source, ...(faq === undefined ? {} : { faq }) }
  if (digestOfAll(outlines, faq) !== from.edition.digest)
    throw new StoreUnavailable('the shared catalogue was not read completely', { mayHaveHappened: false })
  const known = new Map((await allOutlines(to)).map((outline) => [outline.id, outline]))
  if ((await to.edition()) !== undefined && isSameFacts(outlines, known)) {
    const changed = outlines.filter(({ id, offer }) => offerDigest(id, offer) !== offerDigest(id, known.get(id)!.offer))
    const edition = await to.changeOffers(
      changed.map(({ id, offer }) => ({ id, ...offer })),
      published,
    )
    // A change cannot remove a date or the price of a single volume; a whole copy can.
    if (edition.digest === from.edition.digest) return edition
  }
  return copyWhole(from, to, { outlines, known, published })
}

interface Copied {
  readonly outlines: readonly ProductOutline[]
  readonly known: ReadonlyMap<string, ProductOutline>
  readonly published: Published
}

async function copyWhole(from: Snapshot, to: ProductStore, { known, outlines, published }: Copied): Promise<Edition> {
  const next = await to.begin()
  try {
    for (let start = 0; start < outlines.length; start += COPIED_AT_ONCE) {
      const some = outlines.slice(start, start + COPIED_AT_ONCE)
      const isKnown = ({ facts, id }: ProductOutline) => known.get(id)?.facts === facts
      const [own, others] = await Promise.all([
        to.byIds(some.filter(isKnown).map(({ id }) => id)),
        from.byIds(some.filter((outline) => !isKnown(outline)).map(({ id }) => id)),
      ])
      const offers = new Map(some.map(({ id, offer }) => [id, offer]))
      await next.add([...own.map((product) => withOffer(product, offers.get(product.id)!)), ...others])
    }
    return await next.publish(published)
  } catch (error) {
    await next.discard()
    throw error
  }
}

/** The product at another offer. */
export function withOffer(product: Product, offer: ProductOutline['offer']): Product {
  const { releases: _, volumeOffers: _offers, ...rest } = product
  return { ...rest, ...offer }
}

async function allOutlines(store: Pick<ProductStore, 'outlines'>): Promise<readonly ProductOutline[]> {
  const all: ProductOutline[] = []
  const pages = eachOfPages(PAGE, (limit, after: ProductOutline | undefined) => store.outlines(after?.id ?? '', limit))
  for await (const outline of pages) all.push(outline)
  return all
}

function isSameFacts(outlines: readonly ProductOutline[], known: ReadonlyMap<string, ProductOutline>): boolean {
  return outlines.length === known.size && outlines.every(({ facts, id }) => known.get(id)?.facts === facts)
}

function digestOfAll(outlines: readonly ProductOutline[], faq: Published['faq']): string {
  const whole = (digests: readonly string[]) => digests.reduce(combined, NO_DIGEST)
  return editionDigests({
    productsDigest: whole(outlines.map(({ facts }) => facts)),
    offersDigest: whole(outlines.map(({ id, offer }) => offerDigest(id, offer))),
    faqDigest: digestOf(faq ?? null),
  }).digest
}
