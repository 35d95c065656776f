// What the search stores of one product: the facts that filters need, its attributes as keys, the words of its passages, and
// one vector of all of them. No price and no stock: those are read from the store.
import type { Product } from '../catalogue/catalogue.ts'
import { authorNames } from '../understanding/people.ts'
import { contentWords } from './content-words.ts'
import { headOf, passagesOf, wordsAfter } from './passages.ts'
import type { WordVectors } from './word-vectors.ts'

export interface ShelfEntry {
  readonly id: string
  readonly volumes: number
  readonly firstYear?: number
  readonly age?: number
  /** How well known it is, from 0 to 100: it decides between series that serve equally well. */
  readonly fame: number
  /** `genre:horror`, `mood:dark`, `for:seinen`, `status:completed`, `content:gore`, `by:手塚治虫`, `like:akira` … */
  readonly keys: readonly string[]
  /** For each passage: its field and the number of its words, then the rows of the words. */
  readonly words: Uint32Array
  /** The direction of all passages together, as signed bytes; for a first choice among many products. */
  readonly vector: Int8Array
}

/** More words of one passage add nothing. */
const PASSAGE_WORDS_MAX = 40

export function shelfEntry(product: Product, vectors: WordVectors): ShelfEntry {
  const { id, volumes, firstYear, age } = product
  const words = passageWords(product, vectors)
  return {
    id,
    volumes,
    ...(firstYear === undefined ? {} : { firstYear }),
    ...(age === undefined ? {} : { age }),
    fame: fameOf(product),
    keys: keysOf(product),
    words,
    vector: directionOf(words, vectors),
  }
}

const ADAPTATIONS_MAX = 5

/** Adapted series are known to more people. */
const fameOf = ({ adaptations = [] }: Product): number =>
  Math.round((100 * Math.min(adaptations.length, ADAPTATIONS_MAX)) / ADAPTATIONS_MAX)

export function keysOf(product: Product): readonly string[] {
  const { author, writer, artist, similar, content, status, demographic, magazine, publisher, pace } = product
  const people = [...authorNames(author).ja, writer?.ja ?? '', artist?.ja ?? '']
  const keys = [
    ...product.genres.map((key) => `genre:${key}`),
    ...product.moods.map((key) => `mood:${key}`),
    ...(content ?? []).map((key) => `content:${key}`),
    ...people.map((name) => `by:${name}`),
    `writer:${writer?.ja ?? ''}`,
    `artist:${artist?.ja ?? ''}`,
    `for:${demographic ?? ''}`,
    `status:${status ?? ''}`,
    `magazine:${magazine?.ja ?? ''}`,
    `publisher:${publisher?.ja ?? ''}`,
    `pace:${pace ?? ''}`,
    ...(similar ?? []).map((other) => `like:${other.id ?? ''}`),
    ...(content === undefined ? ['content:unknown'] : []),
  ]
  return [...new Set(keys)].filter((key) => !key.endsWith(':'))
}

function passageWords(product: Product, vectors: WordVectors): Uint32Array {
  const words: number[] = []
  for (const passage of passagesOf(product)) {
    const rows = [...new Set(contentWords(passage.text, vectors).map(({ row }) => row))].slice(0, PASSAGE_WORDS_MAX)
    words.push(headOf(passage, rows.length), ...rows)
  }
  return Uint32Array.from(words)
}

function directionOf(words: Uint32Array, vectors: WordVectors): Int8Array {
  const sum = new Float32Array(vectors.dimensions)
  for (let at = 0; at < words.length;) {
    const to = at + 1 + wordsAfter(words[at]!)
    for (at += 1; at < to; at += 1) vectors.add(words[at]!, vectors.weight(words[at]!), sum)
  }
  return quantised(sum)
}

export function quantised(vector: Float32Array): Int8Array {
  let length = 0
  for (const value of vector) length += value * value
  const scale = length === 0 ? 0 : 127 / Math.sqrt(length)
  return Int8Array.from(vector, (value) => Math.round(value * scale))
}
