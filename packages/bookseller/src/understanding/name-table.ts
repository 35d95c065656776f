// The names of a catalogue, some 40 bytes each whatever their number: keys are one after the other in an array of letters, found by
// their hash. A catalogue of 100,000 series has about a million names.
import { roomFor } from '../text/room-for.ts'
import type { Name, NameKind } from './name.ts'

const KINDS: readonly NameKind[] = ['title', 'person', 'magazine']
const TITLE = KINDS.indexOf('title')
/** Every key has as many letters at least. */
const START = 2
const HASH_FIRST = 0x811c9dc5
/** FNV-1a, a letter at a time: the hash of a key is made from that of its beginning. */
const hashed = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193) >>> 0

interface Stretch {
  readonly text: string
  readonly from: number
  readonly to: number
}

export class NameTable {
  size = 0
  #units = new Uint16Array(4096)
  /** The end of each key in `#units`; a key begins where the previous one ends. */
  #ends = new Uint32Array(256)
  #kinds = new Uint8Array(256)
  /** What a name means, as a place in `#meanings`. */
  #means = new Uint32Array(256)
  /** What else it means; several series may share a name. */
  readonly #others = new Map<number, Set<number>>()
  readonly #meanings: string[] = []
  #numbers: Map<string, number> | undefined = new Map()
  /** By hash, the number of a name plus 1; at most half of them are taken. */
  #slots = new Uint32Array(1024)
  /** For the hash of the first letters, the length of the longest key that begins so. */
  readonly #longest = new Uint16Array(65_536)

  /** A title is likelier meant than a person of that name. Of the same kind, both are meant. */
  add(key: string, kind: NameKind, means: string): void {
    const slot = this.#slotOf(key)
    const known = this.#slots[slot]! - 1
    const meaning = this.#numberOf(means)
    const kindNumber = KINDS.indexOf(kind)
    if (known === -1) this.#append(slot, key, { kind: kindNumber, meaning })
    else if (this.#kinds[known] !== TITLE && kindNumber === TITLE) {
      this.#kinds[known] = TITLE
      this.#means[known] = meaning
      this.#others.delete(known)
    } else if (this.#kinds[known] === kindNumber && this.#means[known] !== meaning) {
      const others = this.#others.get(known)
      if (others === undefined) this.#others.set(known, new Set([meaning]))
      else others.add(meaning)
    }
  }

  has(key: string): boolean {
    return this.#slots[this.#slotOf(key)] !== 0
  }

  /** Frees what only adding needs; nothing is added afterwards. */
  finish(): void {
    this.#numbers = undefined
    this.#units = this.#units.slice(0, this.#end)
    this.#ends = this.#ends.slice(0, this.size)
    this.#kinds = this.#kinds.slice(0, this.size)
    this.#means = this.#means.slice(0, this.size)
  }

  /** The numbers of the names that the text has at that place, the longest first. */
  at(text: string, from: number): readonly number[] {
    let hash = HASH_FIRST
    for (let unit = from; unit < from + START; unit += 1) hash = hashed(hash, text.charCodeAt(unit))
    const found: number[] = []
    const end = Math.min(text.length, from + this.#longest[hash & 0xffff]!)
    for (let to = from + START; to <= end; to += 1) {
      const name = this.#slots[this.#slotFor(hash, { text, from, to })]! - 1
      if (name !== -1) found.push(name)
      hash = hashed(hash, text.charCodeAt(to))
    }
    return found.reverse()
  }

  nameOf(name: number): Name {
    const others = [...(this.#others.get(name) ?? [])]
    return {
      key: this.keyOf(name),
      kind: KINDS[this.#kinds[name]!]!,
      means: [this.#means[name]!, ...others].map((meaning) => this.#meanings[meaning]!),
    }
  }

  keyOf(name: number): string {
    const units = this.#units.subarray(this.#startOf(name), this.#ends[name])
    return Reflect.apply(String.fromCharCode, undefined, units) as string
  }

  /** The only series that has a title which begins or ends with the key. Reads all names. */
  partlyNamed(key: string): string | undefined {
    let meaning: number | undefined
    for (let name = 0; name < this.size; name += 1) {
      if (this.#kinds[name] !== TITLE || !this.#isPartOf(name, key)) continue
      if (this.#others.has(name) || (meaning !== undefined && meaning !== this.#means[name])) return undefined
      meaning = this.#means[name]
    }
    return meaning === undefined ? undefined : this.#meanings[meaning]
  }

  #isPartOf(name: number, key: string): boolean {
    const [start, end] = [this.#startOf(name), this.#ends[name]!]
    const isAt = (from: number) => {
      for (let at = 0; at < key.length; at += 1) if (this.#units[from + at] !== key.charCodeAt(at)) return false
      return true
    }
    return end - start >= key.length && (isAt(start) || isAt(end - key.length))
  }

  isShared(name: number): boolean {
    return this.#others.has(name)
  }

  get #end(): number {
    return this.#startOf(this.size)
  }

  #startOf(name: number): number {
    return name === 0 ? 0 : this.#ends[name - 1]!
  }

  #slotOf(key: string): number {
    let hash = HASH_FIRST
    for (let at = 0; at < key.length; at += 1) hash = hashed(hash, key.charCodeAt(at))
    return this.#slotFor(hash, { text: key, from: 0, to: key.length })
  }

  /** The slot of that key, or the free one where it would be. */
  #slotFor(hash: number, key: Stretch): number {
    const mask = this.#slots.length - 1
    let slot = hash & mask
    while (this.#slots[slot] !== 0 && !this.#isKey(this.#slots[slot]! - 1, key)) slot = (slot + 1) & mask
    return slot
  }

  #isKey(name: number, { text, from, to }: Stretch): boolean {
    const start = this.#startOf(name)
    if (this.#ends[name]! - start !== to - from) return false
    for (let at = from; at < to; at += 1) if (this.#units[start + at - from] !== text.charCodeAt(at)) return false
    return true
  }

  #append(slot: number, key: string, { kind, meaning }: { readonly kind: number; readonly meaning: number }): void {
    const name = this.size
    const start = this.#end
    this.#units = roomFor(this.#units, start + key.length)
    for (let at = 0; at < key.length; at += 1) this.#units[start + at] = key.charCodeAt(at)
    this.#ends = roomFor(this.#ends, name + 1)
    this.#kinds = roomFor(this.#kinds, name + 1)
    this.#means = roomFor(this.#means, name + 1)
    this.#ends[name] = start + key.length
    this.#kinds[name] = kind
    this.#means[name] = meaning
    this.#slots[slot] = name + 1
    this.size += 1
    let hash = HASH_FIRST
    for (let at = 0; at < START; at += 1) hash = hashed(hash, key.charCodeAt(at))
    this.#longest[hash & 0xffff] = Math.max(this.#longest[hash & 0xffff]!, key.length)
    if (this.size * 2 > this.#slots.length) this.#rehash()
  }

  #rehash(): void {
    const mask = this.#slots.length * 2 - 1
    this.#slots = new Uint32Array(mask + 1)
    for (let name = 0; name < this.size; name += 1) {
      let hash = HASH_FIRST
      for (let at = this.#startOf(name); at < this.#ends[name]!; at += 1) hash = hashed(hash, this.#units[at]!)
      let slot = hash & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = name + 1
    }
  }

  #numberOf(means: string): number {
    const known = this.#numbers?.get(means)
    if (known !== undefined) return known
    this.#numbers?.set(means, this.#meanings.length)
    return this.#meanings.push(means) - 1
  }
}
