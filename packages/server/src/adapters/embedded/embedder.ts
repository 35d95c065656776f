// An embedder learned from the catalogue itself: words, character pairs and attributes (`genre:horror`) are
// weighed by rarity, and the directions in which the shelves differ most (the leading right singular vectors)
// become the dimensions. So 「切ない」 and "bittersweet" meet where the same series use them. No weights to ship.
import { searchTerms } from '@mangaassist/bookseller/text/search-terms'
import type { Embedder } from '#ports/embedder/port.ts'

type Features = ReadonlyMap<string, number>
/** The columns that are not zero, and beside them their weights. */
interface Sparse {
  readonly columns: Uint32Array
  readonly weights: Float64Array
}

const ATTRIBUTE = /(?<=^|\s)([a-z]+):([^\s]+)/gu
/** What an attribute says about a series is worth more than a word of its synopsis. */
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

/** Learns from texts, attributes included, and then embeds any. */
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

/** The features that can relate one series to another: those that at least two share. */
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
    // Repetition counts less and less; an attribute's weight is kept.
    weights.push((name.includes(':') ? weight : Math.sqrt(weight) * 0.5) * column.rarity)
  }
  const length = Math.hypot(...weights) || 1
  return { columns: Uint32Array.from(found), weights: Float64Array.from(weights, (weight) => weight / length) }
}

/** Subspace iteration: multiplied by the rows and back again and again, a basis turns towards what they share most. */
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
    // Set apart after every second round: that is where most of the time goes, and one round leaves them apart enough.
    basis = iteration % 2 === 0 ? next : orthonormal(next, columns, dimensions)
  }
  return basis
}

/** Any start will do that is not special; a small generator of its own keeps it the same on every machine. */
function startingBasis(columns: number, dimensions: number): Float64Array {
  let state = 42
  return Float64Array.from({ length: columns * dimensions }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  })
}

/** Each vector is laid out in one piece while it is worked on: in their table, neighbours are a row apart. */
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
