// Trains the tagger as a conditional random field: the probability of the whole sequence of tags is raised, by AdaGrad
// with a decay that keeps weights of rare features small.
import { isInside, mayFollow, OUTSIDE, TAGS_COUNT, transitionFeature } from '../src/understanding/model/tags.ts'
import { numberFeatures, randoms, shuffled } from './numbering.ts'

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
/** The share of a token's features that is left out of each step, so that none is relied on alone. */
const LEFT_OUT = 0.5
const T = TAGS_COUNT

export function trainCrf(
  examples: readonly TagExample[],
  epochs: number,
  onEpoch: (epoch: number) => void = () => undefined,
): Trained {
  const known = numberFeatures(examples.flatMap(({ features }) => features))
  const rowsOf = examples.map(({ features }) =>
    features.map((token) => Uint32Array.from([...token].flatMap((feature) => known.get(feature) ?? []))),
  )
  const values = new Float32Array(known.size * T)
  const squares = new Float32Array(known.size * T).fill(1e-3)
  const transitions = new Float64Array(T * T)
  const transitionSquares = new Float64Array(T * T).fill(1e-2)
  const order = examples.map((_, index) => index)
  const next = randoms(1)
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    onEpoch(epoch + 1)
    for (const index of shuffled(order, epoch)) {
      const rows = rowsOf[index]!.map((features) => features.filter(() => next() >= LEFT_OUT))
      const { tags } = examples[index]!
      if (tags.length === 0) continue
      const { marginals, pairs, candidates } = expectations(rows, { values, transitions, tags })
      for (let at = 0; at < tags.length; at += 1) {
        const wrong: { tag: number; error: number }[] = []
        for (let place = 0; place < candidates[at]!.length; place += 1) {
          const tag = candidates[at]![place]!
          const error = marginals[at]![place]! - (tag === tags[at] ? 1 : 0)
          if (Math.abs(error) >= GRADIENT_MIN) wrong.push({ tag, error })
        }
        if (at > 0) addTo(pairs, tags[at - 1]! * T + tags[at]!, -1)
        if (wrong.length === 0) continue
        for (const row of rows[at]!)
          for (const { tag, error } of wrong) {
            const cell = row * T + tag
            const g = error + DECAY * values[cell]!
            squares[cell]! += g * g
            values[cell]! -= (RATE * g) / Math.sqrt(squares[cell]!)
          }
      }
      for (const [cell, g] of pairs) {
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

/** A tag that is this much less likely than the best one of its token takes no part in the sums. */
const CANDIDATE_SCORE_MIN = Math.log(1e-5)

interface Weighed {
  readonly values: Float32Array
  readonly transitions: Float64Array
  readonly tags: Uint8Array
}

/**
 * The probability of each likely tag at each token, and of each pair of adjacent tags, summed over the sentence. After a
 * few hundred sentences a token has a handful of likely tags; the labelled one is always among them.
 */
function expectations(rows: readonly Uint32Array[], { values, transitions, tags }: Weighed) {
  const candidates: number[][] = []
  const unary: Float64Array[] = []
  const scores = new Float64Array(T)
  for (const [at, features] of rows.entries()) {
    scores.fill(0)
    for (const row of features)
      for (let tag = 0, cell = row * T; tag < T; tag += 1, cell += 1) scores[tag]! += values[cell]!
    for (let tag = 0; tag < T; tag += 1) scores[tag]! /= 1 - LEFT_OUT
    let most = Number.NEGATIVE_INFINITY
    for (let tag = 0; tag < T; tag += 1) most = Math.max(most, scores[tag]!)
    const likely: number[] = []
    for (let tag = 0; tag < T; tag += 1)
      if (tag === tags[at] || scores[tag]! > most + CANDIDATE_SCORE_MIN) likely.push(tag)
    candidates.push(likely)
    const own = new Float64Array(likely.length)
    for (let place = 0; place < likely.length; place += 1) own[place] = Math.exp(scores[likely[place]!]! - most)
    unary.push(own)
  }
  const links = rows.map((_, at) => (at === 0 ? [] : linksOf(candidates[at - 1]!, candidates[at]!, transitions)))
  const forward = forwardOf(candidates, unary, links)
  const marginals = [...forward]
  const pairs = new Map<number, number>()
  let backward = new Float64Array(unary.at(-1)?.length ?? 0).fill(1)
  for (let at = rows.length - 1; at > 0; at -= 1) {
    const own = unary[at]!
    const left = forward[at - 1]!
    const joint = links[at]!
    const mass = new Float64Array(left.length)
    let total = 0
    for (let before = 0; before < left.length; before += 1) {
      const link = joint[before]!
      let sum = 0
      // What is left of a link is the likelihood of all that follows it.
      for (let index = 0; index < own.length; index += 1) sum += link[index]! *= own[index]! * backward[index]!
      mass[before] = sum
      total += sum * left[before]!
    }
    for (let before = 0; before < left.length; before += 1) {
      const share = left[before]! / total
      if (share * mass[before]! < SHARE_MIN) continue
      const link = joint[before]!
      for (let index = 0; index < own.length; index += 1)
        if (share * link[index]! > SHARE_MIN)
          addTo(pairs, candidates[at - 1]![before]! * T + candidates[at]![index]!, share * link[index]!)
    }
    marginals[at - 1] = normalised(mass.map((value, before) => value * left[before]!))
    backward = normalised(mass)
  }
  return { marginals, pairs, candidates }
}

const SHARE_MIN = 1e-6

function forwardOf(
  candidates: readonly (readonly number[])[],
  unary: readonly Float64Array[],
  links: readonly (readonly Float64Array[])[],
): readonly Float64Array[] {
  const forward: Float64Array[] = []
  for (let at = 0; at < unary.length; at += 1) {
    const own = unary[at]!
    const mass = new Float64Array(own.length)
    const left = forward[at - 1]
    for (let index = 0; index < own.length; index += 1) {
      if (left === undefined) mass[index] = isInside(candidates[0]![index]!) ? 0 : own[index]!
      else {
        let sum = 0
        for (let before = 0; before < left.length; before += 1) sum += left[before]! * links[at]![before]![index]!
        mass[index] = sum * own[index]!
      }
    }
    forward.push(normalised(mass))
  }
  return forward
}

/** For each tag before and each tag after it, how likely the one follows the other. */
function linksOf(
  before: readonly number[],
  after: readonly number[],
  transitions: Float64Array,
): readonly Float64Array[] {
  return before.map((from) => {
    const row = new Float64Array(after.length)
    for (let index = 0; index < after.length; index += 1) {
      const to = after[index]!
      if (mayFollow(to, from)) row[index] = Math.exp(transitions[from * T + to]!)
    }
    return row
  })
}

function normalised(values: Float64Array): Float64Array<ArrayBuffer> {
  let sum = 0
  for (let index = 0; index < values.length; index += 1) sum += values[index]!
  const shares = new Float64Array(values.length)
  for (let index = 0; index < values.length; index += 1) shares[index] = values[index]! / (sum || 1)
  return shares
}

function addTo(sums: Map<number, number>, cell: number, value: number): void {
  sums.set(cell, (sums.get(cell) ?? 0) + value)
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
