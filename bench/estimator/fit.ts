// Makes the costs in `data/tokenizers.json`: `npm run bench -- estimator/fit NAME FILE…` fits the weights of one
// reference tokenizer to the texts of JSON lines with `text`, and prints them. Non-negative least squares of relative
// error, reweighted three times so that unusual texts count less, with a small pull towards expected costs.
import { readFile } from 'node:fs/promises'
import { FEATURES, FEATURES_COUNT } from '../../packages/server/src/domain/estimator/features.ts'
import type { Feature } from '../../packages/server/src/domain/estimator/features.ts'
import { Scan } from '../../packages/server/src/domain/estimator/scan.ts'
import { references } from './references.ts'

interface Observation {
  readonly counts: Int32Array
  readonly tokens: number
}

/** Expected cost of a feature for which the texts have little data: mostly its bytes; any other 0.3. */
const EXPECTED: Partial<Record<Feature, number>> = {
  word: 1,
  punctuation: 1,
  newline: 1,
  escape: 2,
  emoji: 2,
  joiner: 1,
  symbol: 1.5,
  smallSymbol: 1,
  typography: 0.7,
  kana: 0.9,
  katakana: 0.9,
  kanaLoose: 0.7,
  halfKana: 1.5,
  halfMark: 1,
  widePunctuation: 0.9,
  wideMark: 1.2,
  kanji1: 0.9,
  kanji2: 1.1,
  kanji3: 1.6,
  kanji4: 2.2,
  hanRun: 0.9,
  wideLatin: 1,
  hangul1: 0.8,
  hangul2: 1.3,
  hangul3: 2,
  thai: 1,
  arabic: 0.5,
  indic: 1,
  twoBytes: 1,
  threeBytes: 2,
  fourBytes: 3,
}
const PULL = 0.02
/** A word after a space is at least one token; digits are grouped by published rules. */
const PULL_STRONG: Partial<Record<Feature, number>> = { word: 3, digit: 50, digitThree: 50 }
const DIGITS_BY_THREE = new Set(['o200k', 'cl100k', 'llama-3'])
const ERROR_USUAL = 0.05
const SWEEPS_MAX = 3000
const WEIGHT_MIN = 0.005

const [name = '', ...files] = process.argv.slice(2)
const reference = references.find(({ family }) => family === name)
if (reference === undefined || files.length === 0) throw new Error('Usage: npm run bench -- estimator/fit FAMILY FILE…')

const texts = (await Promise.all(files.map((file) => readFile(file, 'utf8'))))
  .flatMap((lines) => lines.trim().split('\n'))
  .map((line) => (JSON.parse(line) as { text: string }).text)
const observations = texts.map((text): Observation => {
  const scan = new Scan()
  scan.add(text)
  return { counts: scan.counts(), tokens: reference.count(text) }
})

function expected(feature: Feature): { readonly cost: number; readonly pull: number } {
  const isDigit = feature === 'digit' || feature === 'digitThree'
  if (isDigit && !DIGITS_BY_THREE.has(name)) return { cost: 0.3, pull: PULL }
  const cost = isDigit ? Number(feature === 'digitThree') : (EXPECTED[feature] ?? 0.3)
  return { cost, pull: PULL_STRONG[feature] ?? PULL }
}

function fit(before: Float64Array | undefined): Float64Array {
  const matrix = Array.from(FEATURES, () => new Float64Array(FEATURES_COUNT))
  const goal = new Float64Array(FEATURES_COUNT)
  for (const { counts, tokens } of observations.filter((one) => one.tokens > 0)) {
    const weight = 1 / (tokens + 4) ** 1.7 / (before === undefined ? 1 : oddness(counts, tokens, before))
    for (const [row, count] of counts.entries()) {
      if (count === 0) continue
      goal[row]! += weight * count * tokens
      for (let column = 0; column < FEATURES_COUNT; column += 1)
        matrix[row]![column]! += weight * count * counts[column]!
    }
  }
  for (const [at, feature] of FEATURES.entries()) {
    const { cost, pull } = expected(feature)
    matrix[at]![at]! += pull
    goal[at]! += pull * cost
  }
  return descend(matrix, goal, before ?? new Float64Array(FEATURES_COUNT).fill(0.3))
}

/** 1 for a text that fits normally, more for an unusual one. */
function oddness(counts: Int32Array, tokens: number, weights: Float64Array): number {
  const estimated = counts.reduce((sum, count, at) => sum + count * weights[at]!, 0)
  return Math.max(1, Math.abs(estimated - tokens) / (tokens + 2) / ERROR_USUAL)
}

function descend(matrix: readonly Float64Array[], goal: Float64Array, from: Float64Array): Float64Array {
  const weights = from.slice()
  for (let sweep = 0; sweep < SWEEPS_MAX; sweep += 1) {
    let moved = 0
    for (const [row, values] of matrix.entries()) {
      const rest = values.reduce((left, value, column) => left - value * weights[column]!, goal[row]!)
      const weight = Math.max(0, weights[row]! + rest / values[row]!)
      moved = Math.max(moved, Math.abs(weight - weights[row]!))
      weights[row] = weight
    }
    if (moved < 1e-7) break
  }
  return weights
}

let weights = fit(undefined)
for (let round = 0; round < 3; round += 1) weights = fit(weights)
const rounded = [...weights].map((weight) => Math.round(Math.max(weight, WEIGHT_MIN) * 1000) / 1000)
const costs = Object.fromEntries(FEATURES.map((feature, at) => [feature, rounded[at]]))
console.log(JSON.stringify({ ...costs, ...reference.added }, null, 2))
