// How well a product means a question by the vectors of an embedder: the cosine of the question with each passage, on the scale of
// the built-in score, so that the ranking weighs both alike. Vectors are stored as signed bytes.
import { FACTORS, insert, REASON_MIN, TOP_SHARES, TOPIC_WORDS_MAX } from './meaning.ts'
import type { MeaningMatch } from './meaning.ts'
import { fieldOf, FIELDS, headOf, isEnglish } from './passages.ts'
import type { Passage } from './passages.ts'
import { quantised } from './shelf-entry.ts'

/** The meaning of one question, for the products on a shelf. */
export interface EmbeddedMeaning {
  /** The embedder's model. */
  readonly model: string
  /** `words`: how many words of the question have a meaning. Undefined for a product without vectors. */
  match(product: number, words: number): MeaningMatch | undefined
  /** About 0 to 1, by the direction of all passages together; for a first choice among many products. */
  near(product: number): number
}

export interface PassageVectors {
  /** For each passage its field and language, by `fieldByte`. */
  readonly fields: Uint8Array
  /** One after the other. */
  readonly vectors: Int8Array
}

/** The head of a passage without the number of its words. */
export const fieldByte = (passage: Pick<Passage, 'field' | 'language'>): number => headOf(passage, 0) >>> 8

/** What cosines mean with one embedder: each has a scale of its own. */
export interface Calibration {
  /** Hardly any text that has nothing to do with a question has a higher cosine. */
  readonly chance: number
  /** The cosine of a question with the same text. */
  readonly same: number
}

export interface CalibrationSample {
  /** The cosine of a passage, asked as a question, with itself. */
  readonly own: number
  /** Its cosines with passages of other series. */
  readonly others: readonly number[]
}

const SCALE = 127
const QUESTION_SCALE = 8192
/** From this score on the ranking takes a product for an answer by its meaning alone. */
const CHANCE_SCORE = 0.3
const CHANCE_QUANTILE = 0.999
/** A model whose cosines differ less tells nothing apart. */
const SPAN_MIN = 0.05
export const COARSE_DIMENSIONS = 96

export function calibrationOf(samples: readonly CalibrationSample[]): Calibration {
  const chance = quantile(
    samples.flatMap(({ others }) => others),
    CHANCE_QUANTILE,
  )
  const same = quantile(
    samples.map(({ own }) => own),
    0.5,
  )
  return { chance, same: Math.max(same, chance + SPAN_MIN) }
}

export function scoreOfCosine(cosine: number, { chance, same }: Calibration): number {
  const score = CHANCE_SCORE + ((1 - CHANCE_SCORE) * (cosine - chance)) / (same - chance)
  return Math.min(1, Math.max(0, score))
}

/** A question as whole numbers, which are multiplied twice as fast; of length 1 before. */
export function wholeNumbers(question: Float32Array): Int16Array {
  return Int16Array.from(question, (value) => Math.round(value * QUESTION_SCALE))
}

/** `question` by `wholeNumbers`. The sum of two unit vectors' products fits into 32 bits. */
export function cosineWith(question: Int16Array, vectors: Int8Array, at: number): number {
  const dimensions = question.length
  const vector = vectors.subarray(at * dimensions, (at + 1) * dimensions)
  let sum = 0
  for (let k = 0; k < dimensions; k += 1) sum = (sum + Math.imul(question[k]!, vector[k]!)) | 0
  return sum / (SCALE * QUESTION_SCALE)
}

/** The score of a product's passages: the best counts most, as with the built-in score. */
export function matchPassages(
  { fields, vectors }: PassageVectors,
  question: Int16Array,
  { calibration, words }: { readonly calibration: Calibration; readonly words: number },
): MeaningMatch {
  const shares: readonly number[] = words <= TOPIC_WORDS_MAX ? TOP_SHARES.topic : TOP_SHARES.plot
  const best = new Float32Array(shares.length)
  const reasons = { ja: { passage: -1, score: REASON_MIN }, en: { passage: -1, score: REASON_MIN } }
  let passage = -1
  for (let at = 0; at < fields.length; at += 1) {
    const head = fields[at]! << 8
    const score = scoreOfCosine(cosineWith(question, vectors, at), calibration) * (FACTORS[fieldOf(head)] ?? 1)
    if (score > best[0]!) passage = at
    const reason = reasons[isEnglish(head) ? 'en' : 'ja']
    if (score > reason.score && FIELDS[fieldOf(head)] !== 'hook') Object.assign(reason, { passage: at, score })
    insert(best, score)
  }
  let sum = 0
  let whole = 0
  for (const [place, share] of shares.entries()) {
    // A product of few passages is not the worse for it.
    if (place >= fields.length) break
    sum += best[place]! * share
    whole += share
  }
  return {
    score: whole === 0 ? 0 : sum / whole,
    passage,
    reasons: { ja: reasons.ja.passage, en: reasons.en.passage },
  }
}

/** The direction of all passages together, in fewer dimensions. */
export function coarseOf(vectors: Int8Array, dimensions: number): Float32Array {
  const sum = new Float32Array(dimensions)
  for (let at = 0; at < vectors.length; at += 1) sum[at % dimensions]! += vectors[at]!
  return projected(unit(sum))
}

/** The coarse directions of a shelf, as signed bytes, around their middle: texts of one shop have much in common. */
export class CoarseShelf {
  readonly #middle: Float32Array
  readonly #directions: Int8Array

  constructor(coarse: readonly Float32Array[]) {
    this.#middle = new Float32Array(COARSE_DIMENSIONS)
    for (const one of coarse) for (let k = 0; k < COARSE_DIMENSIONS; k += 1) this.#middle[k]! += one[k]! / coarse.length
    this.#directions = new Int8Array(coarse.length * COARSE_DIMENSIONS)
    for (const [product, one] of coarse.entries())
      this.#directions.set(quantised(this.#aside(one)), product * COARSE_DIMENSIONS)
  }

  near(question: Float32Array): (product: number) => number {
    const asked = unit(this.#aside(projected(question)))
    const directions = this.#directions
    return (product) => {
      const from = product * COARSE_DIMENSIONS
      let sum = 0
      for (let k = 0; k < COARSE_DIMENSIONS; k += 1) sum += directions[from + k]! * asked[k]!
      return sum / SCALE
    }
  }

  #aside(vector: Float32Array): Float32Array {
    return vector.map((value, at) => value - this.#middle[at]!)
  }
}

const signs = new Map<number, Int8Array>()

/** A random projection: it keeps angles roughly, whatever the embedder, where leading dimensions would not. */
function projected(vector: Float32Array): Float32Array {
  const dimensions = vector.length
  const matrix = signs.get(dimensions) ?? signsFor(dimensions)
  const coarse = new Float32Array(COARSE_DIMENSIONS)
  for (let row = 0; row < COARSE_DIMENSIONS; row += 1) {
    let sum = 0
    for (let k = 0; k < dimensions; k += 1) sum += vector[k]! * matrix[row * dimensions + k]!
    coarse[row] = sum / Math.sqrt(COARSE_DIMENSIONS)
  }
  return coarse
}

/** Stored projections depend on it: the same on every machine. */
function signsFor(dimensions: number): Int8Array {
  let state = 0x9e3779b9
  const matrix = Int8Array.from({ length: COARSE_DIMENSIONS * dimensions }, () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state & 0x1_0000) === 0 ? 1 : -1
  })
  signs.set(dimensions, matrix)
  return matrix
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1
  return vector.map((value) => value / length)
}

function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
