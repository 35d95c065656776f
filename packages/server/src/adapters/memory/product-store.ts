// The catalogue in memory: for tests and simulations.
import type { FaqEntry, Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { changedOffer, partsOf } from '@mangaassist/bookseller/catalogue/offer'
import { combined, digestOf, editionDigests, NO_DIGEST, offerDigest } from '#domain/catalogue/digests.ts'
import type { Edition, ProductStore, Published } from '#ports/product-store/port.ts'

export function memoryProductStore(): ProductStore {
  let shelves = new Map<string, Product>()
  let edition: Edition | undefined
  let faq: readonly FaqEntry[] | undefined

  function published(counts: Pick<Edition, 'version' | 'offers'>, { source, faq: imported }: Published): Edition {
    faq = imported ?? faq
    const whole = (digests: readonly string[]) => digests.reduce(combined, NO_DIGEST)
    const parts = [...shelves.values()].map(partsOf)
    const digests = editionDigests({
      productsDigest: whole(parts.map(({ facts }) => digestOf(facts))),
      offersDigest: whole(parts.map(({ facts, offer }) => offerDigest(facts.id, offer))),
      faqDigest: digestOf(faq ?? null),
    })
    edition = { ...counts, source, ...digests }
    return edition
  }

  const nextVersion = () => ({ version: (edition?.version ?? 0) + 1, offers: 0 })
  const inOrder = (products: Iterable<Product>) =>
    new Map([...products].toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((product) => [product.id, product]))
  const page = (afterId: string, limit: number) =>
    [...shelves.values()].filter(({ id }) => id > afterId).slice(0, limit)

  return {
    async byIds(ids) {
      return ids.flatMap((id) => shelves.get(id) ?? [])
    },
    async page(afterId, limit) {
      return page(afterId, limit)
    },
    async outlines(afterId, limit) {
      return page(afterId, limit).map((product) => {
        const { facts, offer } = partsOf(product)
        return { id: product.id, facts: digestOf(facts), offer }
      })
    },
    async count() {
      return shelves.size
    },
    async replaceAll(products, source) {
      shelves = inOrder(products)
      published(nextVersion(), { source })
    },
    async edition() {
      return edition
    },
    async faq() {
      return faq
    },
    async begin() {
      const next = new Map<string, Product>()
      return {
        async add(products) {
          const repeated = products.find(({ id }) => next.has(id))
          if (repeated !== undefined) throw new Error(`${repeated.id} is already in the next edition`)
          for (const product of products) next.set(product.id, product)
        },
        async removals() {
          return [...shelves.keys()].filter((id) => !next.has(id)).length
        },
        async publish(how) {
          shelves = inOrder(next.values())
          return published(nextVersion(), how)
        },
        async discard() {
          next.clear()
        },
      }
    },
    async changeOffers(changes, how) {
      for (const change of changes) {
        const product = shelves.get(change.id)
        if (product === undefined) continue
        const { facts, offer } = partsOf(product)
        shelves.set(change.id, { ...facts, ...changedOffer(offer, change) })
      }
      const { version = 0, offers = 0 } = edition ?? {}
      return published({ version, offers: offers + 1 }, how)
    },
  }
}
