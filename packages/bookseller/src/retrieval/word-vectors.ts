// A vector for each frequent word of English and Japanese, in one space: data/vectors/words.bin, whose README describes the
// layout. Words are stored by their hash alone, so that the table costs its file size.
import { ByteVectors } from './byte-vectors.ts'

const MAGIC = 0x5657414d
const VERSION = 1
const HEADER_BYTES = 16
/** Components are stored as signed bytes: a unit vector times this. */
const SCALE = 127
/** The leading dimensions have most of a vector's length: similar words agree in them. */
const LEADING = 24
const LEADING_MIN = Math.ceil(0.1 * SCALE * SCALE)
/** The product of a vector with itself: a cosine of 1. */
export const UNIT_PRODUCT = SCALE * SCALE

export interface WordVectors {
  readonly dimensions: number
  readonly size: number
  /** Identifies the table: an index that was made with another one is of no use. */
  readonly digest: string
  /** The row of a folded word; -1 if the table does not have it. */
  find(word: string): number
  /** How much the word says, from 0 to 1: a rare word says more. */
  weight(row: number): number
  /** The cosine of two words; 0 when the leading dimensions show that they are not similar. */
  similarity(a: number, b: number): number
  /** The same for each of `rows` with each of `others`, row by row, times `UNIT_PRODUCT`. */
  similarities(rows: Uint32Array, others: Uint32Array, into: Int32Array): void
  /** Adds the vector of a word, times `factor`, to `sum`. */
  add(row: number, factor: number, sum: Float32Array): void
}

export class WordVectorsError extends Error {
  override readonly name = 'WordVectorsError'
}

export function readWordVectors(bytes: Uint8Array): WordVectors {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  const { dimensions, size } = headerOf(aligned)
  const { buffer, byteOffset } = aligned
  const leading = Math.min(LEADING, dimensions)
  // Copies: the file can be freed.
  const hashes = new Uint32Array(buffer, byteOffset + HEADER_BYTES, size).slice()
  const weights = new Uint8Array(buffer, byteOffset + HEADER_BYTES + size * 4, size).slice()
  const table = new ByteVectors(size, dimensions)
  table.set(new Int8Array(buffer, byteOffset + HEADER_BYTES + size * 5, size * dimensions))
  const { bytes: vectors, stride } = table
  return {
    dimensions,
    size,
    digest: digestOf(aligned),
    find: (word) => rowOf(hashes, wordHash(word)),
    weight: (row) => weights[row]! / 255,
    similarity(a, b) {
      const from = a * stride
      const to = b * stride
      let sum = 0
      let k = 0
      for (; k < leading; k += 1) sum += vectors[from + k]! * vectors[to + k]!
      if (sum < LEADING_MIN) return 0
      for (; k < dimensions; k += 1) sum += vectors[from + k]! * vectors[to + k]!
      return sum / UNIT_PRODUCT
    },
    similarities: (rows, others, into) => table.multiply(rows, others, { into, leading, leadingMin: LEADING_MIN }),
    add(row, factor, sum) {
      const from = row * stride
      const scaled = factor / SCALE
      for (let k = 0; k < dimensions; k += 1) sum[k]! += vectors[from + k]! * scaled
    },
  }
}

function headerOf(bytes: Uint8Array): { readonly dimensions: number; readonly size: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.byteLength < HEADER_BYTES || view.getUint32(0, true) !== MAGIC)
    throw new WordVectorsError('The file is not a table of word vectors.')
  if (view.getUint32(4, true) !== VERSION)
    throw new WordVectorsError(`The table of word vectors has version ${view.getUint32(4, true)}, not ${VERSION}.`)
  const dimensions = view.getUint32(8, true)
  const size = view.getUint32(12, true)
  if (dimensions === 0 || bytes.byteLength !== HEADER_BYTES + size * (5 + dimensions))
    throw new WordVectorsError('The table of word vectors is cut short.')
  return { dimensions, size }
}

/** Writes a table as `readWordVectors` reads it; a word whose hash an earlier word has is omitted. */
export function writeWordVectors(
  dimensions: number,
  words: readonly { readonly word: string; readonly weight: number; readonly vector: ArrayLike<number> }[],
): Uint8Array {
  const rows = new Map<number, (typeof words)[number]>()
  for (const row of words) if (!rows.has(wordHash(row.word))) rows.set(wordHash(row.word), row)
  const sorted = [...rows].sort(([a], [b]) => a - b)
  const bytes = new Uint8Array(HEADER_BYTES + sorted.length * (5 + dimensions))
  const view = new DataView(bytes.buffer)
  for (const [at, value] of [MAGIC, VERSION, dimensions, sorted.length].entries()) view.setUint32(at * 4, value, true)
  for (const [row, [hash, { weight, vector }]] of sorted.entries()) {
    view.setUint32(HEADER_BYTES + row * 4, hash, true)
    bytes[HEADER_BYTES + sorted.length * 4 + row] = Math.round(Math.min(1, Math.max(0, weight)) * 255)
    const from = HEADER_BYTES + sorted.length * 5 + row * dimensions
    for (let k = 0; k < dimensions; k += 1) view.setInt8(from + k, Math.round((vector[k] ?? 0) * SCALE))
  }
  return bytes
}

/** FNV-1a over the UTF-16 units. With 60,000 words, one unknown word in 70,000 is mistaken for a known one. */
function wordHash(word: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at += 1) {
    const unit = word.charCodeAt(at)
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193)
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193)
  }
  return hash >>> 0
}

function rowOf(hashes: Uint32Array, hash: number): number {
  let low = 0
  let high = hashes.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = hashes[middle]!
    if (found === hash) return middle
    if (found < hash) low = middle + 1
    else high = middle - 1
  }
  return -1
}

function digestOf(bytes: Uint8Array): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < bytes.length; at += 61) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
  return `${bytes.length.toString(36)}-${(hash >>> 0).toString(36)}`
}
