// The entries of one edition as the ranking reads them: numbers in typed arrays and interned keys, so that 100,000 products take
// some 20 MB and are scanned in milliseconds. Words are read one product at a time, where the ranking needs them.
import { ByteVectors } from './byte-vectors.ts'
import type { ShelfEntry } from './shelf-entry.ts'

/** What an entry costs in memory; its words are read by `detail`. */
export type EntryFacts = Pick<ShelfEntry, 'id' | 'volumes' | 'firstYear' | 'age' | 'fame' | 'keys' | 'vector'>

export interface EntryDetail {
  readonly words: Uint32Array
}

/** Price and stock, as the store has them now. */
export interface ShelfOffer {
  readonly pricePerVolumeYen: number
  readonly totalYen: number
  readonly stock: number
}

export interface Shelf {
  readonly size: number
  readonly ids: readonly string[]
  readonly volumes: Uint16Array
  /** 0: unknown. */
  readonly firstYears: Uint16Array
  /** 255: unknown. */
  readonly ages: Uint8Array
  readonly fames: Uint8Array
  readonly vectors: ByteVectors
  numberOf(id: string): number | undefined
  /** The interned number of a key; -1 if no product has it. */
  key(name: string): number
  has(product: number, key: number): boolean
  /** The products that have a key, in ascending order. */
  holders(key: number): Uint32Array
  keysOf(product: number): readonly string[]
  detail(product: number): EntryDetail
}

const AGE_UNKNOWN = 255

export class ShelfBuilder {
  readonly #ids: string[] = []
  readonly #numbers = new Map<string, number>()
  readonly #volumes: number[] = []
  readonly #firstYears: number[] = []
  readonly #ages: number[] = []
  readonly #fames: number[] = []
  readonly #vectors: Int8Array[] = []
  readonly #keyNumbers = new Map<string, number>()
  readonly #starts: number[] = [0]
  readonly #keys: number[] = []
  readonly #dimensions: number

  constructor(dimensions: number) {
    this.#dimensions = dimensions
  }

  /** Vectors may come many at once, in the order of the products. */
  add({ id, volumes, firstYear, age, fame, keys }: Omit<EntryFacts, 'vector'>, vector?: Int8Array): void {
    this.#numbers.set(id, this.#ids.length)
    this.#ids.push(id)
    this.#volumes.push(volumes)
    this.#firstYears.push(firstYear ?? 0)
    this.#ages.push(age ?? AGE_UNKNOWN)
    this.#fames.push(fame)
    for (const key of keys) {
      const known = this.#keyNumbers.get(key)
      this.#keys.push(known ?? this.#keyNumbers.size)
      if (known === undefined) this.#keyNumbers.set(key, this.#keyNumbers.size)
    }
    this.#starts.push(this.#keys.length)
    if (vector !== undefined) this.#vectors.push(vector)
  }

  addVectors(vectors: Int8Array): void {
    this.#vectors.push(vectors)
  }

  shelf(detail: Shelf['detail']): Shelf {
    const keyNames = [...this.#keyNumbers.keys()]
    const keyNumbers = this.#keyNumbers
    const numbers = this.#numbers
    const keys = Uint32Array.from(this.#keys)
    const starts = Uint32Array.from(this.#starts)
    const ids = this.#ids
    const holders = holdersOf(keys, starts, keyNames.length)
    return {
      size: ids.length,
      ids,
      volumes: Uint16Array.from(this.#volumes),
      firstYears: Uint16Array.from(this.#firstYears),
      ages: Uint8Array.from(this.#ages),
      fames: Uint8Array.from(this.#fames),
      vectors: joined(this.#vectors, new ByteVectors(ids.length, this.#dimensions)),
      numberOf: (id) => numbers.get(id),
      key: (name) => keyNumbers.get(name) ?? -1,
      has(product, key) {
        for (let at = starts[product]!; at < starts[product + 1]!; at += 1) if (keys[at] === key) return true
        return false
      },
      holders,
      keysOf: (product) =>
        Array.from(keys.subarray(starts[product], starts[product + 1]), (key) => keyNames[key] ?? ''),
      detail,
    }
  }
}

/** The reverse of the lists of keys: for each key its products. */
function holdersOf(keys: Uint32Array, starts: Uint32Array, count: number): Shelf['holders'] {
  const ends = new Uint32Array(count + 1)
  for (const key of keys) ends[key + 1]! += 1
  for (let key = 0; key < count; key += 1) ends[key + 1]! += ends[key]!
  const next = ends.slice()
  const products = new Uint32Array(keys.length)
  for (let product = 0; product + 1 < starts.length; product += 1)
    for (let at = starts[product]!; at < starts[product + 1]!; at += 1) products[next[keys[at]!]!++] = product
  return (key) => (key === -1 ? NONE : products.subarray(ends[key], ends[key + 1]))
}

const NONE = new Uint32Array()

function joined(parts: readonly Int8Array[], all: ByteVectors): ByteVectors {
  let first = 0
  for (const part of parts) {
    all.set(part, first)
    first += part.length / all.dimensions
  }
  return all
}
