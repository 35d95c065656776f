// An embedder learned from the catalogue itself: words, character pairs and attributes (`genre:horror`) are weighted by
// rarity, and the leading right singular vectors become the dimensions. So 「切ない」 and "bittersweet" are near where the same
// series use them. No weights to ship.
import { searchTerms } from '@mangaassist/bookseller/text/search-terms'
import type { Embedder } from '#ports/embedder/port.ts'

type Features = ReadonlyMap<string, number>
/** The indices of the nonzero columns, and their weights. */
interface Sparse {
  readonly columns: Uint32Array
  readonly weights: Float64Array
}

const ATTRIBUTE = /(?<=^|\s)([a-z]+):([^\s]+)/gu
/** An attribute of a series counts more than a word of its synopsis. */
const ATTRIBUTE_WEIGHT: Readonly<Record<string, number>> = {
  genre: 3,
  mood: 2.4,
  for: 1.2,
  author: 1.5,
  magazine: 0.6,
  decade: 0.8,
}
const DIMENSIONS = 64
const FEATURE_USES_MIN = 2
const POWER_ITERATIONS = 8

/** Learns from texts, which include attributes, and then embeds any text. */
export function learnEmbedder(texts: readonly string[]): Embedder {
  const dimensions = DIMENSIONS
  const featured = texts.map(featuresOf)
  const columns = columnsOf(featured)
  const rows = featured.map((features) => sparse(features, columns))
  const basis = leadingDirections(rows, columns.size, dimensions)
  return {
    dimensions,
    embed: async (wanted) => wanted.map((text) => project(sparse(featuresOf(text), columns), basis, dimensions)),
  }
}

function featuresOf(text: string): Features {
  const features = new Map<string, number>()
  const add = (name: string, weight: number) => void features.set(name, (features.get(name) ?? 0) + weight)
  for (const [whole, kind] of text.matchAll(ATTRIBUTE)) add(whole, ATTRIBUTE_WEIGHT[kind ?? ''] ?? 1)
  for (const term of searchTerms(text.replaceAll(ATTRIBUTE, ' '))) add(term, 1)
  return features
}

interface Column {
  readonly index: number
  readonly rarity: number
}

/** The features that at least two series share; only those can relate one series to another. */
function columnsOf(featured: readonly Features[]): ReadonlyMap<string, Column> {
  const uses = new Map<string, number>()
  for (const features of featured) for (const name of features.keys()) uses.set(name, (uses.get(name) ?? 0) + 1)
  const columns = new Map<string, Column>()
  for (const [name, count] of uses) {
    if (count < FEATURE_USES_MIN) continue
    columns.set(name, { index: columns.size, rarity: Math.log(1 + featured.length / count) })
  }
  return columns
}

function sparse(features: Features, columns: ReadonlyMap<string, Column>): Sparse {
  const found: number[] = []
  const weights: number[] = []
  for (const [name, weight] of features) {
    const column = columns.get(name)
    if (column === undefined) continue
    found.push(column.index)
    // A repeated word counts with the root of its frequency; an attribute keeps its weight.
    weights.push((name.includes(':') ? weight : Math.sqrt(weight) * 0.5) * column.rarity)
  }
  const length = Math.hypot(...weights) || 1
  return { columns: Uint32Array.from(found), weights: Float64Array.from(weights, (weight) => weight / length) }
}

/**
 * Subspace iteration: repeated multiplication by the matrix and its transpose turns the basis towards the leading singular
 * vectors.
 */
function leadingDirections(rows: readonly Sparse[], columns: number, dimensions: number): Float64Array {
  let basis = startingBasis(columns, dimensions)
  for (let iteration = 0; iteration < POWER_ITERATIONS; iteration += 1) {
    const next = new Float64Array(columns * dimensions)
    for (const row of rows) {
      const scores = scoresOf(row, basis, dimensions)
      for (let entry = 0; entry < row.columns.length; entry += 1) {
        const from = row.columns[entry]! * dimensions
        const weight = row.weights[entry]!
        for (let k = 0; k < dimensions; k += 1) next[from + k]! += weight * scores[k]!
      }
    }
    // Orthonormalised every second round: it takes most of the time, and the vectors stay independent enough for one round.
    basis = iteration % 2 === 0 ? next : orthonormal(next, columns, dimensions)
  }
  return basis
}

/** Any generic start works; a small generator of its own makes it the same on every machine. */
function startingBasis(columns: number, dimensions: number): Float64Array {
  let state = 42
  return Float64Array.from({ length: columns * dimensions }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  })
}

/** Each vector is copied to contiguous memory for the computation: in the table its elements are one row apart. */
function orthonormal(basis: Float64Array, columns: number, dimensions: number): Float64Array {
  const vectors: Float64Array[] = []
  for (let k = 0; k < dimensions; k += 1) {
    const vector = new Float64Array(columns)
    for (let row = 0; row < columns; row += 1) vector[row] = basis[row * dimensions + k]!
    for (const before of vectors) {
      let dot = 0
      for (let row = 0; row < columns; row += 1) dot += vector[row]! * before[row]!
      for (let row = 0; row < columns; row += 1) vector[row]! -= dot * before[row]!
    }
    let length = 0
    for (let row = 0; row < columns; row += 1) length += vector[row]! ** 2
    const scale = length > 1e-18 ? 1 / Math.sqrt(length) : 0
    for (let row = 0; row < columns; row += 1) basis[row * dimensions + k] = vector[row]! *= scale
    vectors.push(vector)
  }
  return basis
}

function scoresOf(row: Sparse, basis: Float64Array, dimensions: number): Float64Array {
  const scores = new Float64Array(dimensions)
  for (let entry = 0; entry < row.columns.length; entry += 1) {
    const from = row.columns[entry]! * dimensions
    const weight = row.weights[entry]!
    for (let k = 0; k < dimensions; k += 1) scores[k]! += weight * basis[from + k]!
  }
  return scores
}

function project(row: Sparse, basis: Float64Array, dimensions: number): Float32Array {
  const scores = scoresOf(row, basis, dimensions)
  const length = Math.hypot(...scores)
  return Float32Array.from(scores, (score) => (length > 0 ? score / length : 0))
}
