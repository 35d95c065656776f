// Which names have a pair of letters, so that a message is not compared with every name. Pairs that many names have are left out:
// they tell nothing, and would take long to count.
import { roomFor } from '../text/room-for.ts'

const COMMON_MAX = 1500
/** Two letters as one number. */
const pairAt = (text: string, at: number): number => text.charCodeAt(at) * 65_536 + text.charCodeAt(at + 1)

export interface Sharing {
  /** The number of the text, in the order in which they were added. */
  readonly text: number
  /** How many different pairs it shares. */
  readonly shared: number
  /** How many different pairs it has that are not left out. */
  readonly own: number
}

export class PairIndexBuilder {
  /** The different pairs of each text, one text after the other. */
  #pairs = new Uint32Array(4096)
  #ends = new Uint32Array(256)
  #size = 0
  readonly #counts = new Map<number, number>()

  add(text: string): void {
    let end = this.#size === 0 ? 0 : this.#ends[this.#size - 1]!
    for (const pair of pairsOf(text)) {
      this.#pairs = roomFor(this.#pairs, end + 1)
      this.#pairs[end] = pair
      end += 1
      this.#counts.set(pair, (this.#counts.get(pair) ?? 0) + 1)
    }
    this.#ends = roomFor(this.#ends, this.#size + 1)
    this.#ends[this.#size] = end
    this.#size += 1
  }

  index(): PairIndex {
    const pairs = Uint32Array.from(this.#counts.keys())
      .filter((pair) => this.#counts.get(pair)! <= COMMON_MAX)
      .sort()
    const starts = new Uint32Array(pairs.length + 1)
    for (const [place, pair] of pairs.entries()) starts[place + 1] = starts[place]! + this.#counts.get(pair)!
    const places = new Map(Array.from(pairs, (pair, place) => [pair, place]))
    const next = starts.slice()
    const texts = new Uint32Array(starts.at(-1) ?? 0)
    const owns = new Uint16Array(this.#size)
    for (let text = 0, at = 0; text < this.#size; text += 1)
      for (; at < this.#ends[text]!; at += 1) {
        const place = places.get(this.#pairs[at]!)
        if (place === undefined) continue
        texts[next[place]!++] = text
        owns[text]! += 1
      }
    return new PairIndex({ pairs, starts, texts, owns })
  }
}

interface Lists {
  /** In ascending order. */
  readonly pairs: Uint32Array
  /** For each pair where its texts begin. */
  readonly starts: Uint32Array
  readonly texts: Uint32Array
  readonly owns: Uint16Array
}

export class PairIndex {
  readonly #lists: Lists
  /** All zero between two calls. */
  readonly #counts: Uint16Array

  constructor(lists: Lists) {
    this.#lists = lists
    this.#counts = new Uint16Array(lists.owns.length)
  }

  /** The texts that share at least `shareMin` of their pairs with that one, and always one pair. */
  sharing(text: string, shareMin: number): readonly Sharing[] {
    const { owns, starts, texts } = this.#lists
    const touched: number[] = []
    for (const pair of pairsOf(text)) {
      const place = this.#placeOf(pair)
      if (place === -1) continue
      for (let at = starts[place]!; at < starts[place + 1]!; at += 1) {
        const other = texts[at]!
        if (this.#counts[other] === 0) touched.push(other)
        this.#counts[other]! += 1
      }
    }
    const found: Sharing[] = []
    for (const other of touched) {
      const [shared, own] = [this.#counts[other]!, owns[other]!]
      this.#counts[other] = 0
      if (shared >= Math.ceil(own * shareMin)) found.push({ text: other, shared, own })
    }
    return found
  }

  #placeOf(pair: number): number {
    const { pairs } = this.#lists
    let [low, high] = [0, pairs.length - 1]
    while (low <= high) {
      const middle = (low + high) >>> 1
      if (pairs[middle] === pair) return middle
      if (pairs[middle]! < pair) low = middle + 1
      else high = middle - 1
    }
    return -1
  }
}

function pairsOf(text: string): ReadonlySet<number> {
  const pairs = new Set<number>()
  for (let at = 0; at + 1 < text.length; at += 1) pairs.add(pairAt(text, at))
  return pairs
}
