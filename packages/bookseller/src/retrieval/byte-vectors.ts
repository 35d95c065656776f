// Many vectors of signed bytes, one after the other in a memory that WebAssembly multiplies in, and that is their only copy.
import { roomFor } from '../text/room-for.ts'
import { productMemory } from './vector-products.ts'
import type { ProductMemory } from './vector-products.ts'

/** Rows and products of one call; more are computed in several. */
const ROWS_MAX = 4096
const OTHERS_MAX = 1024
const PRODUCTS_MAX = 16_384
/** Vectors are padded with zeros: eight dimensions are multiplied at a time. */
const padded = (dimensions: number): number => Math.ceil(dimensions / 8) * 8

export interface Cut {
  readonly leading: number
  /** A product is 0 when that of the leading dimensions is less. */
  readonly leadingMin: number
}

export class ByteVectors {
  readonly size: number
  readonly dimensions: number
  /** All vectors; that of a row begins at its number times `stride`. */
  readonly bytes: Int8Array
  readonly stride: number
  readonly #memory: ProductMemory
  readonly #rows: Uint32Array
  readonly #others: Uint32Array
  readonly #products: Int32Array
  #all = new Int32Array()

  /** All zeros at first. */
  constructor(size: number, dimensions: number) {
    this.size = size
    this.dimensions = dimensions
    this.stride = padded(dimensions)
    // One more, for a vector that is compared with all.
    const vectorsBytes = (size + 1) * this.stride
    this.#memory = productMemory(vectorsBytes + 4 * (ROWS_MAX + OTHERS_MAX + PRODUCTS_MAX))
    const { buffer } = this.#memory
    this.bytes = new Int8Array(buffer, 0, vectorsBytes)
    this.#rows = new Uint32Array(buffer, vectorsBytes, ROWS_MAX)
    this.#others = new Uint32Array(buffer, vectorsBytes + 4 * ROWS_MAX, OTHERS_MAX)
    this.#products = new Int32Array(buffer, vectorsBytes + 4 * (ROWS_MAX + OTHERS_MAX), PRODUCTS_MAX)
  }

  /** Writes vectors that lie one after the other, beginning with that number. */
  set(vectors: Int8Array, first = 0): void {
    const { dimensions } = this
    if (dimensions === this.stride) return this.bytes.set(vectors, first * dimensions)
    for (let at = 0; at < vectors.length; at += dimensions)
      this.bytes.set(vectors.subarray(at, at + dimensions), (first + at / dimensions) * this.stride)
  }

  /** A view. */
  at(row: number): Int8Array {
    return this.bytes.subarray(row * this.stride, row * this.stride + this.dimensions)
  }

  /** The products of each of `rows` with each of `others`, row by row, into `into`. */
  multiply(
    rows: Uint32Array,
    others: Uint32Array,
    { into, leading, leadingMin }: Cut & { readonly into: Int32Array },
  ): void {
    if (others.length === 0) return
    this.#others.set(others)
    const rowsMax = Math.min(ROWS_MAX, Math.floor(PRODUCTS_MAX / others.length))
    for (let from = 0; from < rows.length; from += rowsMax) {
      const some = rows.subarray(from, from + rowsMax)
      this.#rows.set(some)
      const cut = { leading: padded(Math.min(leading, this.dimensions)), leadingMin, dimensions: this.stride }
      into.set(this.#computed(some.length, others.length, cut), from * others.length)
    }
  }

  /** The products of the leading dimensions of a vector and of all others. Valid until the next call. */
  multiplyAll(vector: Int8Array, leading: number): Int32Array {
    this.#all = roomFor(this.#all, this.size)
    this.bytes.set(vector, this.size * this.stride)
    this.#others[0] = this.size
    const dimensions = padded(Math.min(leading, this.dimensions))
    for (let from = 0; from < this.size; from += ROWS_MAX) {
      const count = Math.min(ROWS_MAX, this.size - from)
      for (let at = 0; at < count; at += 1) this.#rows[at] = from + at
      this.#all.set(this.#computed(count, 1, { leading: dimensions, leadingMin: LEAST, dimensions }), from)
    }
    return this.#all
  }

  /** Valid until the next call. */
  #computed(rows: number, others: number, cut: Cut & { readonly dimensions: number }): Int32Array {
    this.#memory.multiply({
      rows: this.#rows.byteOffset,
      rowsEnd: this.#rows.byteOffset + 4 * rows,
      others: this.#others.byteOffset,
      othersEnd: this.#others.byteOffset + 4 * others,
      out: this.#products.byteOffset,
      stride: this.stride,
      ...cut,
    })
    return this.#products.subarray(0, rows * others)
  }
}

const LEAST = -(2 ** 31)
