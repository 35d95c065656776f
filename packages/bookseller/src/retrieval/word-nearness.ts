// How near the words of products are to the words of a question. A word is compared once for a question, however many products
// have it and however many parts of the ranking ask.
import { roomFor } from '../text/room-for.ts'
import { wordsAfter } from './passages.ts'
import type { QuestionWord } from './question.ts'
import { UNIT_PRODUCT } from './word-vectors.ts'
import type { WordVectors } from './word-vectors.ts'

/** Two words below this cosine have nothing to do with each other. */
const SIMILAR_MIN = 0.35
/** Another word is worth less than the same word, however near it is. */
const OTHER_WORD = 0.8

const tables = new WeakMap<WordVectors, WordNearness>()

/**
 * Valid until the next question over the same vectors: each has one table that is used again, because a new one for each question
 * would make V8 collect all garbage every few questions.
 */
export function nearnessOf(asked: readonly Pick<QuestionWord, 'row'>[], vectors: WordVectors): WordNearness {
  const nearness = tables.get(vectors) ?? new WordNearness(vectors)
  tables.set(vectors, nearness)
  nearness.begin(asked)
  return nearness
}

export class WordNearness {
  /** For each row of the vectors: where its similarities begin; 0 when it is near no word, or not compared yet. */
  readonly starts: Uint32Array
  readonly #vectors: WordVectors
  readonly #isCompared: Uint8Array
  #asked = new Uint32Array()
  #fresh = new Uint32Array()
  #products = new Int32Array()
  #similarities = new Float32Array()
  #end = 0

  constructor(vectors: WordVectors) {
    this.#vectors = vectors
    this.starts = new Uint32Array(vectors.size)
    this.#isCompared = new Uint8Array(vectors.size)
  }

  /** Forgets the question before. */
  begin(asked: readonly Pick<QuestionWord, 'row'>[]): void {
    this.#asked = Uint32Array.from(new Set(asked.map(({ row }) => row)))
    this.starts.fill(0)
    this.#isCompared.fill(0)
    this.#similarities.fill(0)
    // Starts at 1 at the least, because 0 means "no similarities".
    this.#end = Math.max(1, this.#asked.length)
  }

  /** For each word that is near one, the similarity to each word of the question, from 0 to 1. */
  get similarities(): Float32Array {
    return this.#similarities
  }

  /** The place of a word of the question among the similarities. */
  columnOf(row: number): number {
    return this.#asked.indexOf(row)
  }

  /** Compares the words of a product, as a shelf has them, unless they were compared before. */
  compare(words: Uint32Array): void {
    const fresh = this.#freshIn(words)
    this.#products = roomFor(this.#products, fresh.length * this.#asked.length)
    this.#vectors.similarities(fresh, this.#asked, this.#products)
    for (let at = 0; at < fresh.length; at += 1) this.#store(fresh[at]!, at * this.#asked.length)
  }

  #freshIn(words: Uint32Array): Uint32Array {
    this.#fresh = roomFor(this.#fresh, words.length)
    let count = 0
    for (let at = 0; at < words.length;) {
      const to = at + 1 + wordsAfter(words[at]!)
      for (at += 1; at < to; at += 1) {
        const row = words[at]!
        if (this.#isCompared[row] === 1) continue
        this.#isCompared[row] = 1
        this.#fresh[count] = row
        count += 1
      }
    }
    return this.#fresh.subarray(0, count)
  }

  #store(row: number, from: number): void {
    const asked = this.#asked
    for (let k = 0; k < asked.length; k += 1) {
      const isSame = asked[k] === row
      const cosine = this.#products[from + k]! / UNIT_PRODUCT
      if (!isSame && cosine < SIMILAR_MIN) continue
      if (this.starts[row] === 0) this.starts[row] = this.#nextStart()
      this.#similarities[this.starts[row]! + k] = isSame ? 1 : cosine * OTHER_WORD
    }
  }

  /** Room for the similarities of one more word. */
  #nextStart(): number {
    const start = this.#end
    this.#end += this.#asked.length
    this.#similarities = roomFor(this.#similarities, this.#end)
    return start
  }
}
