// Trains the tagger as a conditional random field: the probability of the whole sequence of tags is raised, by AdaGrad
// with a decay that keeps weights of rare features small.
import { isInside, mayFollow, OUTSIDE, TAGS_COUNT, transitionFeature } from '../src/understanding/model/tags.ts'
import { numberFeatures, shuffled } from './numbering.ts'

export interface TagExample {
  readonly features: readonly Uint32Array[]
  readonly tags: Uint8Array
}

export interface Trained {
  /** For each feature the weights of all labels. */
  readonly rows: ReadonlyMap<number, Float32Array>
}

const RATE = 0.2
const DECAY = 2e-4
const GRADIENT_MIN = 1e-3
const T = TAGS_COUNT

export function trainCrf(examples: readonly TagExample[], epochs: number): Trained {
  const known = numberFeatures(examples.flatMap(({ features }) => features))
  const rowsOf = examples.map(({ features }) =>
    features.map((token) => Uint32Array.from([...token].flatMap((feature) => known.get(feature) ?? []))),
  )
  const values = new Float32Array(known.size * T)
  const squares = new Float32Array(known.size * T).fill(1e-3)
  const transitions = new Float64Array(T * T)
  const transitionSquares = new Float64Array(T * T).fill(1e-2)
  const order = examples.map((_, index) => index)
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (const index of shuffled(order, epoch)) {
      const rows = rowsOf[index]!
      const { tags } = examples[index]!
      if (tags.length === 0) continue
      const { marginals, pairs } = expectations(rows, values, transitions)
      for (let at = 0; at < tags.length; at += 1) {
        marginals[at * T + tags[at]!]! -= 1
        if (at > 0) pairs[tags[at - 1]! * T + tags[at]!]! -= 1
        for (let tag = 0; tag < T; tag += 1) {
          const gradient = marginals[at * T + tag]!
          if (Math.abs(gradient) < GRADIENT_MIN) continue
          for (const row of rows[at]!) {
            const cell = row * T + tag
            const g = gradient + DECAY * values[cell]!
            squares[cell]! += g * g
            values[cell]! -= (RATE * g) / Math.sqrt(squares[cell]!)
          }
        }
      }
      for (let cell = 0; cell < T * T; cell += 1) {
        const g = pairs[cell]!
        if (Math.abs(g) < GRADIENT_MIN) continue
        transitionSquares[cell]! += g * g
        transitions[cell]! -= (RATE * g) / Math.sqrt(transitionSquares[cell]!)
      }
    }
  }
  const rows = new Map<number, Float32Array>()
  for (const [feature, row] of known) rows.set(feature, values.slice(row * T, (row + 1) * T))
  for (let before = 0; before < T; before += 1)
    rows.set(transitionFeature(before), Float32Array.from(transitions.subarray(before * T, (before + 1) * T)))
  return { rows }
}

/** The probability of each tag at each token, and of each pair of adjacent tags, summed over the sentence. */
function expectations(rows: readonly Uint32Array[], values: Float32Array, transitions: Float64Array) {
  const length = rows.length
  const unary = new Float64Array(length * T)
  for (let at = 0; at < length; at += 1) {
    const from = at * T
    for (const row of rows[at]!) for (let tag = 0; tag < T; tag += 1) unary[from + tag]! += values[row * T + tag]!
    let most = Number.NEGATIVE_INFINITY
    for (let tag = 0; tag < T; tag += 1) most = Math.max(most, unary[from + tag]!)
    for (let tag = 0; tag < T; tag += 1) unary[from + tag] = Math.exp(unary[from + tag]! - most)
  }
  const link = new Float64Array(T * T)
  for (let before = 0; before < T; before += 1)
    for (let tag = 0; tag < T; tag += 1)
      link[before * T + tag] = mayFollow(tag, before) ? Math.exp(transitions[before * T + tag]!) : 0
  const forward = new Float64Array(length * T)
  for (let tag = 0; tag < T; tag += 1) forward[tag] = isInside(tag) ? 0 : unary[tag]!
  normalise(forward, 0)
  for (let at = 1; at < length; at += 1) {
    const from = at * T
    for (let before = 0; before < T; before += 1) {
      const mass = forward[from - T + before]!
      if (mass < 1e-12) continue
      for (let tag = 0; tag < T; tag += 1) forward[from + tag]! += mass * link[before * T + tag]!
    }
    for (let tag = 0; tag < T; tag += 1) forward[from + tag]! *= unary[from + tag]!
    normalise(forward, from)
  }
  const backward = new Float64Array(length * T).fill(1)
  const pairs = new Float64Array(T * T)
  const marginals = new Float64Array(length * T)
  for (let tag = 0; tag < T; tag += 1) marginals[(length - 1) * T + tag] = forward[(length - 1) * T + tag]!
  for (let at = length - 1; at > 0; at -= 1) {
    const from = at * T
    let sum = 0
    const joint = new Float64Array(T * T)
    for (let before = 0; before < T; before += 1) {
      let mass = 0
      const left = forward[from - T + before]!
      for (let tag = 0; tag < T; tag += 1) {
        const right = link[before * T + tag]! * unary[from + tag]! * backward[from + tag]!
        mass += right
        if (left > 1e-12) {
          joint[before * T + tag] = left * right
          sum += left * right
        }
      }
      backward[from - T + before] = mass
    }
    normalise(backward, from - T)
    for (let cell = 0; cell < T * T; cell += 1) {
      const share = joint[cell]! / sum
      if (share < 1e-9) continue
      pairs[cell]! += share
      marginals[from - T + Math.floor(cell / T)]! += share
    }
  }
  return { marginals, pairs }
}

function normalise(values: Float64Array, from: number): void {
  let sum = 0
  for (let tag = 0; tag < T; tag += 1) sum += values[from + tag]!
  for (let tag = 0; tag < T; tag += 1) values[from + tag]! /= sum || 1
}

/** The tags of labelled spans; a token counts to the span that its middle lies in. */
export function tagsOf(
  tokens: readonly { readonly from: number; readonly to: number }[],
  spans: readonly { readonly from: number; readonly to: number; readonly begin: number }[],
): Uint8Array {
  const tags = new Uint8Array(tokens.length).fill(OUTSIDE)
  let open = -1
  for (const [index, token] of tokens.entries()) {
    const middle = (token.from + token.to) / 2
    const at = spans.findIndex(({ from, to }) => middle > from && middle < to)
    if (at !== -1) tags[index] = spans[at]!.begin + (at === open ? 1 : 0)
    open = at
  }
  return tags
}
