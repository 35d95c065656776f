// Digests of the catalogue by content: nodes that sell the same have the same digest, in whatever order and from whatever file
// it was imported. The digest of a whole is the exclusive or of its parts, so that a changed part changes it without reading
// the others.
import { createHash } from 'node:crypto'
import type { ProductOffer } from '@mangaassist/bookseller/catalogue/offer'

const DIGEST_LENGTH = 32
/** As long as an operator can compare at a glance. */
const EDITION_LENGTH = 16

/** The digest of nothing. */
export const NO_DIGEST = '0'.repeat(DIGEST_LENGTH)

/** The same for the same content, whatever the order of its fields. */
export function digestOf(value: unknown): string {
  return sha256(JSON.stringify(value, sorted)).slice(0, DIGEST_LENGTH)
}

/** Adds a part to a digest, or removes it. */
export function combined(digest: string, part: string): string {
  const bits = BigInt(`0x${digest}`) ^ BigInt(`0x${part}`)
  return bits.toString(16).padStart(DIGEST_LENGTH, '0')
}

export interface PartDigests {
  /** The facts of all products. */
  readonly productsDigest: string
  readonly offersDigest: string
  readonly faqDigest: string
}

/** The digests of an edition, from those of its parts. */
export function editionDigests({ faqDigest, offersDigest, productsDigest }: PartDigests): {
  readonly factsDigest: string
  readonly digest: string
} {
  const factsDigest = editionDigest([productsDigest, faqDigest])
  return { factsDigest, digest: editionDigest([factsDigest, offersDigest]) }
}

/** The digest of an offer, which is a part of that of all offers. */
export const offerDigest = (id: string, offer: ProductOffer): string => digestOf([id, offer])

function editionDigest(parts: readonly string[]): string {
  return sha256(parts.join(' ')).slice(0, EDITION_LENGTH)
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
