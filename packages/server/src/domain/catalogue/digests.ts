// Digests of the catalogue by content: nodes that sell the same have the same digest, in whatever order and from whatever file
// it was imported. The digest of a whole is the exclusive or of its parts, so that a changed part changes it without reading
// the others.
import { createHash } from 'node:crypto'

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

export function editionDigest(parts: readonly string[]): string {
  return sha256(parts.join(' ')).slice(0, EDITION_LENGTH)
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
