// The facts of a product as an attribute: JSON, compressed when it is long, because an item may have 400 KB and is paid by size.
import { gunzipSync, gzipSync } from 'node:zlib'

const PLAIN_MAX = 1024
/** Leaves room for the keys and the digest. */
const BYTES_MAX = 390_000

export function packedFacts(value: unknown): string | Uint8Array {
  const text = JSON.stringify(value)
  if (text.length <= PLAIN_MAX) return text
  const bytes = gzipSync(text)
  if (bytes.length > BYTES_MAX) throw new Error(`a product has more than ${BYTES_MAX} bytes, compressed`)
  return bytes
}

export function unpackedFacts(attribute: unknown): unknown {
  return JSON.parse(typeof attribute === 'string' ? attribute : gunzipSync(attribute as Uint8Array).toString())
}
