// Trains the weights of an FAQ from its questions and keywords: multinomial regression by stochastic descent with a rate for
// each weight. The same entries give the same weights on every machine. A few hundred questions take a fraction of a second;
// the bundled FAQ, with thousands, is trained beforehand.
import type { WordVectors } from '../retrieval/word-vectors.ts'
import { packedTable } from '../understanding/model/weights.ts'
import type { WeightTable } from '../understanding/model/weights.ts'
import type { FaqEntry } from './catalogue.ts'
import { faqFeatures } from './faq-features.ts'
import { featureScale, MEANING_SCALE, faqMeaning, faqSubject } from './faq-weights.ts'
import type { FaqWeights } from './faq-weights.ts'

const EPOCHS = 6
const RATE = 0.3
const DECAY = 3e-4
/** Smaller errors change next to nothing, and are most of them. */
const ERROR_MIN = 0.01
/** Smaller weights are left out: they change no decision. */
const WEIGHT_MIN = 0.15
const RARITY_SCALE = 1.5
const START_SQUARE = 1e-3

interface Example {
  readonly rows: Uint32Array
  readonly values: Float32Array
  readonly meaning: Float32Array
  readonly subject: number
}

export function trainFaq(entries: readonly FaqEntry[], vectors: WordVectors): FaqWeights {
  const texts = entries.flatMap(({ questions, keywords }, subject) =>
    [...questions.ja, ...questions.en, ...keywords.ja, ...keywords.en].map((text) => ({ text, subject })),
  )
  const features = texts.map(({ text }) => faqFeatures(text))
  const numbers = new Map<number, number>()
  const uses: number[] = []
  for (const one of features)
    for (const feature of one) {
      const row = numbers.get(feature) ?? uses.length
      numbers.set(feature, row)
      uses[row] = (uses[row] ?? 0) + 1
    }
  const rarity = uses.map((count) => (RARITY_SCALE * Math.log(1 + texts.length / count)) / Math.log(1 + texts.length))
  const examples = texts.map(({ text, subject }, index): Example => {
    const rows = Uint32Array.from(features[index]!, (feature) => numbers.get(feature)!)
    const scale = featureScale(rows.length)
    const values = Float32Array.from(rows, (row) => rarity[row]! * scale)
    return { rows, values, meaning: faqMeaning(text, vectors).map((value) => value * MEANING_SCALE), subject }
  })
  const trained = descend(examples, { rows: uses.length, subjects: entries.length, dimensions: vectors.dimensions })
  return {
    subjects: entries.map(faqSubject),
    table: tableOf(numbers, trained.words, { rarity, subjects: entries.length }),
    meaning: bySubject(trained.meaning, entries.length, vectors.dimensions),
  }
}

interface Sizes {
  readonly rows: number
  readonly subjects: number
  readonly dimensions: number
}

interface Layer {
  readonly weights: Float32Array
  readonly squares: Float32Array
}

const layerOf = (size: number): Layer => ({
  weights: new Float32Array(size),
  squares: new Float32Array(size).fill(START_SQUARE),
})

function descend(
  examples: readonly Example[],
  { rows, subjects, dimensions }: Sizes,
): { readonly words: Float32Array; readonly meaning: Float32Array } {
  const words = layerOf(rows * subjects)
  const meaning = layerOf(dimensions * subjects)
  const all = Uint32Array.from({ length: dimensions }, (_, k) => k)
  const errors = new Float64Array(subjects)
  for (let epoch = 0; epoch < EPOCHS; epoch += 1)
    for (const index of order(examples.length, epoch)) {
      const example = examples[index]!
      errors.fill(0)
      addTo(errors, words, example)
      addTo(errors, meaning, { rows: all, values: example.meaning })
      toErrors(errors, example.subject)
      const wrong = [...errors.keys()].filter((subject) => Math.abs(errors[subject]!) > ERROR_MIN)
      correct(words, example, { errors, wrong })
      correct(meaning, { rows: all, values: example.meaning }, { errors, wrong })
    }
  return { words: words.weights, meaning: meaning.weights }
}

type Input = Pick<Example, 'rows' | 'values'>

function addTo(scores: Float64Array, { weights }: Layer, { rows, values }: Input): void {
  const count = scores.length
  for (let k = 0; k < rows.length; k += 1) {
    const from = rows[k]! * count
    const value = values[k]!
    for (let subject = 0; subject < count; subject += 1) scores[subject]! += weights[from + subject]! * value
  }
}

/** Replaces the scores by the errors: probability minus truth. */
function toErrors(scores: Float64Array, truth: number): void {
  const most = Math.max(...scores)
  let sum = 0
  for (let index = 0; index < scores.length; index += 1) sum += scores[index] = Math.exp(scores[index]! - most)
  for (let index = 0; index < scores.length; index += 1) scores[index]! /= sum
  scores[truth]! -= 1
}

function correct(
  { weights, squares }: Layer,
  { rows, values }: Input,
  { errors, wrong }: { readonly errors: Float64Array; readonly wrong: readonly number[] },
): void {
  for (let k = 0; k < rows.length; k += 1) {
    const from = rows[k]! * errors.length
    const value = values[k]!
    for (const subject of wrong) {
      const at = from + subject
      const gradient = errors[subject]! * value + DECAY * weights[at]!
      squares[at]! += gradient * gradient
      weights[at]! -= (RATE * gradient) / Math.sqrt(squares[at]!)
    }
  }
}

/** Shuffled, in the same way on every machine. */
function order(count: number, seed: number): readonly number[] {
  const indexes = Array.from({ length: count }, (_, index) => index)
  let state = Math.imul(seed + 1, 2_654_435_761) >>> 0
  for (let index = count - 1; index > 0; index -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const other = Math.floor((state / 2 ** 32) * (index + 1))
    ;[indexes[index], indexes[other]] = [indexes[other]!, indexes[index]!]
  }
  return indexes
}

function tableOf(
  numbers: ReadonlyMap<number, number>,
  weights: Float32Array,
  { rarity, subjects }: { readonly rarity: readonly number[]; readonly subjects: number },
): WeightTable {
  const rows = new Map(
    [...numbers].map(([feature, row]) => [
      feature,
      (subject: number) => weights[row * subjects + subject]! * rarity[row]!,
    ]),
  )
  return packedTable(rows, { labelsCount: subjects, smallest: WEIGHT_MIN })
}

function bySubject(meaning: Float32Array, subjects: number, dimensions: number): Float32Array {
  const turned = new Float32Array(meaning.length)
  for (let subject = 0; subject < subjects; subject += 1)
    for (let k = 0; k < dimensions; k += 1) turned[subject * dimensions + k] = meaning[k * subjects + subject]!
  return turned
}
